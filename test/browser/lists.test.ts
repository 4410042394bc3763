// An operator and a partner keep lists in their pages: create, upload with a preview, hash in the browser, cancel, look up and remove (contract 15.5).
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { looksRight, violationsOf } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { activate, choose, pick, write } from '../support/browser/keyboard.ts';
import { signInToConsole, signInToPortal } from '../support/browser/people.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { traceOf } from '../support/trace.ts';

const YAML = `
suppliers: [{ key: acme-media, name: Acme Media, status: approved }]
partners:
  - key: summit
    name: Summit
    channels: []
    offers: [{ key: summit-all, name: All, eventType: Lead Sale, payout: 45.00 }]
  - key: harbor
    name: Harbor
    channels: []
    offers: [{ key: harbor-all, name: All, eventType: Lead Sale, payout: 30.00 }]
`;
const PHONE = { width: 360, height: 740 };

describe.skipIf(hasNoChromium())('lists in a browser', () => {
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

  const buttonOn =
    (page: Page) =>
    (name: string): Locator =>
      page.getByRole('button', { name, exact: true });

  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  /** Who bought a posted lead; null for nobody. */
  async function buyerOf(serial: number, person: Readonly<Record<string, unknown>>) {
    const key = await market.supplierKey('acme-media');
    const { json } = await postLead(market.url, key, sampleLead(serial, person));
    return eventually('the lead is decided', async () => {
      const { lead, deliveries } = await traceOf(market.database, json.lead_id);
      return lead.state === 'received' ? null : { status: lead.status, partner: deliveries[0]?.partner ?? null };
    });
  }

  it('are created by an operator, filled from a file, looked up, and removed, by keyboard', async () => {
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    const button = buttonOn(page);
    await signInToConsole(page, 'dana', '/console/lists');
    await page.getByText('No lists yet').waitFor();
    await looksRight(page);
    await activate(page, page.getByRole('link', { name: 'New list' }));
    await page.getByRole('heading', { name: 'New list', level: 1 }).waitFor();
    await looksRight(page);
    await write(page, page.getByLabel('Key'), 'do-not-call');
    await write(page, page.getByLabel('Name', { exact: true }), 'Do not call');
    await activate(page, button('Create list'));
    await page.getByRole('heading', { name: 'Do not call', level: 1 }).waitFor();

    const people = 'name,phone\nJordan,(555) 201-0001\nCasey,nobody\nRobin,+1 555 201 0003\n';
    await page.locator('input[type=file]').setInputFiles(file('people.csv', people));
    const preview = page.getByRole('table', { name: 'First rows of the file' });
    await preview.getByText('+15552010001').waitFor();
    await preview.getByText('not a value of this list').waitFor();
    await looksRight(page);
    await activate(page, button('Upload'));
    // A row with an error ends the upload, and nothing of it counts.
    await page.getByText(/^Row 2 of the file cannot be taken/).waitFor();
    await page.getByRole('row').filter({ hasText: 'discarded' }).waitFor();
    await activate(page, page.getByRole('checkbox', { name: 'Leave out rows that are not phone numbers' }), 'Space');
    await activate(page, button('Upload'));
    await page.getByText('Uploaded: 2 different entries, 1 row left out.').waitFor();
    await page.getByRole('row').filter({ hasText: 'counts' }).waitFor();

    await write(page, page.getByLabel('A phone number'), '555 201 0003');
    await page.keyboard.press('Enter');
    await page.getByText('It is on the list.').waitFor();
    await looksRight(page);
    expect(await buyerOf(1, { phone: '+15552010001' })).toEqual({ status: 'Suppressed', partner: null });
    await activate(page, button('Remove this entry'));
    await page.getByText('It is not on the list.').waitFor();
    expect(await buyerOf(2, { phone: '+15552010003' })).toEqual({ status: 'Lead Sale', partner: 'summit' });

    await activate(page, button('Remove list'));
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove list' });
    await confirm.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No lists yet').waitFor();
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });

  it('of a partner are hashed in its browser, so that no value is sent, and its customers go to others', async () => {
    const visitor = await visit(browser, market.url, PHONE);
    const { page } = visitor;
    const button = buttonOn(page);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await signInToPortal(page, await market.buyerToken('summit'), '/portal/lists');
    await page.getByText('No lists yet').waitFor();
    await looksRight(page);
    await activate(page, button('New list'));
    await page.getByRole('dialog').getByLabel('Name').fill('Our customers');
    await pick(page, page.getByRole('dialog').getByRole('combobox', { name: 'Holds' }), 'Email addresses');
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Create list' }));
    await page.getByRole('heading', { name: 'Our customers', level: 1 }).waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles(file('mail.txt', 'Casey.Morgan+old@Example.com\nrobin@example.com\n'));
    const preview = page.getByRole('table', { name: 'First rows of the file' });
    await preview.getByText('casey.morgan@example.com').waitFor();
    await activate(page, page.getByRole('checkbox', { name: 'Hash values in this browser' }), 'Space');
    await preview
      .getByText(/^[0-9a-f]{64}$/)
      .first()
      .waitFor();
    await looksRight(page);
    await activate(page, button('Upload'));
    await page.getByText('Uploaded: 2 different entries.').waitFor();
    expect(sent.filter((text) => /casey|robin/i.test(text))).toEqual([]);
    expect(sent.filter((text) => text.includes('rows')).length).toBe(1);
    await page.getByText('all of your offers').waitFor();
    expect(await buyerOf(11, { email: 'casey.morgan@example.com' })).toEqual({
      status: 'Lead Sale',
      partner: 'harbor',
    });
    expect(await buyerOf(12, { email: 'somebody@example.com' })).toEqual({ status: 'Lead Sale', partner: 'summit' });
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });

  it('keep their entries when an upload is cancelled, and add the rows of a file to them', async () => {
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    const button = buttonOn(page);
    await signInToPortal(page, await market.buyerToken('harbor'), '/portal/lists');
    await activate(page, button('New list'));
    await page.getByRole('dialog').getByLabel('Name').fill('Areas');
    await pick(page, page.getByRole('dialog').getByRole('combobox', { name: 'Holds' }), 'Zip codes');
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Create list' }));
    const input = page.locator('input[type=file]');
    await input.setInputFiles(file('one.csv', 'zip\n94110\n'));
    await activate(page, button('Upload'));
    await page.getByText('Uploaded: 1 different entry.').waitFor();

    // The first part never comes to its end.
    await page.route('**/parts', () => undefined);
    await input.setInputFiles(file('two.csv', '10001\n10002\n'));
    await activate(page, button('Upload'));
    await page.getByRole('progressbar', { name: 'Progress of the upload' }).waitFor({ state: 'attached' });
    expect(await violationsOf(page)).toEqual([]);
    await activate(page, button('Cancel upload'));
    await page.getByText('Cancelled. Nothing of the file counts.').waitFor();
    await page.getByRole('row').filter({ hasText: 'discarded' }).waitFor();
    await page.unroute('**/parts');
    await write(page, page.getByLabel('A zip code'), '94110');
    await page.keyboard.press('Enter');
    await page.getByText('It is on the list.').waitFor();

    await choose(page, page.getByRole('radio', { name: /^Add: / }));
    await activate(page, button('Upload'));
    await page.getByText('Uploaded: 2 different entries.').waitFor();
    await page.getByText('Entries', { exact: true }).first().waitFor();
    await page.locator('dd').filter({ hasText: /^3$/ }).waitFor();
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });
});
