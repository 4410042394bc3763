// Every page of a partner at the demo's portal, its sign-in, and its links when the demo has ended.
import { describe, expect, it } from 'vitest';

import { hasNoChromium, startChromium, visit } from '../../support/browser/chromium.ts';
import { DESK, faultsOf, testPages, useDemo } from '../../support/browser/pages.ts';
import { startServer } from '../../support/server-process.ts';

describe.skipIf(hasNoChromium())('the portal of a partner', () => {
  const demo = useDemo();

  testPages(
    {
      ...{ link: 'Portal', base: '/portal', folder: 'web/portal/buyer' },
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
    demo,
  );

  it('is accessible before the sign-in', async () => {
    const visitor = await visit(await startChromium(), demo().server.url, DESK);
    await visitor.page.goto('/portal');
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.context.close();
  });

  it('and the console no longer accept sign-in links after the demo has ended', async () => {
    const off = await startServer({ DATABASE_URL: demo().database.url, DEMO: 'off' });
    const links = {
      Portal: 'Access token or supplier key',
      'Supplier portal': 'Access token or supplier key',
      Console: 'Password',
    } as const;
    for (const name of ['Portal', 'Supplier portal', 'Console'] as const) {
      const visitor = await visit(await startChromium(), off.url, DESK);
      const { pathname, hash } = new URL(demo().linkOf(name));
      await visitor.page.goto(pathname + hash);
      await visitor.page.getByLabel(links[name]).waitFor();
      await visitor.page.waitForLoadState('networkidle');
      expect([visitor.page.url().includes('#'), await visitor.context.cookies()], name).toEqual([false, []]);
      await visitor.context.close();
    }
    off.signal('SIGTERM');
    await off.ended;
  });
});
