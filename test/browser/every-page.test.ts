// Every page of the demo: no WCAG 2.2 AA violations and no faint text in either color scheme, no overflow on a phone, a tablet and desks, no
// errors.
import { readFileSync } from 'node:fs';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { violationsOf } from '../support/browser/axe.ts';
import { faintTexts } from '../support/browser/contrast.ts';
import { hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killServers, type ServerProcess, startServer } from '../support/server-process.ts';

/** A phone, a tablet, and the two usual desks. */
const WIDTHS = [360, 768, 1280, 1440];
const DESK = { width: 1280, height: 900 };
/** The console has forty pages, each looked at in two schemes and four widths; a busy machine takes ten minutes. */
const LONG = { timeout: 1_500_000 };

/** The pages of one application; those with an id get it from a list of the service. */
type Way = {
  readonly who: string;
  readonly link: string;
  readonly base: '/portal' | '/console';
  readonly plain: readonly string[];
  /** The list's path, the member with the id, and the path of the page. */
  readonly about: ReadonlyArray<readonly [list: string, member: string, address: string]>;
};

const ways: readonly Way[] = [
  {
    who: 'a partner',
    link: 'Portal',
    base: '/portal',
    plain: [
      '',
      '/deliveries',
      '/claims',
      '/billing',
      '/reports',
      '/reports?by=month,offer&measures=revenue,deliveries&compare=previous&span=this-year&state=TX',
      '/notices',
      '/notices?tab=settings',
      '/settings',
      '/settings/sheets',
      '/settings/webhook-format',
      '/lists',
      '/users',
      '/tokens',
      '/audit-log',
      '/nowhere',
    ],
    about: [
      ['/api/v1/buyer/leads', 'deliveryId', '/deliveries/'],
      ['/api/v1/buyer/returns', 'returnId', '/claims/'],
    ],
  },
  {
    who: 'a supplier',
    link: 'Supplier portal',
    base: '/portal',
    plain: [
      '/supply',
      '/supply/submissions',
      '/supply/earnings',
      '/supply/statements',
      '/supply/reports',
      '/supply/specification',
      '/supply/test-lead',
      '/supply/notices',
      '/supply/notices?tab=settings',
      '/supply/users',
      '/supply/keys',
    ],
    about: [['/api/supplier/submissions', 'leadId', '/supply/submissions/']],
  },
  {
    who: 'an operator',
    link: 'Console',
    base: '/console',
    plain: [
      '',
      '/reports',
      '/reports?by=day,supplier&measures=margin,sellThrough,medianSeconds&compare=previous&span=days&from=2026-11-01',
      '/where-and-when',
      '/where-and-when?show=unsoldShare&from=2026-01-01',
      '/health',
      '/leads',
      '/claims',
      '/partners',
      '/partners/new',
      '/suppliers',
      '/suppliers/new',
      '/endpoints',
      '/messages',
      '/messages/replay',
      '/jobs',
      '/simulation',
      '/ledger',
      '/invoices',
      '/statements',
      '/payouts',
      '/payments',
      '/notices',
      '/notices?tab=settings',
      '/lists',
      '/lists/new',
      '/partners/summit?tab=webhook',
      '/partners/summit?tab=users',
      '/suppliers/acme-media?tab=users',
      '/partners/summit/offers/summit-west',
      '/marketplace',
      '/verticals',
      '/verticals/new',
      '/audit-log',
      '/erasure',
      '/operators',
      '/access',
    ],
    about: [
      ['/api/leads', 'leadId', '/leads/'],
      ['/api/messages', 'attemptId', '/messages/'],
      ['/api/claims', 'id', '/claims/'],
      ['/api/partners', 'key', '/partners/'],
      ['/api/suppliers', 'key', '/suppliers/'],
    ],
  },
];

describe.skipIf(hasNoChromium())('the pages of the demo', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    database = await createTestDatabase();
    [server, browser] = await Promise.all([startServer({ DATABASE_URL: database.url, DEMO: 'on' }), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await killServers();
    await database?.drop();
  });

  const linkOf = (name: string): string => {
    const found = new RegExp(`^${name} {2}(\\S+)$`, 'm').exec(server.output());
    if (found?.[1] === undefined) throw new Error(`the server printed no line ${name}`);
    return found[1];
  };

  it.each(ways)(
    'are accessible, fit a phone and show no errors for $who',
    LONG,
    async ({ link, base, plain, about }) => {
      const visitor = await visit(browser, server.url, DESK);
      const { page } = visitor;
      await page.goto(linkOf(link));
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      // The secret must not stay in the URL or the history.
      expect(page.url()).not.toContain('#');
      const addresses = [...plain];
      for (const [list, member, address] of about)
        addresses.push(address + (await firstOf(visitor, base + list, member)));
      const found: string[] = [];
      for (const address of addresses) found.push(...(await faultsAt(visitor, base + address)));
      expect(found).toEqual([]);
      await visitor.context.close();
    },
  );

  it('answer a report that is sorted, saved and downloaded by keyboard alone', async () => {
    const visitor = await visit(browser, server.url, DESK);
    const { page } = visitor;
    await page.goto(linkOf('Console'));
    await page
      .getByRole('table', { name: 'Funnel' })
      .getByRole('link', { name: / rejected$/ })
      .press('Enter');
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor();
    expect(page.url()).toContain('state=invalid&from=');
    await page.goBack();
    await page.getByRole('link', { name: 'Open report by supplier' }).press('Enter');
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    const heading = page.getByRole('columnheader', { name: 'Revenue', exact: true });
    await heading.getByRole('button').press('Enter');
    await page.locator('th[aria-sort="descending"]').waitFor();
    expect(page.url()).toContain('sort=-revenue');
    const shown = await page
      .getByRole('table', { name: 'Report', exact: true })
      .getByRole('rowheader')
      .allTextContents();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
    const [, ...lines] = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n');
    // The file has keys, as programs need them; the page has names.
    const { names } = (await (await page.request.get('/console/api/reports?by=supplier&measures=revenue')).json()) as {
      names: { supplier: Record<string, string> };
    };
    expect(['Total', ...lines.map((line) => names.supplier[line.split(',')[0] ?? ''])]).toEqual(shown);
    await page.getByRole('button', { name: 'Save this view' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Suppliers by revenue');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('link', { name: 'Margin by supplier this month' }).press('Enter');
    await page.getByRole('link', { name: 'Suppliers by revenue' }).press('Enter');
    await page.locator('th[aria-sort="descending"]').waitFor();
    expect(page.url()).toContain('sort=-revenue');
    expect(await looksOf(visitor, 'a saved view')).toEqual([]);
    await visitor.context.close();
  });

  it('ask before a link switches the account', async () => {
    const visitor = await visit(browser, server.url, DESK);
    const { page } = visitor;
    await page.goto(linkOf('Portal'));
    // The sign-in form contains the portal's name as well.
    await page.getByRole('link', { name: 'Deliveries' }).first().waitFor();
    await page.goto('about:blank');
    await page.goto(linkOf('Supplier portal'));
    await page.getByRole('heading', { name: 'Switch account?' }).waitFor();
    expect(page.url()).not.toContain('#');
    expect(await looksOf(visitor, 'switching')).toEqual([]);
    await page.getByRole('button', { name: /^Stay signed in as / }).click();
    // A phone has no room for it in the header.
    await page.getByText('Partner portal').waitFor({ state: 'attached' });
    await page.goto('about:blank');
    await page.goto(linkOf('Supplier portal'));
    await page.getByRole('button', { name: 'Switch account' }).click();
    await page.getByText('Supplier portal').waitFor({ state: 'attached' });
    await page.locator('main h1').waitFor();
    // A link for the account that is signed in needs no confirmation.
    await page.goto('about:blank');
    await page.goto(linkOf('Supplier portal'));
    await page.getByText('Supplier portal').waitFor({ state: 'attached' });
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });

  it('say in the console that this is the demo', async () => {
    const visitor = await visit(browser, server.url, DESK);
    await visitor.page.goto(linkOf('Console'));
    const notice = visitor.page.getByRole('note', { name: 'This is the demo' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain('leadmarket demo end');
    await visitor.context.close();
  });

  it('no longer accept sign-in links after the demo has ended', async () => {
    const off = await startServer({ DATABASE_URL: database.url, DEMO: 'off' });
    const links = {
      Portal: 'Access token or supplier key',
      'Supplier portal': 'Access token or supplier key',
      Console: 'Password',
    };
    for (const [name, label] of Object.entries(links)) {
      const visitor = await visit(browser, off.url, DESK);
      const { pathname, hash } = new URL(linkOf(name));
      await visitor.page.goto(pathname + hash);
      await visitor.page.getByLabel(label).waitFor();
      await visitor.page.waitForLoadState('networkidle');
      expect([visitor.page.url().includes('#'), await visitor.context.cookies()], name).toEqual([false, []]);
      await visitor.context.close();
    }
    off.signal('SIGTERM');
    await off.ended;
  });

  it('have text whose contrast is measured, on grounds of any ancestor', async () => {
    const { page, context } = await visit(browser, server.url, DESK);
    await page.setContent(`<body style="background: #fff; color: #000"><p>Black</p><p style="color: #999">Gray</p>
      <div style="background: rgb(0 0 0 / 80%); color: #333"><p>Dark</p></div><p style="opacity: 0.4">Pale</p>
      <p hidden style="color: #fff">Hidden</p><button disabled style="color: #ddd">Disabled</button></body>`);
    expect(await faintTexts(page)).toEqual([
      'contrast 2.85 of “Gray”',
      'contrast 1.00 of “Dark”',
      'contrast 2.85 of “Pale”',
    ]);
    await context.close();
  });

  it('are accessible for sign-in as well', async () => {
    const found: string[] = [];
    for (const address of ['/portal', '/console']) {
      const visitor = await visit(browser, server.url, DESK);
      await visitor.page.goto(address);
      await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
      found.push(...(await looksOf(visitor, address)));
      await visitor.context.close();
    }
    expect(found).toEqual([]);
  });
});

async function firstOf({ context, page }: Visitor, path: string, member: string): Promise<string> {
  const response = await context.request.get(new URL(path, page.url()).href, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const { data } = (await response.json()) as { data: Record<string, string>[] };
  const id = data[0]?.[member];
  if (id === undefined) throw new Error(`${path} has no ${member}: ${JSON.stringify(data[0])}`);
  return id;
}

async function faultsAt(visitor: Visitor, address: string): Promise<string[]> {
  const { page } = visitor;
  await page.setViewportSize(DESK);
  await page.goto(address);
  await page.locator('main h1').waitFor();
  return looksOf(visitor, address);
}

async function looksOf(visitor: Visitor, address: string): Promise<string[]> {
  const { page } = visitor;
  const found: string[] = visitor.faults();
  await page.emulateMedia({ colorScheme: 'light' });
  for (const find of [violationsOf, faintTexts]) found.push(...(await find(page)).map((one) => `light: ${one}`));
  await page.emulateMedia({ colorScheme: 'dark' });
  found.push(...(await violationsOf(page, 'colours')).map((one) => `dark: ${one}`));
  found.push(...(await faintTexts(page)).map((one) => `dark: ${one}`));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const shown = await page.evaluate(() => document.documentElement.scrollWidth);
    if (shown > width) found.push(`${shown} px wide in a window of ${width}`);
  }
  return found.map((one) => `${address}: ${one}`);
}
