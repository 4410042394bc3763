// A partner's tasks at the portal, from the first lead to the credit for a bad one, in a real browser by keyboard alone.
import { readFile } from 'node:fs/promises';

import { parse } from 'csv-parse/sync';
import type { Browser, Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { betaMarketYaml } from '../contract/beta-market.ts';
import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { activate, arrowTo, choose, followMenu, pick, tabTo, write } from '../support/browser/keyboard.ts';
import { signInToPortal } from '../support/browser/people.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

describe.skipIf(hasNoChromium())('the partner portal in a browser', () => {
  let receiver: Receiver;
  let market: TestMarketplace;
  /** A second process of the same service, API only. */
  let sibling: TestMarketplace;
  let browser: Browser;
  let summit: SignedIn;
  let token: string;
  let supplierKey: string;
  let serial = 0;

  beforeAll(async () => {
    receiver = await startReceiver({ respond: () => ({ status: 200, body: '{"taken":true}' }) });
    const yaml = betaMarketYaml(receiver);
    const allowTargets = [receiver.origin];
    [market, browser] = await Promise.all([startTestMarketplace({ yaml, allowTargets }), startChromium()]);
    sibling = await startTestMarketplace({ yaml, allowTargets, role: 'api', on: market.testDatabase });
    [summit, token, supplierKey] = await Promise.all([
      market.signedIn.buyer('summit'),
      market.buyerToken('summit'),
      market.supplierKey('acme-media'),
    ]);
  });
  afterAll(async () => {
    await closeWindows();
    await sibling?.close();
    await market?.close();
    await receiver?.close();
  });

  /** Posts a lead with a phone number of its own. */
  const post = async (more: Readonly<Record<string, unknown>> = {}): Promise<number> => {
    serial += 1;
    const { status } = await postLead(market.url, supplierKey, sampleLead(serial, more));
    expect(status).toBe(202);
    return serial;
  };
  /** A confirmed delivery. */
  const deliver = async (more: Readonly<Record<string, unknown>> = {}) => {
    const number = await post(more);
    return eventually('the lead is delivered', async () => {
      const { json } = await summit.get('/portal/api/buyer/deliveries?status=Confirmed', {
        'x-search': encodeURIComponent(`+1555${2_000_000 + number}`),
      });
      const [found] = json.data as Array<{ deliveryId: string; deliveryRef: string }>;
      return found ?? null;
    });
  };
  const arrive = async (address: string, url = market.url): Promise<Visitor> => {
    const visitor = await visit(browser, url);
    await signInToPortal(visitor.page, token, `/portal${address}`);
    await visitor.page.locator('main h1').waitFor();
    return visitor;
  };
  /** Closes the browser's context and returns the errors in it. */
  const leave = async ({ context, faults }: Visitor): Promise<string[]> => {
    await context.close();
    return faults();
  };

  it('signs in with a pasted token, shows a new lead live, finds it by phone and shows its details', async () => {
    const visitor = await visit(browser, market.url);
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/portal');
    const field = page.getByLabel('Access token or supplier key');
    await tabTo(page, field);
    await page.evaluate((text) => navigator.clipboard.writeText(text), token);
    await page.keyboard.press('ControlOrMeta+v');
    await activate(page, page.getByRole('button', { name: 'Sign in' }));
    await heading(page, 'Overview');
    expect(page.url()).not.toContain('lmb_');

    await followMenu(page, 'Deliveries');
    await page.getByText('No deliveries yet').waitFor();
    await isLive(page);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await post({ full_name: 'Sample Person', phone: '+1 (512) 555-0147' });
    await page.getByRole('status').filter({ hasText: 'New delivery: LS-' }).waitFor({ state: 'attached' });
    await row(page, 'Sample Person').getByText('New', { exact: true }).waitFor();
    await row(page, 'Sample Person').getByText('Confirmed').waitFor();
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);

    await deliver({ full_name: 'Somebody Else' });
    await row(page, 'Somebody Else').waitFor();
    await page.keyboard.press('/');
    await write(page, page.getByLabel('Search', { exact: true }), '512.555.0147');
    await row(page, 'Somebody Else').waitFor({ state: 'detached' });
    await activate(page, row(page, 'Sample Person').getByRole('link', { name: 'Sample Person' }));

    await heading(page, /^Delivery LS-/);
    // The first digits of the year.
    await fact(page, 'Delivered', '20');
    await fact(page, 'Confirmed', '20');
    await fact(page, 'Name', 'Sample Person');
    await fact(page, 'Phone', '+1 512 555 0147');
    await fact(page, 'Debt amount', '$24,500.00');
    await fact(page, 'Consent to calls', 'given');
    await fact(page, 'Form', 'https://forms.example.com/debt?utm_source=search');
    await section(page, 'Timeline').getByText('Routed to you', { exact: true }).waitFor();
    await section(page, 'Timeline').getByText('Confirmed', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Attempts, newest first' }).getByText('succeeded').waitFor();
    await page.goBack();
    await row(page, 'Sample Person').waitFor();
    // The search is kept in the browser's history, not in the URL, which proxies log.
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('512.555.0147');
    expect(page.url()).not.toContain('512');
    expect(await leave(visitor)).toEqual([]);
  });

  it('shows a lead live that another process of the service received', async () => {
    const visitor = await arrive('/deliveries', sibling.url);
    await isLive(visitor.page);
    await visitor.page
      .getByRole('table', { name: 'Deliveries' })
      .or(visitor.page.getByText('No deliveries yet'))
      .waitFor();
    await post({ full_name: 'Far Away' });
    await row(visitor.page, 'Far Away').getByText('Confirmed').waitFor();
    expect(await leave(visitor)).toEqual([]);
  });

  it('sends a test to the webhook and shows the signed request and the response', async () => {
    const visitor = await arrive('/settings');
    const { page } = visitor;
    const before = receiver.requests.length;
    await activate(page, page.getByRole('button', { name: 'Send test' }));
    await page.getByText('Your endpoint accepted the test').waitFor();
    await fact(page, 'Response code', '200');
    const response = page.getByRole('region', { name: 'the response', exact: true });
    expect(await response.textContent()).toBe('{"taken":true}');
    const shown = (await page.getByRole('region', { name: 'the request', exact: true }).textContent()) ?? '';
    const [sent] = receiver.requests.slice(before);
    if (sent === undefined) throw new Error('nothing was received');
    const headers = Object.fromEntries(
      Object.entries(sent.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    const secret = await market.secretOf('summit');
    expect(new Webhook(secret).verify(sent.body, headers)).toMatchObject({ type: 'lead.test', data: { test: true } });
    expect(shown).toContain(`webhook-signature: ${headers['webhook-signature']}`);
    expect(shown).toContain('"type": "lead.test"');
    await page.getByRole('table', { name: 'The latest attempts' }).getByText('Test', { exact: true }).waitFor();
    expect(await leave(visitor)).toEqual([]);
  });

  it('files a return, and shows the decision and the credit live on the delivery, the claims and the billing', async () => {
    const { deliveryId, deliveryRef } = await deliver();
    const visitor = await arrive(`/deliveries/${deliveryId}`);
    const { page, context } = visitor;
    const filing = section(page, 'Return or dispute');
    await filing.getByText(/^Cap: 0 of 3 returns of leads of \w+ \d{4} used, 3 left$/).waitFor();
    await filing
      .getByText(/^Until .+ \(in \d+ days\)$/)
      .first()
      .waitFor();
    await activate(page, page.getByRole('button', { name: 'File a return' }));
    const form = page.getByRole('form', { name: 'File a return' });
    await form.getByText(/^Until .+3 of 3 left of the monthly cap\./).waitFor();
    // A missing value is reported at its field.
    await activate(page, form.getByRole('button', { name: 'File return' }));
    await form.getByText('Choose a reason.').waitFor();
    await choose(page, form.getByRole('radio', { name: 'Disconnected or invalid phone' }));
    await write(page, form.getByLabel('Proof'), 'Called three times: the number is not in service.');
    await activate(page, form.getByRole('button', { name: 'File return' }));
    await page.getByRole('heading', { name: 'Return: submitted' }).waitFor();
    // Neither can be filed now, and the claim says enough.
    await filing.getByText('Cap: ').waitFor({ state: 'detached' });

    // In three windows at once.
    const [claims, billing] = [await context.newPage(), await context.newPage()];
    await Promise.all([claims.goto('/portal/claims'), billing.goto('/portal/billing')]);
    const claimRow = row(claims, `Return of ${deliveryRef}`);
    await claimRow.getByText('submitted').waitFor();
    const entries = billing.getByRole('table', { name: 'Ledger entries' });
    await entries.getByText('Charge').first().waitFor();
    await Promise.all([page, claims, billing].map((each) => isLive(each)));
    const href = await page.getByRole('link', { name: 'Open the return' }).getAttribute('href');
    const operator = await market.signedIn.operator();
    const approved = await operator.send('POST', `/console/api/claims/${href?.split('/').at(-1)}/approve`, {
      note: 'The number is dead indeed.',
    });
    expect([approved.status, approved.text]).toEqual([200, expect.any(String)]);

    await page.getByRole('heading', { name: 'Return: approved' }).waitFor();
    await fact(page, 'Decision note', 'The number is dead indeed.');
    await fact(page, 'Credit', '$45.00');
    await section(page, 'Delivery').getByText('Returned', { exact: true }).waitFor();
    await section(page, 'Timeline').getByText('Credited', { exact: true }).waitFor();
    await claimRow.getByText('approved').waitFor();
    // The price, and then the credit.
    await claimRow.getByText('$45.00').nth(1).waitFor();
    await row(billing, 'Credit').getByText('$45.00', { exact: true }).waitFor();

    await billing.bringToFront();
    await activate(billing, row(billing, 'Credit').getByRole('link', { name: 'Return', exact: true }));
    await heading(billing, `Return of ${deliveryRef}`);
    await fact(billing, 'Status', 'approved');
    expect(await leave(visitor)).toEqual([]);
  });

  it('keeps the filters after a reload and on the way back, and exports the filtered rows as CSV', async () => {
    const { deliveryId, deliveryRef } = await deliver({ full_name: 'Quick "Fox", Jr' });
    const visitor = await arrive('/deliveries');
    const { page } = visitor;
    await pick(page, page.getByRole('combobox', { name: 'Status' }), 'Confirmed');
    await page.waitForURL(/status=Confirmed/);
    await write(page, page.getByLabel('Search', { exact: true }), 'fox');
    await page.getByRole('button', { name: 'Export all fields (1)' }).waitFor();
    expect(page.url()).not.toContain('fox');
    await row(page, deliveryRef).waitFor();
    await page.reload();
    await row(page, deliveryRef).waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Confirmed');
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('fox');
    await pick(page, page.getByRole('combobox', { name: 'Status' }), 'Failed');
    await page.getByText('No deliveries match').waitFor();
    await page.goBack();
    await row(page, deliveryRef).waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Confirmed');

    // The file has exactly the rows of the list, and its name says which.
    await deliver({ full_name: 'Not In The File' });
    await tabTo(page, page.getByRole('button', { name: 'Export all fields (1)' }));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^deliveries_until_[\d-]+_confirmed_search_1-rows\.csv$/);
    await page.getByText('1 delivery, Confirmed, search “fox”').waitFor();
    const rows = parse(await readFile(await download.path(), 'utf8'), { columns: true }) as Record<string, string>[];
    expect(rows).toEqual([
      expect.objectContaining({
        ...{ deliveryId, deliveryRef, status: 'Confirmed' },
        ...{ payout: '45.00', fullName: 'Quick "Fox", Jr', state: 'CA' },
      }),
    ]);
    expect(await leave(visitor)).toEqual([]);
  });

  it('shows an error with a way to retry for an unknown address and for a failing service', async () => {
    const { deliveryRef } = await deliver();
    const visitor = await arrive('/deliveries/dlv_01m7wyk0h2emp81qch4dvtyn6a');
    const { page } = visitor;
    await page.getByText('Delivery not found').waitFor();
    let isDown = true;
    await page.route('**/portal/api/buyer/deliveries?*', async (route) => {
      if (!isDown) return route.continue();
      return route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        json: { status: 500, code: 'internal_error', detail: 'Something broke here.', requestId: 'req_broken' },
      });
    });
    await activate(page, page.getByRole('link', { name: 'All deliveries' }));
    const alert = page.getByRole('alert');
    await alert.getByText('This could not be loaded').waitFor();
    await alert.getByText('Something broke here.').waitFor();
    await alert.getByText('req_broken').waitFor();
    expect(visitor.faults().filter((fault) => !fault.includes('status of 500'))).toEqual([]);
    isDown = false;
    await activate(page, alert.getByRole('button', { name: 'Try again' }));
    await row(page, deliveryRef).waitFor();
    expect(await alert.count()).toBe(0);
    expect(await leave(visitor)).toEqual([]);
  });

  it('asks before the webhook URL is cleared, then says why no leads come and links to the fix', async () => {
    const visitor = await arrive('/settings');
    const { page } = visitor;
    const url = page.getByLabel('Webhook URL');
    const address = await url.inputValue();
    const save = page.getByRole('form', { name: 'Webhook settings' }).getByRole('button', { name: 'Save' });
    await write(page, url, '');
    await activate(page, save);
    const question = page.getByRole('dialog', { name: 'Stop receiving leads?' });
    await question.getByText(/Without it, \d active offers? stops? receiving leads at once/).waitFor();
    await tabTo(page, question.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect((await summit.get('/portal/api/v1/buyer/account')).json.webhookUrl).toBe(address);

    await activate(page, save);
    await question.getByRole('button', { name: 'Stop receiving leads' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/receives? no leads$/).waitFor();
    await page.getByText('Nowhere to deliver: no webhook URL is set').waitFor();
    await followMenu(page, 'Overview');
    await heading(page, 'Overview');
    await page.getByText('no delivery address').first().waitFor();
    await activate(page, page.getByRole('link', { name: 'Set it under Settings' }));
    await heading(page, 'Settings');
    await write(page, url, address);
    await activate(page, save);
    await page.getByText(/receives? no leads$/).waitFor({ state: 'detached' });
    expect(await leave(visitor)).toEqual([]);
  });

  it('shows an outage on every page and width, and recovers without a reload', async () => {
    const visitor = await arrive('/claims');
    const { page, context } = visitor;
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await context.setOffline(true);
    // Its code cannot be loaded now; or, if it was fetched ahead already, its content.
    await followMenu(page, 'Billing');
    const missing = page
      .getByText('This part of the page could not be loaded')
      .or(page.getByText('This could not be loaded'))
      .first();
    await missing.waitFor();
    const banner = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
    await banner.waitFor();
    await followMenu(page, 'Claims');
    await heading(page, 'Claims');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await banner.isVisible()).toBe(true);
    await banner.getByText('This page shows the state of').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1280, height: 900 });
    await followMenu(page, 'Billing');
    await missing.waitFor();
    await context.setOffline(false);
    await heading(page, 'Billing');
    await banner.waitFor({ state: 'detached' });
    await isLive(page);
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    expect((await leave(visitor)).filter((fault) => !fault.includes('net::ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  it('shows, copies and rotates the signing secret', async () => {
    const visitor = await arrive('/settings');
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const secret = await market.secretOf('summit');
    expect(await page.content()).not.toContain(secret);
    await activate(page, page.getByRole('button', { name: 'Show secret' }));
    await page.getByText(secret, { exact: true }).waitFor();
    await activate(page, page.getByRole('button', { name: 'Copy the secret' }));
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);

    await activate(page, page.getByRole('button', { name: 'Rotate secret' }));
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret?' });
    await dialog.getByText(/For 24 hours each message has a second signature/).waitFor();
    await activate(page, dialog.getByRole('button', { name: 'Rotate secret' }));
    await page.getByText(/^Until .+ messages are also signed with the previous secret:$/).waitFor();
    const next = await market.secretOf('summit');
    expect(next).not.toBe(secret);
    for (const text of [next, secret]) await page.getByText(text, { exact: true }).waitFor();
    await page.getByText(`ends in ${next.slice(-6)}`).waitFor();
    expect(await leave(visitor)).toEqual([]);
  });

  it('keeps the dark theme, skips to the main content, and signs out', async () => {
    const visitor = await arrive('');
    const { page } = visitor;
    const scheme = (name: string): Locator => page.locator(`html[data-mantine-color-scheme="${name}"]`);
    await scheme('light').waitFor();
    const account = page.getByRole('button', { name: /account and theme/ });
    await activate(page, account);
    await arrowTo(page, page.getByRole('menuitemradio', { name: 'Dark theme' }));
    await page.keyboard.press('Enter');
    await scheme('dark').waitFor();
    await page.reload();
    await scheme('dark').waitFor();
    await heading(page, 'Overview');
    await activate(page, page.getByRole('link', { name: 'Skip to main content' }));
    await page.locator('main:focus').waitFor();
    await activate(page, account);
    await arrowTo(page, page.getByRole('menuitem', { name: 'Sign out' }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Access token or supplier key').waitFor();
    await page.goBack();
    await page.getByLabel('Access token or supplier key').waitFor();
    expect(await leave(visitor)).toEqual([]);
  });
});

async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Waits until live updates are connected. */
async function isLive(page: Page): Promise<void> {
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
}

function row(page: Page, words: string): Locator {
  return page.getByRole('row').filter({ hasText: words });
}

function section(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
}

/** Waits until the fact has this value. */
async function fact(page: Page, name: string, value: string): Promise<void> {
  const definition = page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').and(page.getByText(name, { exact: true })) });
  await definition.getByRole('definition').filter({ hasText: value }).first().waitFor();
}
