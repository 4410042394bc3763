// Every page of a supplier at the demo's portal, and a link for another account than the one that is signed in.
import { describe, expect, it } from 'vitest';

import { hasNoChromium, startChromium, visit } from '../../support/browser/chromium.ts';
import { DESK, faultsOf, testPages, useDemo } from '../../support/browser/pages.ts';

describe.skipIf(hasNoChromium())('the portal of a supplier', () => {
  const demo = useDemo();

  testPages(
    {
      ...{ link: 'Supplier portal', base: '/portal', folder: 'web/portal/supplier' },
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
    demo,
  );

  it('asks before a link switches the account', async () => {
    const { server, linkOf } = demo();
    const visitor = await visit(await startChromium(), server.url, DESK);
    const { page } = visitor;
    await page.goto(linkOf('Portal'));
    // The sign-in form contains the portal's name as well.
    await page.getByRole('link', { name: 'Deliveries' }).first().waitFor();
    await page.goto('about:blank');
    await page.goto(linkOf('Supplier portal'));
    await page.getByRole('heading', { name: 'Switch account?' }).waitFor();
    expect(page.url()).not.toContain('#');
    expect(await faultsOf(visitor)).toEqual([]);
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
});
