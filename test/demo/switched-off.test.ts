// What a demo opens: the inbox, links that sign in, an operator, and one exception to the rules on addresses. None of it where the
// demo is switched off, nothing but it where it is on, and nothing from the moment at which it ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { registerDemoCommands } from '../../src/demo/demo.cli.ts';
import { examineDemo } from '../../src/demo/examine-demo.ts';
import { moveDemo } from '../../src/demo/open-demo.ts';
import { type DemoSecrets, seedDemo } from '../../src/demo/seed-demo.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { setOperatorDisabled, setOperatorPassword } from '../../src/sessions/change-operator.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { type ApiResponse, call, getAsBuyer, getAsSupplier, postAsBuyer, postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

/** Everything that the file of the demo says is in force already. */
const yaml = 'suppliers: []\n';
const OWN = { 'sec-fetch-site': 'same-origin' };

let home: TestDatabase;
let secrets: DemoSecrets;
/** Two processes on the same data: one of a demo, and one started with DEMO=off. */
let on: TestMarketplace;
let off: TestMarketplace;

beforeAll(async () => {
  home = await createTestDatabase();
  const seeded = await seedDemo(home.database, 'http://127.0.0.1:3000', new Date());
  if (seeded === null) throw new Error('the database was not empty');
  secrets = seeded;
  on = await startTestMarketplace({ yaml, on: home, mayDemo: true });
  off = await startTestMarketplace({ yaml, on: home, role: 'api' });
  await home.database.tx((tx) => moveDemo(tx, on.url));
  await Promise.all([on.runtime.refresh(), off.runtime.refresh()]);
});
afterAll(async () => {
  await off?.close();
  await on?.close();
  await home?.drop();
});

function signInAsOperator({ url }: TestMarketplace): Promise<ApiResponse> {
  const { operatorName: name, operatorPassword: password } = secrets;
  return call(`${url}/console/api/session`, { method: 'POST', headers: OWN, body: { name, password } });
}

async function operatorOf(market: TestMarketplace): Promise<SignedIn> {
  const [cookie = ''] = (await signInAsOperator(market)).headers.getSetCookie();
  return asBrowser(market.url, cookie.split(';')[0] ?? '');
}

async function isDemo({ url }: TestMarketplace): Promise<unknown[]> {
  const responses = await Promise.all(
    ['portal', 'console'].map((app) => call(`${url}/${app}/api/session`, { headers: OWN })),
  );
  return responses.map(({ json }) => json.isDemo);
}

function patchWebhook({ url }: TestMarketplace, webhookUrl: string): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${secrets.buyerToken}` };
  return call(`${url}/api/v1/buyer/account`, { method: 'PATCH', headers, body: { webhookUrl } });
}

let people = 0;

/** Of somebody new, for the offer of the demo's partner that is open around the clock. */
function newLead(): object {
  people += 1;
  return {
    ...{ full_name: 'Jordan Rivera', email: `jordan.${people}@example.com`, phone: `+1713555018${people}` },
    ...{ state: 'TX', debt_amount: '24500', source: 'first-try', consent_timestamp: '2026-11-20T17:03:11Z' },
    source_form_url: 'https://forms.example.com/debt-relief',
  };
}

async function testsInInbox(): Promise<number> {
  const { json } = await call(`${on.url}/demo/inbox`);
  return json.received.filter(({ type }: Json) => type === 'lead.test').length;
}

const testDelivery = (market: TestMarketplace): Promise<ApiResponse> =>
  postAsBuyer(market.url, secrets.buyerToken, '/api/v1/buyer/test-delivery', { body: { target: 'webhook' } });

/** As an earlier version may have stored it. */
async function storeWebhook(webhookUrl: string): Promise<void> {
  await select(home.database, `UPDATE buyer SET webhook_url = $1 WHERE buyer_key = 'summit'`, [webhookUrl]);
  await select(home.database, 'UPDATE marketplace SET config_version = config_version + 1');
  await Promise.all([on.runtime.refresh(), off.runtime.refresh()]);
}

function demoEnd(...argv: string[]): Promise<Captured & { readonly json: Json }> {
  return captureCommand(['demo', 'end', ...argv], (program, out) =>
    registerDemoCommands(program.command('demo'), contextOf(home.database, systemClock, out)),
  );
}

function doctor(env: Record<string, string>): ReturnType<typeof examineDemo> {
  const outcome = loadConfig(env);
  if (!outcome.ok) throw new Error(outcome.faults.join());
  return examineDemo(home.database, outcome.config);
}

describe('A demo that is on', () => {
  it('has an inbox, an operator, and sessions that tell the pages of the demo', async () => {
    expect((await call(`${on.url}/demo/inbox`)).json).toEqual({ received: expect.any(Array) as unknown });
    expect(await isDemo(on)).toEqual([true, true]);
    const { status, json } = await signInAsOperator(on);
    expect([status, json.isDemo, json.session.ownerKey]).toEqual([200, true, 'demo']);
  });

  it('delivers a lead to the inbox of its buyer', async () => {
    expect((await postLead(on.url, secrets.supplierKey, newLead())).status).toBe(202);
    await eventually('the inbox has the delivery, and found its signature valid', async () => {
      const { json } = await call(`${on.url}/demo/inbox`);
      return json.received.some(
        (one: Json) => one.owner === 'summit' && one.type === 'lead.delivered' && one.signature === 'valid',
      );
    });
  });

  it('lets a partner save the address of an inbox, but no other address of this service', async () => {
    const inbox = `${on.url}/demo/inbox`;
    // Each change of an account is counted against a limit; the rules themselves have a longer table.
    for (const url of [
      `${on.url}/console/api/health`,
      on.url,
      inbox,
      `${inbox}/summit/../../../metrics`,
      `${inbox}/..%2f..%2fmetrics`,
    ]) {
      const { status, json } = await patchWebhook(on, url);
      expect([status, json.errors?.[0]?.code], url).toEqual([422, 'webhook_url_blocked']);
    }
    expect((await patchWebhook(on, `${inbox}/summit`)).status).toBe(200);
  });

  it('sends test deliveries to the inbox, but not to another stored path of this service', async () => {
    expect((await testDelivery(on)).json).toMatchObject({ delivered: true, responseCode: 200 });
    await storeWebhook(`${on.url}/console/api/health`);
    const { status, json } = await testDelivery(on);
    expect([status, json.code]).toEqual([422, 'webhook_url_blocked']);
    await storeWebhook(`${on.url}/demo/inbox/summit`);
    expect((await testDelivery(on)).json).toMatchObject({ delivered: true });
  });

  it('does not deliver to another stored path of this service', async () => {
    await storeWebhook(`${on.url}/console/api/health`);
    const began = Date.now();
    expect((await postLead(on.url, secrets.supplierKey, newLead())).status).toBe(202);
    const attempt = await eventually('the delivery was tried', async () => {
      const { json } = await getAsBuyer(on.url, secrets.buyerToken, '/api/v1/buyer/delivery-logs?pageSize=10');
      const isNew = ({ channel, test: isTest, at }: Json): boolean =>
        channel === 'webhook' && !isTest && Date.parse(at) >= began;
      const last = json.data.find(isNew);
      return last === undefined || last.error === null ? null : last;
    });
    expect(attempt).toMatchObject({ responseCode: null, error: expect.stringContaining('https://') as string });
    await storeWebhook(`${on.url}/demo/inbox/summit`);
  });

  it('does not follow a redirect of the inbox to another path', async () => {
    const places = [`${on.url}/console/api/health`, `${on.url}/demo/inbox/summit`];
    let next = 0;
    const receiver = await startReceiver({
      respond: () => ({ status: 307, headers: { location: places[next++ % places.length] ?? '' } }),
    });
    const other = { yaml, on: home, role: 'api', mayDemo: true, allowTargets: [receiver.origin] } as const;
    const market = await startTestMarketplace(other);
    const before = await testsInInbox();
    await storeWebhook(receiver.origin);
    await market.runtime.refresh();
    for (const _place of places) {
      expect((await testDelivery(market)).json).toMatchObject({ delivered: false, responseCode: 307 });
    }
    expect([await testsInInbox(), receiver.requests.length]).toEqual([before, places.length]);
    await storeWebhook(`${on.url}/demo/inbox/summit`);
    await market.close();
    await receiver.close();
  });

  it('is reported by doctor, as an error if other machines may reach it', async () => {
    expect(await doctor({})).toMatchObject({
      name: 'demo',
      ok: true,
      detail: expect.stringContaining('demo end') as string,
    });
    expect(await doctor({ DEMO: 'on', HOST: '0.0.0.0' })).toMatchObject({ ok: false });
    expect(await doctor({ HOST: '0.0.0.0' })).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^switched off/) as string,
    });
  });
});

describe('A demo that is switched off', () => {
  it('has no inbox, and its pages accept no sign-in link', async () => {
    expect((await call(`${off.url}/demo/inbox`)).status).toBe(404);
    expect((await call(`${off.url}/demo/inbox/summit`, { method: 'POST', body: {} })).status).toBe(404);
    expect(await isDemo(off)).toEqual([false, false]);
  });

  it('rejects its operator’s printed password and open sessions', async () => {
    const operator = await operatorOf(on);
    expect((await operator.get('/console/api/health')).status).toBe(200);
    const elsewhere = asBrowser(off.url, operator.cookie);
    expect((await elsewhere.get('/console/api/health')).status).toBe(401);
    expect((await elsewhere.get('/console/api/session')).json.session).toBeNull();
    const response = await signInAsOperator(off);
    expect([response.status, response.json.code, response.headers.getSetCookie()]).toEqual([401, 'unauthorized', []]);
  });

  it('has no exemption from the target rules, neither for saving nor for sending', async () => {
    const url = `${on.url}/demo/inbox/harbor`;
    expect((await patchWebhook(off, url)).json.errors).toMatchObject([{ code: 'webhook_url_blocked' }]);
    const { status, json } = await testDelivery(off);
    expect([status, json.code]).toEqual([422, 'webhook_url_blocked']);
  });
});

describe('demo end', () => {
  it('ends everything that the demo printed, at once in running processes, and leaves the rest', async () => {
    const operator = await operatorOf(on);
    const own = await home.database.pool.query('SELECT count(*)::int FROM lead');
    const ended = await demoEnd('--json');
    expect([ended.exitCode, ended.json]).toEqual([
      0,
      {
        ended: true,
        operators: ['demo'],
        credentials: [
          { id: expect.stringMatching(/^key_/) as string, kind: 'supplier_key', owner: 'acme-media' },
          { id: expect.stringMatching(/^tok_/) as string, kind: 'buyer_token', owner: 'summit' },
        ],
        partners: ['harbor', 'prairie', 'summit'],
        suppliers: ['acme-media'],
        left: { credentials: 0, operators: [] },
      },
    ]);
    await eventually(
      'the running process has taken it up',
      async () => (await call(`${on.url}/demo/inbox`)).status === 404,
    );
    expect(await isDemo(on)).toEqual([false, false]);
    await eventually(
      'the key is refused',
      async () => (await getAsSupplier(on.url, secrets.supplierKey, '/api/v1/supplier/stats')).status === 401,
    );
    await eventually(
      'the token is refused',
      async () => (await getAsBuyer(on.url, secrets.buyerToken, '/api/v1/buyer/account')).status === 401,
    );
    await eventually('the session has ended', async () => (await operator.get('/console/api/health')).status === 401);
    expect((await signInAsOperator(on)).status).toBe(401);

    const headers = { authorization: `Bearer ${await on.buyerToken('summit')}` };
    const body = { webhookUrl: `${on.url}/demo/inbox/summit` };
    const saving = await call(`${on.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body });
    expect([saving.status, saving.json.errors?.[0].code]).toEqual([422, 'webhook_url_blocked']);

    const left = await select(
      home.database,
      `SELECT buyer_key FROM buyer WHERE concat(webhook_url, sheets_webhook_url) LIKE '%/demo/%'`,
    );
    expect(left).toEqual([]);
    expect((await home.database.pool.query('SELECT count(*)::int FROM lead')).rows).toEqual(own.rows);
    expect(await ledgerFaults(home.database, { atRest: false })).toEqual([]);
    expect(await doctor({})).toEqual({ name: 'demo', ok: null, detail: 'none' });
  });

  it('can be repeated', async () => {
    const [before] = await select(home.database, 'SELECT config_version FROM marketplace');
    expect(await demoEnd()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no demo') as string });
    expect((await demoEnd('--json')).json).toMatchObject({ ended: false, credentials: [], left: { credentials: 1 } });
    expect(await select(home.database, 'SELECT config_version FROM marketplace')).toEqual([before]);
    expect(await select(home.database, `SELECT count(*)::int FROM audit_event WHERE action = 'demo.ended'`)).toEqual([
      { count: 1 },
    ]);
  });

  it('keeps the printed password rejected, even after the operator is enabled again', async () => {
    const change = { name: 'demo', actor: commandLineActor } as const;
    await home.database.tx((tx) => setOperatorDisabled(tx, { ...change, disabled: false }, new Date()));
    expect((await signInAsOperator(on)).status).toBe(401);
    const password = 'a password of somebody';
    const passwordHash = await hashPassword(password);
    await home.database.tx((tx) => setOperatorPassword(tx, { ...change, passwordHash }, new Date()));
    const response = await call(`${on.url}/console/api/session`, {
      method: 'POST',
      headers: OWN,
      body: { name: 'demo', password },
    });
    expect(response.status).toBe(200);
    // It is nobody's but theirs now.
    expect((await demoEnd('--json')).json).toMatchObject({ ended: false, left: { operators: ['demo'] } });
  });
});
