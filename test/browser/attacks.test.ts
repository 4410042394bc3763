// Attacks through the browser: scripts in leads, cross-origin requests, frames, stolen cookies, other tenants' addresses.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sampleLead } from '../contract/market.ts';
import { call, postAsBuyer, postLead } from '../support/api-client.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { signInToConsole, signInToPortal } from '../support/browser/people.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const SCRIPT = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>';
const HOSTILE = {
  full_name: `Eve ${SCRIPT}`,
  business_name: `"><svg onload="window.owned=1">${SCRIPT}`,
  source: `'-window.owned=1-'${SCRIPT}`,
  source_form_url: `https://forms.example.com/?utm_source=${encodeURIComponent(SCRIPT)}&x="onmouseover="window.owned=1`,
  utm_medium: SCRIPT,
  utm_campaign: '{{constructor.constructor("window.owned=1")()}}',
  utm_term: 'javascript:window.owned=1',
  utm_content: '\u202Egnp.exe<iframe srcdoc="<script>parent.owned=1</script>">',
  consent_version: SCRIPT,
  consent_text: `${SCRIPT}</textarea>`,
  trustedform_cert_url: 'https://cert.example.com/<script>window.owned=1</script>',
  jornaya_lead_id: SCRIPT,
  [`<b onclick="window.owned=1">member</b>`]: SCRIPT,
  nested: { __proto__x: SCRIPT, list: [SCRIPT] },
};

const YAML = `
marketplace: { name: 'Market <script>window.owned=1</script>' }
suppliers:
  - { key: acme-media, name: 'Acme <img src=x onerror=window.owned=1>', status: approved }
partners:
  - key: summit
    name: 'Summit <img src=x onerror=window.owned=1>'
    channels: []
    billing: { mode: postpaid, creditLimit: 10000 }
    betaTools: [timeline, delivery-logs, test-delivery, audit-log]
    editableFields: [notificationEmail, webhookUrl]
    offers: [{ key: summit-west, name: 'West <script>window.owned=1</script>', eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }]
  - key: harbor
    name: Harbor
    channels: []
    betaTools: [timeline, delivery-logs, test-delivery, audit-log]
    offers: [{ key: harbor-east, eventType: Lead Sale, payout: 45.00, filters: { states: [NY] } }]
`;

describe.skipIf(hasNoChromium())('attacks through the browser', () => {
  let market: TestMarketplace;
  let browser: Browser;
  let attacker: Server;
  let tokens: Readonly<Record<'summit' | 'harbor' | 'acme', string>>;
  let ids: Readonly<Record<'lead' | 'rejected' | 'delivery' | 'claim', string>>;

  beforeAll(async () => {
    [market, browser] = await Promise.all([startTestMarketplace({ yaml: YAML }), startChromium()]);
    await market.signedIn.operator('boss');
    tokens = {
      summit: await market.buyerToken('summit'),
      harbor: await market.buyerToken('harbor'),
      acme: await market.supplierKey('acme-media'),
    };
    const lead = (await postLead(market.url, tokens.acme, sampleLead(1, HOSTILE))).json.lead_id as string;
    const rejected = (await postLead(market.url, tokens.acme, sampleLead(2, { ...HOSTILE, state: 'TX' }))).json
      .lead_id as string;
    const delivery = await eventually('the lead is delivered', async () => {
      const { json } = await call(`${market.url}/api/v1/buyer/leads`, {
        headers: { authorization: `Bearer ${tokens.summit}` },
      });
      return (json.data[0]?.deliveryId as string | undefined) ?? null;
    });
    const filed = await postAsBuyer(market.url, tokens.summit, '/api/v1/buyer/disputes', {
      body: {
        deliveryId: delivery,
        reason: 'duplicate',
        detail: `They said ${SCRIPT}`,
        evidenceUrl: 'https://x.example/?a=%3Cscript%3E',
      },
    });
    if (filed.status !== 201) throw new Error(filed.text);
    ids = { lead, rejected, delivery, claim: String(filed.json.disputeId) };
    attacker = await startAttacker();
  });
  afterAll(async () => {
    await closeWindows();
    attacker?.close();
    await market?.close();
  });

  const inPortal = async (credential: string): Promise<Visitor> => {
    const visitor = await visit(browser, market.url);
    await signInToPortal(visitor.page, credential);
    return visitor;
  };

  /** Opens the page, waits until it is loaded, and checks for the mark that a script of the lead would leave. */
  const lookAt = async ({ page, faults }: Visitor, address: string): Promise<{ text: string }> => {
    await page.goto(address);
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
    expect([address, await page.evaluate(() => (globalThis as { owned?: number }).owned)]).toEqual([
      address,
      undefined,
    ]);
    expect([address, faults()]).toEqual([address, []]);
    return { text: await page.locator('body').innerText() };
  };

  it('a script in any field of a lead is shown as text on every page of the partner', async () => {
    const visitor = await inPortal(tokens.summit);
    const { text } = await lookAt(visitor, `/portal/deliveries/${ids.delivery}`);
    expect(text).toContain('Eve <img src=x onerror="window.owned=1">');
    for (const address of [
      '',
      '/deliveries',
      '/claims',
      `/claims/${ids.claim}`,
      '/settings',
      '/billing',
      '/tokens',
      '/audit-log',
    ]) {
      await lookAt(visitor, `/portal${address}`);
    }
    await visitor.context.close();
  });

  it('a script in any field of a lead is shown as text on every page of the supplier', async () => {
    const visitor = await inPortal(tokens.acme);
    for (const address of [
      '',
      '/submissions',
      `/submissions/${ids.lead}`,
      `/submissions/${ids.rejected}`,
      '/specification',
    ]) {
      const { text } = await lookAt(visitor, `/portal/supply${address}`);
      if (address.endsWith(ids.lead)) expect(text).toContain('<img src=x onerror=');
      else expect(text).toContain('Supplier portal');
    }
    await visitor.context.close();
  });

  it('a script in any field of a lead is shown as text on every page of the operator', async () => {
    const visitor = await visit(browser, market.url);
    await signInToConsole(visitor.page, 'boss');
    const { text } = await lookAt(visitor, `/console/leads/${ids.lead}`);
    expect(text).toContain('onerror="window.owned=1"');
    const addresses = [
      '',
      '/leads',
      `/leads/${ids.rejected}`,
      '/claims',
      `/claims/${ids.claim}`,
      '/partners',
      '/partners/summit',
      '/partners/summit/offers/summit-west',
      '/suppliers',
      '/suppliers/acme-media',
      '/audit-log',
      '/ledger',
      `/erasure?lead=${ids.lead}`,
    ];
    for (const address of addresses) await lookAt(visitor, `/console${address}`);
    await visitor.context.close();
  });

  it('a session shows nothing of another partner under its addresses', async () => {
    const visitor = await inPortal(tokens.harbor);
    const addresses = [
      `/deliveries/${ids.delivery}`,
      `/claims/${ids.claim}`,
      `/deliveries?search=Eve`,
      '/deliveries',
      '/claims',
      '',
      '/billing',
    ];
    for (const address of addresses) {
      await visitor.page.goto(`/portal${address}`);
      await visitor.page.locator('main h1').waitFor();
      await visitor.page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
      const text = await visitor.page.locator('body').innerText();
      for (const secret of ['Eve <', 'onerror', 'rivera', 'summit', 'LS-1']) {
        expect([address, secret, text.includes(secret)]).toEqual([address, secret, false]);
      }
    }
    await visitor.context.close();
  });

  it('a partner’s session does not open the console', async () => {
    const visitor = await inPortal(tokens.summit);
    await visitor.page.goto('/console/leads');
    await visitor.page.getByLabel('Password').waitFor();
    expect(await visitor.page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await visitor.context.close();
  });

  it('a page of another origin can neither send nor read with the user’s session', async () => {
    const visitor = await inPortal(tokens.summit);
    const { port } = attacker.address() as AddressInfo;
    const tokensBefore = await activeTokens();
    for (const host of ['localhost', '127.0.0.1']) {
      // Another host name is another site; another port is the same site but another origin.
      const page = await visitor.context.newPage();
      await page.goto(`http://${host}:${port}/`);
      const outcome = await page.evaluate(async (target) => {
        const attempt = async (init: RequestInit, path: string): Promise<string> => {
          try {
            const reply = await fetch(target + path, { credentials: 'include', ...init });
            return `${reply.type} ${reply.status} ${(await reply.text()).slice(0, 200)}`;
          } catch {
            return 'refused';
          }
        };
        const body = '{"webhookUrl":"https://attacker.example"}';
        return [
          await attempt({}, '/portal/api/v1/buyer/leads'),
          await attempt({ mode: 'no-cors' }, '/portal/api/v1/buyer/leads'),
          await attempt(
            { method: 'POST', mode: 'no-cors', body, headers: { 'content-type': 'text/plain' } },
            '/portal/api/v1/buyer/returns',
          ),
          await attempt(
            { method: 'PATCH', body, headers: { 'content-type': 'application/json' } },
            '/portal/api/v1/buyer/account',
          ),
          await attempt({ method: 'DELETE' }, '/portal/api/session'),
        ];
      }, market.url);
      for (const seen of outcome) expect(seen).toMatch(/^(?:refused|opaque 0 )$/);
      // Forms need no CORS permission, so SameSite must withhold the cookie.
      await page.evaluate((target) => {
        const form = Object.assign(document.createElement('form'), {
          method: 'POST',
          action: `${target}/portal/api/session`,
        });
        document.body.append(form);
        form.submit();
      }, market.url);
      await page.waitForLoadState();
      expect(await page.locator('body').innerText()).toMatch(
        /"code": ?"(?:cross_origin_refused|unsupported_media_type)"/,
      );
      await page.close();
    }
    visitor.faults();
    await lookAt(visitor, '/portal/settings');
    expect(await visitor.page.locator('body').innerText()).not.toContain('attacker.example');
    expect(await activeTokens()).toEqual(tokensBefore);
    await visitor.context.close();
  });

  it('no page can be framed', async () => {
    const visitor = await inPortal(tokens.summit);
    const { port } = attacker.address() as AddressInfo;
    const page = await visitor.context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate((target) => {
      for (const path of ['/portal', '/console']) {
        document.body.append(Object.assign(document.createElement('iframe'), { src: target + path }));
      }
    }, market.url);
    // A refused frame shows the browser's error page instead of ours.
    // Empty until the frame has navigated.
    const framed = (): string[] =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url().split(':', 1)[0] ?? '');
    await eventually(
      'both frames have ended up somewhere',
      () => framed().length === 2 && framed().every((scheme) => scheme !== '' && scheme !== 'about'),
    );
    expect(framed()).toEqual(['chrome-error', 'chrome-error']);
    await visitor.context.close();
  });

  it('a stolen cookie is invalid after sign-out', async () => {
    const visitor = await inPortal(tokens.summit);
    const stolen = (await visitor.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { cookie: stolen, 'sec-fetch-site': 'same-origin' };
    expect((await call(`${market.url}/portal/api/v1/buyer/leads`, { headers })).status).toBe(200);
    await visitor.page.getByRole('button', { name: /account and theme/ }).click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.page.getByLabel('Access token or supplier key').waitFor();
    expect((await call(`${market.url}/portal/api/v1/buyer/leads`, { headers })).status).toBe(401);
    expect((await call(`${market.url}/portal/api/session`, { headers })).json.session).toBeNull();
    await visitor.context.close();
  });

  it('scripts cannot read the session cookie', async () => {
    const visitor = await inPortal(tokens.summit);
    expect(await visitor.page.evaluate(() => document.cookie)).toBe('');
    const [cookie] = await visitor.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(await visitor.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /lmb_|lms_|sid/,
    );
    await visitor.context.close();
  });

  it('a sign-in link does not work outside of the demo', async () => {
    const visitor = await visit(browser, market.url);
    await visitor.page.goto(`/portal#token=${tokens.harbor}`);
    await visitor.page.getByLabel('Access token or supplier key').waitFor();
    expect(visitor.page.url()).not.toContain(tokens.harbor);
    expect(await visitor.context.cookies()).toEqual([]);
    await visitor.context.close();
  });

  async function activeTokens(): Promise<unknown> {
    const summit = await market.signedIn.buyer('summit');
    const { json } = await summit.get('/portal/api/v1/buyer/account');
    return json;
  }
});

/** A page of another origin, on another port of this machine. */
async function startAttacker(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Win a prize</title><body>Hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
