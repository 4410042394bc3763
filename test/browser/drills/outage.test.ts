// The service is killed under open pages of its three applications, one on a phone. Meanwhile contents are gray and pages that were never opened
// still open; when it is back at the same address, everything resumes without a reload.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startBalancer } from '../../support/browser/another-release.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../../support/browser/chromium.ts';
import { createDemoDatabase, type DemoDatabase } from '../../support/demo-database.ts';
import { killServers, type ServerProcess, startServer } from '../../support/server-process.ts';

/** The line of the server's output with the link, a page to open meanwhile, and a part of the name of the last script that is fetched ahead. */
const APPLICATIONS = [
  { who: 'a partner', link: 'Portal', to: 'Claims', last: 'audit-log-', phone: false },
  { who: 'a supplier', link: 'Supplier portal', to: 'Submissions', last: 'keys-', phone: true },
  { who: 'an operator', link: 'Console', to: 'Claims', last: 'access-', phone: false },
] as const;

describe.skipIf(hasNoChromium())('an outage of the service', () => {
  let database: DemoDatabase;
  let server: ServerProcess;
  /** Keeps the address while the service is down: nothing else can take its port. */
  let balancer: Awaited<ReturnType<typeof startBalancer>>;
  let browser: Browser;

  beforeAll(async () => {
    database = await createDemoDatabase();
    [server, browser] = await Promise.all([startServer({ DATABASE_URL: database.url, DEMO: 'on' }), startChromium()]);
    balancer = await startBalancer(() => server.url);
  });
  afterAll(async () => {
    await closeWindows();
    balancer?.close();
    await killServers();
    await database?.drop();
  });

  it('leaves no page without its stylesheet', async () => {
    const { page, context } = await visit(browser, balancer.url);
    const stylesheet = '**/where-and-when-*.css';
    await page.route(stylesheet, (route) => route.abort());
    await page.goto(database.printed('Console', balancer.url));
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/where-and-when-'));
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Where and when' }).click();
    await failed;
    await page.getByText('This part of the page could not be loaded').first().waitFor();
    await page.unroute(stylesheet);
    const map = page.getByText('AK', { exact: true }).first().locator('xpath=../..');
    expect(await map.evaluate((element) => getComputedStyle(element).display)).toBe('grid');
    await context.close();
  });

  it('grays open pages, opens others, and ends without a reload', async () => {
    const opened = await Promise.all(
      APPLICATIONS.map(async ({ link, last, phone }) => {
        const visitor = await visit(browser, balancer.url, phone ? { width: 390, height: 844 } : {});
        await visitor.page.goto(database.printed(link, balancer.url));
        await visitor.page.locator('main h1').waitFor();
        await visitor.page.waitForFunction(
          (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/${name}`)),
          last,
        );
        await visitor.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
        return visitor;
      }),
    );
    expect(opened.flatMap(({ faults }) => faults())).toEqual([]);
    server.signal('SIGKILL');
    await server.ended;

    for (const visitor of opened) {
      await bannerOf(visitor).waitFor();
      await visitor.page.locator('[data-stale]').waitFor();
    }
    for (const [index, { to, phone }] of APPLICATIONS.entries()) {
      const visitor = opened[index];
      if (visitor === undefined) throw new Error('a page is missing');
      if (phone) await visitor.page.getByRole('button', { name: 'Open menu' }).click();
      await visitor.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: to }).click();
      await visitor.page.getByRole('heading', { level: 1, name: to }).waitFor();
      expect(await bannerOf(visitor).isVisible()).toBe(true);
      expect(await visitor.page.getByText('This part of the page could not be loaded').count()).toBe(0);
    }

    server = await startServer({ DATABASE_URL: database.url, DEMO: 'on' });
    for (const [index, { to, who }] of APPLICATIONS.entries()) {
      const visitor = opened[index];
      if (visitor === undefined) throw new Error('a page is missing');
      const { page } = visitor;
      await bannerOf(visitor).waitFor({ state: 'detached' });
      await page.locator('[data-stale]').waitFor({ state: 'detached' });
      await page
        .getByRole('table', { name: new RegExp(to) })
        .or(page.getByText(/^No /))
        .first()
        .waitFor();
      expect([who, await page.evaluate(() => 'isSamePage' in globalThis)]).toEqual([who, true]);
      expect(visitor.faults().filter((fault) => !fault.includes('net::ERR_'))).toEqual([]);
      await visitor.context.close();
    }
  });
});

function bannerOf({ page }: Visitor): Locator {
  // A list that could not be loaded meanwhile says the same.
  return page.locator('[data-outage]');
}
