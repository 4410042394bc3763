// An operator makes a vertical in the console, lets a supplier post into it and an offer filter on it, and closes it: by keyboard, and again by
// pointer (contract 14.1, 14.3, 14.5).
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { activate, pick, tabTo, write } from '../support/browser/keyboard.ts';
import { signInToConsole } from '../support/browser/people.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { traceOf } from '../support/trace.ts';

const YAML = `
suppliers: [{ key: sunny, name: Sunny, status: approved }]
partners:
  - key: summit
    name: Summit
    channels: []
    offers: [{ key: summit-all, name: All, eventType: Lead Sale, payout: 45.00 }]
`;

describe.skipIf(hasNoChromium())('verticals in a browser', () => {
  let market: TestMarketplace;
  let browser: Browser;

  beforeAll(async () => {
    [market, browser] = await Promise.all([startTestMarketplace({ yaml: YAML }), startChromium()]);
    await market.signedIn.operator('dana');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
  });

  async function soldTo(serial: number, own: object): Promise<readonly string[]> {
    const body = { full_name: 'Jordan Rivera', email: `person-${serial}@example.com`, state: 'CA', ...own };
    const { json, text } = await postLead(market.url, await market.supplierKey('sunny'), body);
    if (typeof json.lead_id !== 'string') return [text];
    return eventually('the lead is decided', async () => {
      const { lead, deliveries } = await traceOf(market.database, json.lead_id);
      return lead.state === 'received' ? null : deliveries.map(({ offer }) => offer);
    });
  }

  const list = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

  const apply = async (page: Page): Promise<void> => {
    await activate(page, page.getByRole('button', { name: 'Review change', exact: true }));
    await page.getByRole('dialog').getByText('Review change').first().waitFor();
    await activate(page, page.getByRole('button', { name: 'Apply', exact: true }));
    await page.getByText('Change applied.').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  it('are made with fields, errors at them, and filters of an offer, by keyboard', async () => {
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    await signInToConsole(page, 'dana', '/console/leads');
    await page.getByText('No leads yet').waitFor();
    expect(await page.getByLabel('Vertical').count()).toBe(0);
    await page.goto('/console/verticals');
    await page.getByText('No verticals yet').waitFor();
    await activate(page, page.getByRole('link', { name: 'New vertical' }));
    await page.getByRole('heading', { name: 'New vertical', level: 1 }).waitFor();

    await write(page, page.getByLabel('Key'), 'solar');
    await write(page, page.getByLabel('Name', { exact: true }), 'Solar roofs');
    await activate(page, page.getByRole('button', { name: 'Add field' }));
    await write(page, page.getByLabel('Name', { exact: true }).nth(1), 'Roof');
    await pick(page, list(page, 'Type'), 'One of several values');
    await activate(page, page.getByRole('button', { name: 'Review change' }));
    await page.getByRole('alert').getByText('Field 1, Name').waitFor();
    await page.locator('p').getByText('Must be a name such as roof_age').waitFor();
    await looksRight(page);

    await write(page, page.getByLabel('Name', { exact: true }).nth(1), 'roof');
    await write(page, page.getByLabel('Label'), 'Kind of roof');
    await write(page, page.getByLabel('Values', { exact: true }), 'tile');
    await page.keyboard.press('Enter');
    await page.keyboard.type('flat');
    await activate(page, page.getByLabel('Required'), 'Space');
    await activate(page, page.getByRole('button', { name: 'Add field' }));
    await write(page, page.getByLabel('Name', { exact: true }).nth(2), 'bill');
    await pick(page, list(page, 'Type').nth(1), 'Amount');
    await write(page, page.getByLabel('Maximum', { exact: true }), '5000.50');
    await activate(page, page.getByRole('button', { name: 'Move up bill' }));
    await activate(page, page.getByRole('button', { name: 'Add field' }));
    await write(page, page.getByLabel('Name', { exact: true }).nth(3), 'zip');
    await pick(page, list(page, 'Type').nth(2), 'ZIP code');
    await activate(page, page.getByRole('button', { name: 'Review change' }));
    await page.getByRole('dialog').getByText('bill: amount, up to 5,000.5').waitFor();
    await activate(page, page.getByRole('button', { name: 'Apply', exact: true }));
    await page.getByRole('heading', { name: 'Solar roofs', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Kind of roof' }).waitFor();
    await looksRight(page);

    await page.goto('/console/suppliers/sunny');
    await pick(page, list(page, 'Vertical'), 'Solar roofs');
    await apply(page);

    await page.goto('/console/partners/summit/offers/summit-all');
    await pick(page, list(page, 'Vertical'), 'Solar roofs');
    const group = page.locator('summary').filter({ hasText: 'Fields of the vertical' });
    await group.getByText('None set').waitFor();
    await activate(page, group);
    await pick(page, list(page, 'Add a filter'), 'bill');
    await write(page, page.getByLabel('bill, minimum'), '100');
    await pick(page, list(page, 'Add a filter'), 'zip');
    await write(page, page.getByLabel('zip, any of'), '941*, 1000');
    await group.getByText('bill: from 100; zip: 1000 or 941*').waitFor();
    await tabTo(page, group, { backwards: true });
    await page.keyboard.press('Enter');
    await page.getByLabel('zip, any of').waitFor({ state: 'hidden' });
    await activate(page, page.getByRole('button', { name: 'Review change' }));
    await page.getByText('"1000" is no value of the field').first().waitFor();
    await group.getByText('Has an error').waitFor();
    await page.getByLabel('zip, any of').waitFor();
    await looksRight(page);
    await write(page, page.getByLabel('zip, any of'), '941*');
    await apply(page);
    const own = { roof: 'flat', bill: 100, zip: '94103' };
    expect(await soldTo(1, own)).toEqual(['summit-all']);
    expect(await soldTo(2, { ...own, bill: '99.99' })).toEqual([]);
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });

  it('are shown in lists, changed, and closed with a note of what stops, by pointer', async () => {
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    await signInToConsole(page, 'dana', '/console/leads');
    await page.getByRole('columnheader', { name: 'Vertical' }).waitFor();
    await list(page, 'Vertical').click();
    await page.getByRole('option', { name: 'Solar roofs' }).click();
    await page.waitForURL(/vertical=solar/);
    expect(await page.getByRole('cell', { name: 'Solar roofs' }).count()).toBe(2);
    await looksRight(page);

    await page.goto('/console/verticals');
    await page.getByRole('link', { name: 'Solar roofs' }).click();
    await page.getByRole('button', { name: 'zip' }).click();
    await page.getByRole('button', { name: 'Remove zip' }).click();
    await page.getByRole('button', { name: 'Review change' }).click();
    await page.getByRole('alert').getByText('the vertical "solar" has no field "zip"').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Close vertical' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('leads of sunny that name no vertical are rejected').waitFor();
    await dialog.getByText('no new leads for the offer summit-all').waitFor();
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('button', { name: 'Open vertical' }).waitFor();
    expect(await soldTo(3, { roof: 'flat', bill: 100, zip: '94103' })).toEqual([
      expect.stringContaining('vertical invalid'),
    ]);
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });
});
