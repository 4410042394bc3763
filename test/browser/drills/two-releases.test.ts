// Two releases of the service behind one balancer, as during an upgrade: a process responds with 404 for the scripts of the other release.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { makeAnotherRelease, OTHER_RELEASE, startBalancer } from '../../support/browser/another-release.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../../support/browser/chromium.ts';
import { createDemoDatabase, type DemoDatabase } from '../../support/demo-database.ts';
import { killServers, type ServerProcess, startServer } from '../../support/server-process.ts';

describe.skipIf(hasNoChromium())('two releases behind one balancer', () => {
  let database: DemoDatabase;
  let folder: string;
  let older: ServerProcess;
  let newer: ServerProcess;
  let balancer: Awaited<ReturnType<typeof startBalancer>>;
  let browser: Browser;
  let serverFor: (path: string) => ServerProcess;

  beforeAll(async () => {
    database = await createDemoDatabase();
    folder = makeAnotherRelease();
    const env = { DATABASE_URL: database.url, DEMO: 'on' };
    [older, newer, browser] = await Promise.all([
      startServer(env),
      startServer(env, { program: join(folder, 'bin/leadmarket') }),
      startChromium(),
    ]);
    balancer = await startBalancer((path) => serverFor(path).url);
  });
  // The parts of two pages are asked of the process that lacks them. One that lacks a part ends the loading of all others.
  beforeEach(() => {
    serverFor = (path) => (/^\/assets\/(?:endpoints|payouts)-/.test(path) ? newer : older);
  });
  afterAll(async () => {
    await closeWindows();
    balancer?.close();
    await killServers();
    await database?.drop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const linkOf = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
  const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const releaseOf = (page: Page) => page.locator('meta[name=release]').getAttribute('content');

  /** An operator; `loads` counts how often the document was loaded since. */
  async function visitConsole(): Promise<Visitor & { readonly loads: () => number }> {
    const visitor = await visit(browser, balancer.url);
    const { page } = visitor;
    await page.goto(database.printed('Console', balancer.url));
    await headingOf(page, 'Overview').waitFor();
    let loads = 0;
    page.on('load', () => (loads += 1));
    return { ...visitor, loads: () => loads };
  }

  it('let a page load its parts from the process that has them', async () => {
    const { page, context, loads } = await visitConsole();
    await linkOf(page, 'Endpoints').click();
    await page.getByText('This part of the page could not be loaded').first().waitFor();
    serverFor = () => older;
    await headingOf(page, 'Endpoints').waitFor();
    expect(loads()).toBe(0);
    await context.close();
  });

  it('let a page load anew when its release is gone', async () => {
    const { page, context, loads } = await visitConsole();
    serverFor = () => newer;
    await linkOf(page, 'Payouts').click();
    await page.getByText('This part of the page could not be loaded').first().waitFor();
    await headingOf(page, 'Payouts').waitFor();
    expect([await releaseOf(page), loads()]).toEqual([OTHER_RELEASE, 1]);
    await context.close();
  });

  it('do not let a page load anew over and over for a part that is nowhere', async () => {
    const { page, context, loads } = await visitConsole();
    let asked = 0;
    page.on('response', (response) => {
      if (response.url().includes('/assets/payouts-') && response.status() === 404) asked += 1;
    });
    await linkOf(page, 'Payouts').click();
    await expect.poll(() => loads()).toBe(1);
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThanOrEqual(before + 6);
    await page.getByText('This part of the page could not be loaded').first().waitFor();
    const sixth = asked;
    // By hand it asks again, and loads nothing anew.
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => asked).toBeGreaterThan(sixth);
    expect(loads()).toBe(1);
    await context.close();
  });
});
