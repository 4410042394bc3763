// An update of the service under an open page: some responses come from a process of another release, and lack a member that the page needs.
import type { APIResponse, Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { betaMarketYaml } from '../../contract/beta-market.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../../support/browser/chromium.ts';
import { signInToConsole } from '../../support/browser/people.ts';
import { startTestMarketplace, type TestMarketplace } from '../../support/marketplace.ts';

const OTHER_RELEASE = { 'x-pages-release': '0123456789abcdef' };

describe.skipIf(hasNoChromium())('an update of the service', () => {
  let market: TestMarketplace;
  let browser: Browser;

  beforeAll(async () => {
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml: betaMarketYaml({ origin: 'https://crm.example' }) }),
      startChromium(),
    ]);
    await market.signedIn.operator('dana');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
  });

  const menuLink = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
  const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in globalThis);

  /** Headers that are undefined are left out. */
  const headersWith = (response: APIResponse, others: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      Object.entries({ ...response.headers(), ...others }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );

  /** All responses until the document is loaded anew, but those of the stream, which never ends. */
  const respondAsOther = (page: Page, onResponse: () => unknown = () => undefined) => {
    let isOther = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOther = false;
    });
    return page.route('**/console/api/**', async (route) => {
      if (!isOther || route.request().url().endsWith('/stream')) return route.continue();
      const response = await route.fetch();
      onResponse();
      return route.fulfill({ response, headers: { ...response.headers(), ...OTHER_RELEASE } });
    });
  };

  it.each([
    ['another release', OTHER_RELEASE],
    ['a release that does not name itself', { 'x-pages-release': undefined }],
  ])('is said by a page that cannot show a response of %s, and the page recovers by itself', async (_, release) => {
    const { page, context } = await visit(browser, market.url);
    await signInToConsole(page, 'dana', '/console/messages');
    await mark(page);
    let isOther = true;
    let others = 0;
    await page.route('**/console/api/replays', async (route) => {
      const response = await route.fetch();
      if (!isOther) return route.fulfill({ response });
      others += 1;
      return route.fulfill({ response, headers: headersWith(response, release), json: {} });
    });
    await page.getByRole('link', { name: 'Replay deliveries' }).click();
    const title = page.getByText('The marketplace is being updated');
    await title.waitFor();
    expect(await page.getByText('This page tries again by itself.').isVisible()).toBe(true);
    await expect.poll(() => others).toBeGreaterThan(2);
    isOther = false;
    await page.getByText('No replays yet').waitFor();
    expect([await title.count(), await isSamePage(page)]).toEqual([0, true]);
    await context.close();
  });

  it('lets a page ask again for what another release does not know', async () => {
    const { page, context } = await visit(browser, market.url);
    await signInToConsole(page, 'dana', '/console/messages');
    let refused = 0;
    await page.route('**/console/api/replays', async (route) => {
      if (refused === 2) return route.continue();
      refused += 1;
      const json = { code: 'not_found', title: 'Not found', status: 404 };
      return route.fulfill({ status: 404, headers: OTHER_RELEASE, json });
    });
    await page.getByRole('link', { name: 'Replay deliveries' }).click();
    await page.getByText('No replays yet').waitFor();
    expect(refused).toBe(2);
    await context.close();
  });

  it('loads a page anew that cannot show the responses when only another release responds', async () => {
    const { page, context } = await visit(browser, market.url);
    await signInToConsole(page, 'dana', '/console/messages');
    await mark(page);
    await respondAsOther(page);
    await page.route('**/console/api/replays', async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, headers: { ...response.headers(), ...OTHER_RELEASE }, json: {} });
    });
    await page.getByRole('link', { name: 'Replay deliveries' }).click();
    await page.getByText('The marketplace is being updated').waitFor();
    await page.waitForEvent('load');
    expect(await isSamePage(page)).toBe(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await page.getByText('No replays yet').waitFor();
    await context.close();
  });

  it('loads a page anew at the next entry of the menu when only another release responds, and not before', async () => {
    const { page, context, faults } = await visit(browser, market.url);
    await signInToConsole(page, 'dana', '/console/leads');
    await mark(page);
    let others = 0;
    await respondAsOther(page, () => (others += 1));
    const search = page.getByPlaceholder('Id, phone, email or name');
    // Each new search is a request.
    for (let round = 0; others < 12; round += 1) {
      const before = others;
      await search.fill(`avery ${round}`);
      await expect.poll(() => others).toBeGreaterThan(before);
    }
    expect([await isSamePage(page), await search.inputValue()]).toEqual([true, expect.stringContaining('avery')]);
    await menuLink(page, 'Claims').click();
    await page.getByRole('heading', { level: 1, name: 'Claims' }).waitFor();
    expect(await isSamePage(page)).toBe(false);
    await mark(page);
    await menuLink(page, 'Leads').click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    expect([await isSamePage(page), faults()]).toEqual([true, []]);
    await context.close();
  });
});
