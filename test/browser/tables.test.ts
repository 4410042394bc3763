// The lists of the portal and the console as tables: rows that wait while they are read, rows that open, and selected rows.
import { readFile } from 'node:fs/promises';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { sampleLead } from '../contract/market.ts';
import { postAsBuyer, postLead } from '../support/api-client.ts';
import { violationsOf } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { signInToConsole, signInToPortal } from '../support/browser/people.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';

describe.skipIf(hasNoChromium())('the tables in a browser', () => {
  let receiver: Receiver;
  let market: TestMarketplace;
  let browser: Browser;
  let supplierKey: string;
  let serial = 0;

  beforeAll(async () => {
    receiver = await startReceiver({ respond: () => ({ status: 200, body: '{"taken":true}' }) });
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml: betaMarketYaml(receiver), allowTargets: [receiver.origin] }),
      startChromium(),
    ]);
    supplierKey = await market.supplierKey('acme-media');
    await market.signedIn.operator('dana');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await receiver?.close();
  });

  const post = async (name: string): Promise<void> => {
    serial += 1;
    expect((await postLead(market.url, supplierKey, sampleLead(serial, { full_name: name }))).status).toBe(202);
  };
  const row = (page: Page, text: string): Locator =>
    page.locator('[data-list]').getByRole('row').filter({ hasText: text });
  /** The first cells of the rows, from top to bottom. */
  const names = async (page: Page): Promise<string[]> =>
    (await page.locator('[data-list] tbody th[scope="row"] a').allTextContents()).map((text) => text.trim());
  const isLive = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();

  it('keep rows still while they are read, and show the new ones when asked', async () => {
    const { page, context, faults } = await visit(browser, market.url);
    await signInToConsole(page, 'dana', '/console/leads');
    await isLive(page);
    await post('Avery One');
    await post('Avery Two');
    await row(page, 'Avery One').waitFor();
    await row(page, 'Avery Two').waitFor();

    await row(page, 'Avery One').hover();
    const before = await names(page);
    await post('Blake Three');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await post('Blake Four');
    const button = page.getByRole('button', { name: '2 new' });
    await button.waitFor();
    expect(await names(page)).toEqual(before);
    await button.click();
    await row(page, 'Blake Three').waitFor();
    expect(await names(page)).toEqual(expect.arrayContaining([...before, 'Blake Three', 'Blake Four']));
    await row(page, 'Blake Four').getByText('New', { exact: true }).waitFor({ state: 'attached' });

    // Nobody reads the list any more: it follows by itself.
    await page.mouse.move(5, 5);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await post('Casey Five');
    await row(page, 'Casey Five').waitFor();

    await row(page, 'Casey Five').getByRole('cell').nth(1).click();
    await page.waitForURL(/\/console\/leads\/lead_/);
    await page.getByText('Casey Five').first().waitFor();
    await context.close();
    expect(faults()).toEqual([]);
  });

  it('show each filter that is set as a button that removes it', async () => {
    const { page, context, faults } = await visit(browser, market.url);
    await page.setViewportSize({ width: 360, height: 800 });
    const from = '2024-11-01';
    await signInToConsole(page, 'dana', `/console/leads?state=routed&supplier=acme-media&from=${from}&to=2024-11-07`);
    const set = page.getByRole('group', { name: 'Filters that are set' });
    await set.getByRole('button', { name: 'Remove filter Supplier: Acme Media' }).waitFor();
    expect(await set.getByRole('button').allTextContents()).toEqual([
      'Status: Sold',
      'Supplier: Acme Media',
      'Nov 1, 2024 – Nov 7, 2024',
      'Clear all',
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByText('No saved views of this list yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Save view …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill('A view with a name that is longer than the screen of a phone is wide');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Manage views …' }).click();
    const views = page.getByRole('dialog', { name: 'Saved views of this list' });
    await views.getByRole('button', { name: /^Rename A view/ }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await views.waitFor({ state: 'detached' });
    await set.getByRole('button', { name: 'Remove filter Status: Sold' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('state') && url.searchParams.get('from') === from);
    const isFocused = (locator: Locator): Promise<boolean> =>
      locator.evaluate((element) => element === document.activeElement);
    await expect.poll(() => isFocused(set.getByRole('button').first())).toBe(true);
    await set.getByRole('button', { name: 'Clear all' }).click();
    await set.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
    expect(new URL(page.url()).search).toBe('');
    await post('Ellis Nine');
    // The pointer may be over the list, which then holds back new rows.
    await page.reload();
    await row(page, 'Ellis Nine').waitFor();
    const buttons = ['Views', 'Columns', 'Export CSV'].map((name) => page.getByRole('button', { name, exact: true }));
    const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())?.y));
    expect(tops).toEqual([tops[0], tops[0], tops[0]]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByRole('menuitem', { name: 'CSV for Excel' }).click();
    const beginning = await readFile(await (await saved).path());
    expect(beginning.subarray(0, 3).toString('hex')).toBe('efbbbf');
    await context.close();
    expect(faults()).toEqual([]);
  });

  it('are found as they were left, with filters and search, from the page of a row', async () => {
    const { page, context, faults } = await visit(browser, market.url);
    await signInToPortal(page, await market.buyerToken('summit'), '/portal/deliveries?status=Confirmed');
    await post('Frankie Eight');
    await page.getByLabel('Search', { exact: true }).fill('Frankie');
    await page.getByRole('button', { name: 'Remove filter Search: Frankie' }).waitFor();
    await row(page, 'Frankie Eight').getByText('Confirmed').waitFor();
    await row(page, 'Frankie Eight').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: /^Delivery LS-/ }).waitFor();
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page.waitForURL(/\/portal\/deliveries\?status=Confirmed$/);
    await page.getByRole('button', { name: 'Remove filter Search: Frankie' }).waitFor();
    await row(page, 'Frankie Eight').waitFor();
    await context.close();
    expect(faults()).toEqual([]);
  });

  it('move between rows by keyboard in the portal, and not after the shortcuts are turned off', async () => {
    const { page, context, faults } = await visit(browser, market.url);
    await signInToPortal(page, await market.buyerToken('summit'), '/portal/deliveries');
    await isLive(page);
    await post('Drew Six');
    await post('Drew Seven');
    await row(page, 'Drew Six').getByText('Confirmed').waitFor();
    await row(page, 'Drew Seven').getByText('Confirmed').waitFor();
    const title = page.getByRole('columnheader', { name: 'Delivered' });
    await title.and(page.locator('[aria-sort="descending"]')).waitFor();
    const newest = await names(page);
    await title.getByRole('button').click();
    await title.and(page.locator('[aria-sort="ascending"]')).waitFor();
    // The rows of the other order stay until the new ones are there.
    const region = page.getByRole('region', { name: 'Deliveries', exact: true });
    await region.and(page.locator('[aria-busy="false"]')).waitFor();
    expect(await names(page)).toEqual(newest.toReversed());
    await title.getByRole('button').click();
    await title.and(page.locator('[aria-sort="descending"]')).waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('j');
    const first = await focused();
    await page.keyboard.press('ArrowDown');
    const second = await focused();
    expect(second).not.toBe(first);
    await page.keyboard.press('k');
    expect(await focused()).toBe(first);
    await page.keyboard.press('/');
    expect(await page.getByLabel('Search', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.type('jk');
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('jk');
    await page.keyboard.press('Escape');
    await row(page, 'Drew Six').waitFor();

    await page.getByRole('button', { name: 'Disable shortcuts' }).click();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.getByRole('button', { name: 'Enable shortcuts' }).click();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Delivery LS-/ }).waitFor();
    await context.close();
    expect(faults()).toEqual([]);
  });

  it('are sorted by a click or Enter on the title of a column, which the address keeps over a reload', async () => {
    const month = await fillLists();
    const { page, context, faults } = await visit(browser, market.url);
    await signInToConsole(page, 'dana', '/console/claims');
    const idle = page.locator('[data-list] [role="region"][aria-busy="false"]');
    const rows = async (): Promise<string[]> => {
      await idle.locator('tbody th[scope="row"] a').first().waitFor();
      const links = idle.locator('tbody th[scope="row"] a');
      return links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    };
    const sortInAddress = (): string | null => new URL(page.url()).searchParams.get('sort');
    for (const [address, name, byClick, byEnter] of [
      ['claims', 'Filed', ['ascending', 'filed'], ['descending', '-filed']],
      [`invoices?month=${month}`, 'Total', ['ascending', 'total'], ['descending', '-total']],
      ['partners', 'Partner', ['descending', '-name'], ['ascending', null]],
      ['messages', 'Time', ['ascending', 'at'], ['descending', null]],
    ] as const) {
      await page.goto(`/console/${address}`);
      const title = page.locator('[data-list]').getByRole('columnheader', { name, exact: true });
      const isSorted = (direction: string): Promise<void> =>
        title.and(page.locator(`[aria-sort="${direction}"]`)).waitFor();
      await title.getByRole('button').click();
      await isSorted(byClick[0]);
      const clicked = await rows();
      expect([address, new Set(clicked).size > 1, sortInAddress()]).toEqual([address, true, byClick[1]]);
      await page.reload();
      await isSorted(byClick[0]);
      expect([address, await rows(), sortInAddress()]).toEqual([address, clicked, byClick[1]]);
      await title.getByRole('button').focus();
      await page.keyboard.press('Enter');
      await isSorted(byEnter[0]);
      expect([address, await rows(), sortInAddress()]).toEqual([address, clicked.toReversed(), byEnter[1]]);
    }
    await context.close();
    expect(faults()).toEqual([]);
  });

  /** Sells leads, each of which is claimed, and issues invoices of the last month; returns the month. */
  async function fillLists(): Promise<string> {
    const token = await market.buyerToken('summit');
    for (const name of ['Gray Ten', 'Gray Eleven', 'Gray Twelve']) {
      serial += 1;
      const posted = await postLead(market.url, supplierKey, sampleLead(serial, { full_name: name }));
      const deliveryId = await eventually(`${name} is delivered`, async () => {
        const { deliveries } = await traceOf(market.database, posted.json.lead_id as string);
        return deliveries.find(({ status }) => status === 'Confirmed')?.deliveryId ?? null;
      });
      const body = { deliveryId, reason: 'invalid_phone', proof: 'The line is dead.' };
      expect((await postAsBuyer(market.url, token, '/api/v1/buyer/returns', { body })).status).toBe(201);
    }
    const now = new Date();
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
    const month = at.toISOString().slice(0, 7);
    const charges = [
      ['summit', 9000],
      ['harbor', 4500],
      ['plain', 6000],
    ] as const;
    const transfers = charges.map(([buyerKey, amountCents]) => {
      return { businessKey: newUuid(), type: 'charge', buyerKey, amountCents, description: 'Lead Sale' } as const;
    });
    await market.database.tx((tx) => postTransfers(tx, transfers, at));
    const dana = await market.signedIn.operator('dana');
    const run = await dana.send('POST', '/console/api/invoices/run', { month, dryRun: false });
    expect(run.text).toContain('"invoices":3');
    return month;
  }
});
