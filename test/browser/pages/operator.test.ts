// Every page of an operator at the demo's console, its sign-in, and a report that is sorted, saved and downloaded by keyboard alone.
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { hasNoChromium, startChromium, visit } from '../../support/browser/chromium.ts';
import { DESK, faultsOf, testPages, useDemo } from '../../support/browser/pages.ts';

describe.skipIf(hasNoChromium())('the console of an operator', () => {
  const demo = useDemo();

  testPages(
    {
      ...{ link: 'Console', base: '/console', folder: 'web/console' },
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
    demo,
  );

  it('is accessible before the sign-in', async () => {
    const visitor = await visit(await startChromium(), demo().server.url, DESK);
    await visitor.page.goto('/console');
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.context.close();
  });

  it('says that this is the demo', async () => {
    const { page, context } = await demo().visitBy('Console');
    const notice = page.getByRole('note', { name: 'This is the demo' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain('leadmarket demo end');
    await context.close();
  });

  it('fails these tests with a text that is faint in the dark', async () => {
    const visitor = await demo().visitBy('Console');
    await visitor.page.locator('main h1').waitFor();
    await visitor.page.addStyleTag({ content: '[data-mantine-color-scheme="dark"] h1 { color: #555 }' });
    expect(await faultsOf(visitor, { width: 1280 })).toEqual([expect.stringMatching(/^dark: contrast .* “Overview”$/)]);
    await visitor.context.close();
  });

  it('answers a report that is sorted, saved and downloaded by keyboard alone', async () => {
    const visitor = await demo().visitBy('Console');
    const { page } = visitor;
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
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.context.close();
  });
});
