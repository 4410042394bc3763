// The process that serves an open page freezes: requests end by themselves, dialogs can be left, and what was sent takes effect once.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../../support/browser/chromium.ts';
import { createDemoDatabase, type DemoDatabase } from '../../support/demo-database.ts';
import { killServers, type ServerProcess, startServer } from '../../support/server-process.ts';

describe.skipIf(hasNoChromium())('a frozen process', () => {
  let database: DemoDatabase;
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    database = await createDemoDatabase();
    [server, browser] = await Promise.all([startServer({ DATABASE_URL: database.url, DEMO: 'on' }), startChromium()]);
  });
  afterEach(() => server?.signal('SIGCONT'));
  afterAll(async () => {
    await closeWindows();
    await killServers();
    await database?.drop();
  });

  /** An operator, on whose page time can be moved. */
  const visitConsole = async (path: string): Promise<Visitor> => {
    const visitor = await visit(browser, server.url);
    const { page } = visitor;
    await page.clock.install();
    await page.goto(database.printed('Console', server.url));
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
    await page.goto(`/console${path}`);
    return visitor;
  };

  it('does not keep a page waiting, and is an outage', async () => {
    const { page, context } = await visitConsole('/leads');
    await page.getByRole('table', { name: /^Leads/ }).waitFor();
    server.signal('SIGSTOP');
    const search = page.getByPlaceholder('Id, phone, email or name');
    const sent = page.waitForRequest(/\/console\/api\/leads/);
    await search.fill('nobody@example.com');
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/console/api/leads'));
    await sent;
    await page.clock.fastForward(9000);
    await page.locator('[data-outage]').waitFor();
    await page.clock.fastForward(31_000);
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
    server.signal('SIGCONT');
    await page.locator('[data-outage]').waitFor({ state: 'detached' });
    await page.getByText('No leads match').waitFor();
    await context.close();
  });

  it('lets an operator stop the decision of several claims, and says what became of each', async () => {
    const { page, context } = await visitConsole('/claims');
    const boxes = page.locator('tbody').getByRole('checkbox');
    await boxes.nth(1).waitFor();
    for (const box of await boxes.all()) await box.check();
    await page.getByRole('button', { name: 'Approve selected' }).click();
    const dialog = page.getByRole('dialog');
    const approve = dialog.getByRole('button', { name: 'Approve' });
    await approve.and(page.locator(':focus')).waitFor();
    server.signal('SIGSTOP');
    const keys: Array<string | null> = [];
    page.on('request', async (request) => {
      if (request.url().endsWith('/approve')) keys.push(await request.headerValue('idempotency-key'));
    });
    await page.keyboard.press('Enter');
    await dialog.getByText('0 of 2 …').waitFor();
    await page.clock.fastForward(31_000);
    await dialog.getByText('The work stopped after 0 of 2 claims').waitFor();
    await dialog
      .getByText(
        'The service did not respond in time. The change may have been made or not. You can try again: no change is made twice.',
      )
      .waitFor();
    await approve.click();
    await dialog.getByText('0 of 2 …').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText('0 claims approved.').waitFor();
    const notDecided = dialog.getByRole('list', { name: 'Claims that were not decided' }).getByRole('listitem');
    await expect
      .poll(() => notDecided.allInnerTexts())
      .toEqual([
        expect.stringContaining('No response. It may have been approved or not: look at the claim.'),
        expect.stringContaining('Not approved, because the work was stopped.'),
      ]);
    server.signal('SIGCONT');
    await dialog.getByText(/^1 claim approved, \$\d+\.00 credited\.$/).waitFor();
    await expect.poll(() => notDecided.allInnerTexts()).toEqual([expect.stringContaining('Not approved')]);
    // The same command twice, and nothing for the other claim.
    expect(new Set(keys).size).toBe(1);
    await dialog.getByRole('button', { name: 'Back to claims' }).click();
    await page.locator('h1:focus').waitFor();
    await expect.poll(() => boxes.count()).toBe(1);
    await context.close();
  });
});
