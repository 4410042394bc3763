// The guide of an empty marketplace: by keyboard from nothing to the first confirmed delivery.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { activate, write } from '../support/browser/keyboard.ts';
import { signInToConsole } from '../support/browser/people.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const TITLE = 'Set up your marketplace';

describe.skipIf(hasNoChromium())('the guide of an empty marketplace', () => {
  let market: TestMarketplace;
  let browser: Browser;

  beforeAll(async () => {
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml: 'marketplace: { timeZone: America/Denver }' }),
      startChromium(),
    ]);
    await market.signedIn.operator('dana');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
  });

  it('opens by itself, leads to the first sale, and is resumed from the overview', async () => {
    const { page, faults } = await visit(browser, market.url);
    const heading = (name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor();
    const link = (name: string): Locator => page.locator('#main').getByRole('link', { name, exact: true });
    const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
    const step = (name: string): Locator => page.getByRole('listitem').filter({ hasText: name });
    const isNext = (name: string): Promise<void> =>
      page.locator('[aria-current=step]').filter({ hasText: name }).waitFor();
    const apply = async (): Promise<void> => {
      await activate(page, page.getByRole('button', { name: 'Review change', exact: true }));
      await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }));
    };
    const resume = async (): Promise<void> => {
      await page.goto(`${market.url}/console`);
      await page
        .getByRole('region', { name: TITLE })
        .or(page.locator('section', { hasText: TITLE }))
        .first()
        .waitFor();
      await activate(page, link('Continue'));
      await heading(TITLE);
    };

    await signInToConsole(page, 'dana');
    await heading(TITLE);
    await isNext('A partner, who buys leads');
    await looksRight(page);
    await activate(page, link('Add a partner'));
    await write(page, field('Key'), 'summit');
    await write(page, field('Name'), 'Summit');
    await write(page, field('Credit limit'), '500');
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('America/Denver');
    await apply();
    await heading('Summit');

    await resume();
    await isNext('An offer');
    await activate(page, link('Add an offer'));
    await write(page, field('Key'), 'summit-all');
    await write(page, field('Name'), 'All');
    await write(page, field('Price'), '45');
    await apply();
    await heading('All');

    await resume();
    await isNext('A supplier');
    await activate(page, link('Add a supplier'));
    await write(page, field('Key'), 'acme-media');
    await write(page, field('Name'), 'Acme Media');
    await apply();
    await heading('Acme Media');
    await activate(page, page.getByRole('button', { name: 'Issue a key', exact: true }));
    const issue = page.getByRole('dialog');
    await write(page, issue.getByLabel('Label'), 'first');
    await page.keyboard.press('Enter');
    const key = await issue.getByText(/^lms_/).innerText();
    await activate(page, page.getByRole('button', { name: 'I have stored it', exact: true }));

    await resume();
    await isNext('The first lead');
    await looksRight(page);
    const commands = await page.getByRole('region', { name: 'Commands that post a lead' }).innerText();
    const body = /-d '(?<body>\{.*\})'/s.exec(commands)?.groups?.['body'] ?? '';
    expect((await postLead(market.url, key, JSON.parse(body) as object)).status).toBe(202);
    await page.getByRole('status').getByText('Your marketplace sells leads.').waitFor();
    await step('The first confirmed delivery').getByText('done', { exact: true }).waitFor();
    await looksRight(page);
    await page.goto(`${market.url}/console`);
    await heading('Overview');
    await page.getByRole('heading', { name: 'By supplier' }).waitFor();
    expect(await link('Continue').count()).toBe(0);
    expect(faults()).toEqual([]);
  });
});
