// Webhooks in the partner's own format against real receivers: what arrives, what its response does, and that no secret is kept (contract 13).
import { Readable } from 'node:stream';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { registerPartnerSecretCommands } from '../../src/credentials/partner-secrets.cli.ts';
import { createWebhookChannel } from '../../src/deliveries/channels/webhook.channel.ts';
import type { Parcel } from '../../src/deliveries/channels/channel.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { call, postLead } from '../support/api-client.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, testSecretKeys, type TestMarketplace } from '../support/marketplace.ts';
import { parcel, recipient } from '../support/parcels.ts';
import { type Receiver, type Reply, startRawReceiver, startReceiver } from '../support/receiver.ts';

const secret = 'crm-T0ken/with+signs';

const format = (more: object = {}): string =>
  JSON.stringify({
    ...{ format: 'custom', method: 'POST', headers: {}, query: {}, body: null, response: { rules: [] } },
    ...more,
  });

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function send(
  origin: string,
  text: string,
  { secrets = new Map<string, string>(), ...more }: { secrets?: ReadonlyMap<string, string> } & Partial<Parcel> = {},
): Promise<SendOutcome> {
  const client = createGuardedClient({ allowTargets: [origin] });
  open.push(() => client.close());
  const openSecrets = () => new Map([...secrets].map(([name, value]) => [name, { ok: true, text: value } as const]));
  const to = { ...recipient({ webhookUrl: `${origin}/in?list=1` }), custom: { format: text, secrets: [] } };
  const [outcome] = await createWebhookChannel({ client, openSecrets }).send(to, [parcel(more)], new Date());
  if (outcome === undefined) throw new Error('there is no outcome');
  return outcome;
}

async function receiverOf(reply: Reply): Promise<Receiver> {
  const receiver = await startReceiver({ respond: () => reply });
  open.push(() => receiver.close());
  return receiver;
}

describe('A request in the format of the partner', () => {
  it.each(['POST', 'PUT', 'PATCH'] as const)(
    'arrives by %s as its templates say, without a signature',
    async (method) => {
      const receiver = await receiverOf({ status: 201 });
      const text = format({
        method,
        headers: { Authorization: 'Token {{ secret.crm }}', 'X-Name': '{{ lead.fullName }} ü' },
        query: { email: '{{ lead.email }}' },
        body: { type: 'json', template: '{ "first": "{{ lead.firstName }}", "debt": "{{ lead.debtAmount }}" }' },
      });
      expect(await send(receiver.origin, text, { secrets: new Map([['crm', secret]]) })).toMatchObject({
        kind: 'taken',
      });
      const [request] = receiver.requests;
      expect(request).toMatchObject({
        method,
        path: '/in?list=1&email=jordan.rivera%40example.com',
        body: '{"first":"Jordan","debt":24500}',
        headers: { authorization: `Token ${secret}`, 'content-type': 'application/json' },
      });
      expect(Buffer.from(String(request?.headers['x-name']), 'latin1').toString('utf8')).toBe('Jordan Rivera ü');
      expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    },
  );

  it('arrives by GET in the query alone', async () => {
    const receiver = await receiverOf({ status: 200 });
    await send(receiver.origin, format({ method: 'GET', query: { phone: '{{ lead.phone | phone: "ten" }}' } }));
    expect(receiver.requests).toMatchObject([{ method: 'GET', path: '/in?list=1&phone=5555550123', body: '' }]);
  });

  it('has a form or XML with its content type', async () => {
    const receiver = await receiverOf({ status: 200 });
    await send(
      receiver.origin,
      format({ body: { type: 'form', template: 'a={{ lead.fullName }}\n&b={{ lead.state }}' } }),
    );
    await send(receiver.origin, format({ body: { type: 'xml', template: '<n>{{ lead.fullName }}</n>' } }));
    expect(receiver.requests).toMatchObject([
      { body: 'a=Jordan%20Rivera&b=CA', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { body: '<n>Jordan Rivera</n>', headers: { 'content-type': 'application/xml; charset=utf-8' } },
    ]);
  });

  it('is not sent without a secret that it names, and stays to be sent', async () => {
    const receiver = await receiverOf({ status: 200 });
    expect(await send(receiver.origin, format({ headers: { a: '{{ secret.crm }}' } }))).toMatchObject({
      ...{ kind: 'not_taken', why: 'later', receipt: 'no', error: 'The secret crm is not set.' },
    });
    expect(receiver.connections).toBe(0);
  });

  it('is not sent with a line break in a header', async () => {
    const receiver = await receiverOf({ status: 200 });
    const delivery = { ...parcel().delivery };
    const broken = { delivery: { ...delivery, lead: { ...delivery.lead, fullName: 'a\r\nX-Evil: 1' } } };
    expect(await send(receiver.origin, format({ headers: { a: '{{ lead.fullName }}' } }), broken)).toMatchObject({
      ...{ kind: 'not_taken', why: 'refused', receipt: 'no' },
      error: 'The header a has a line break or another control character.',
    });
    expect(receiver.connections).toBe(0);
  });

  it('goes to no address that is not public', async () => {
    const client = createGuardedClient({ allowTargets: [] });
    open.push(() => client.close());
    const to = { ...recipient({ webhookUrl: 'https://127.0.0.1/in' }), custom: { format: format(), secrets: [] } };
    const channel = createWebhookChannel({ client, openSecrets: () => new Map() });
    expect(await channel.send(to, [parcel()], new Date())).toMatchObject([
      { kind: 'not_taken', receipt: 'no', error: 'The URL points to an address that is not public.' },
    ]);
  });
});

describe('A response to a custom webhook', () => {
  const rules = [
    { when: { text: { contains: 'accepted' } }, outcome: 'accepted' },
    { when: { text: { contains: 'no' } }, outcome: 'rejected' },
  ];
  const withRules = format({
    response: {
      rules: rules.map(({ when, outcome }) => ({
        when: { status: [], header: null, json: null, text: { equals: null, pattern: null, ...when.text } },
        ...{ outcome, reason: null, reference: null, price: null },
      })),
    },
  });

  it('of 10 MB is cut, and what was read decides', async () => {
    const receiver = await receiverOf({ status: 200, body: `accepted${'x'.repeat(10_000_000)}` });
    const outcome = await send(receiver.origin, withRules);
    expect(outcome).toMatchObject({ kind: 'taken' });
    expect(outcome.kind === 'taken' ? outcome.responseSnippet : '').toHaveLength(1024);
    const late = await receiverOf({ status: 200, body: `${'x'.repeat(10_000_000)}accepted` });
    expect(await send(late.origin, withRules)).toMatchObject({ why: 'later', receipt: 'unknown' });
  });

  it('that breaks off is what came of it', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nno thanks');
    });
    open.push(() => receiver.close());
    expect(await send(receiver.origin, withRules)).toMatchObject({ why: 'rejected', receipt: 'no' });
  });

  it('that echoes the request shows no secret in what is kept', async () => {
    const receiver = await startReceiver({
      respond: ({ headers, body }) => ({ status: 400, body: JSON.stringify({ headers, body }) }),
    });
    open.push(() => receiver.close());
    const text = format({
      headers: { Authorization: 'Basic {{ secret.crm | base64 }}' },
      body: { type: 'form', template: 'token={{ secret.crm }}' },
    });
    const outcome = await send(receiver.origin, text, { secrets: new Map([['crm', secret]]) });
    const kept = JSON.stringify(outcome);
    expect(kept).toContain('Basic ••••');
    expect(kept).toContain('token=••••');
    for (const leak of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(kept).not.toContain(leak);
    }
  });
});

describe('A marketplace with a custom webhook', () => {
  let crm: Receiver;
  let market: TestMarketplace;
  let supplierKey: string;
  let replies: Reply[];

  const run = (argv: readonly string[], stdin = ''): Promise<Captured> =>
    captureCommand(argv, (program, out) =>
      registerPartnerSecretCommands(program.command('secret'), {
        ...contextOf(market.database, systemClock, out),
        ownerExists: (_kind, key) => Promise.resolve(key === 'summit'),
        secretKeys: () => testSecretKeys,
        stdin: Readable.from(stdin === '' ? [] : [stdin]),
        prompts: process.stderr,
      }),
    );

  beforeAll(async () => {
    replies = [];
    crm = await startReceiver({
      respond: () => replies.shift() ?? { status: 200, body: '{"result":"ok","id":"crm-1"}' },
    });
    market = await startTestMarketplace({
      allowTargets: [crm.origin],
      yaml: `
marketplace: { retrySeconds: [0, 1, 1, 1] }
suppliers: [{ key: acme, status: approved }]
partners:
  - key: summit
    channels: [webhook]
    betaTools: [test-delivery, delivery-logs]
    settings: { webhookUrl: "${crm.origin}/leads" }
    webhook:
      format: custom
      headers: { Authorization: "Bearer {{ secret.crm_token }}" }
      body: { type: json, template: '{ "name": "{{ lead.fullName }}", "ref": "{{ delivery.deliveryRef }}", "test": "{{ test }}" }' }
      response:
        rules:
          - { when: { json: { path: result, equals: ok } }, outcome: accepted, reference: { json: id } }
          - { when: { json: { path: result, equals: "no" } }, outcome: rejected, reason: { json: why } }
    offers: [{ key: summit, eventType: Lead Sale, payout: 45 }]
`,
    });
    supplierKey = await market.supplierKey('acme');
  });
  afterAll(async () => {
    await market.close();
    await crm.close();
  });

  const attempts = (): Promise<Array<{ state: string; error: string | null; response_snippet: string | null }>> =>
    select(market.database, 'SELECT state, error, response_snippet FROM attempt ORDER BY at, attempt_id') as never;

  it('says which secret is missing, and sends nothing', async () => {
    expect(
      (await postLead(market.url, supplierKey, { full_name: 'Jordan Rivera', email: 'a@example.com', state: 'CA' }))
        .status,
    ).toBe(202);
    await eventually('an attempt is logged', async () =>
      (await attempts()).some(({ error }) => error === 'The secret crm_token is not set.'),
    );
    expect(crm.requests).toEqual([]);
  });

  it('sends the lead once the secret is set, which is stored sealed', async () => {
    replies.push({ status: 200, body: `{"result":"ok","id":"crm-1","echo":"Bearer ${secret}"}` });
    expect(await run(['secret', 'set', '--partner', 'summit', 'crm_token', '--json'], `${secret}\n`)).toMatchObject({
      ...{ exitCode: 0, json: { partner: 'summit', name: 'crm_token', isNew: true } },
    });
    const request = await eventually('the lead came in', () => crm.requests[0] ?? null);
    expect(request.headers).toMatchObject({ authorization: `Bearer ${secret}` });
    expect(JSON.parse(request.body)).toEqual({
      name: 'Jordan Rivera',
      ref: expect.stringMatching(/^LS-/) as string,
      test: false,
    });
    await eventually('it is confirmed', async () => {
      const rows = await select(market.database, `SELECT 1 FROM delivery WHERE status = 'Confirmed'`);
      return rows.length === 1;
    });
    const stored = JSON.stringify(
      await select(market.database, `SELECT encode(sealed, 'escape') AS sealed FROM partner_secret`),
    );
    expect(stored).not.toContain('T0ken');
    const logged = await attempts();
    expect(logged.at(-1)?.response_snippet).toContain('Bearer ••••');
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  it('lists names only, replaces and removes secrets, and says so in the audit log', async () => {
    const listed = await run(['secret', 'list', '--partner', 'summit', '--json']);
    expect(listed.json).toMatchObject({ data: [{ name: 'crm_token', isReadable: true }] });
    expect(JSON.stringify(listed)).not.toContain(secret);
    expect((await run(['secret', 'set', '--partner', 'summit', 'other'], 'first value')).stdout).toBe(
      'other is set.\n',
    );
    expect((await run(['secret', 'set', '--partner', 'summit', 'other'], 'second value')).stdout).toBe(
      'other is replaced.\n',
    );
    expect((await run(['secret', 'remove', '--partner', 'summit', 'other'])).exitCode).toBe(0);
    expect((await run(['secret', 'remove', '--partner', 'summit', 'other'])).exitCode).toBe(1);
    const events = await select(
      market.database,
      `SELECT action, changes FROM audit_event WHERE action LIKE 'partner_secret.%' ORDER BY audit_id`,
    );
    expect(events).toEqual(
      ['set', 'set', 'set', 'removed'].map((verb, nth) => ({
        action: `partner_secret.${verb}`,
        changes: { name: { from: null, to: nth === 0 ? 'crm_token' : 'other' } },
      })),
    );
  });

  it.each([
    ['Crm-Token', 'value', /The name must be 1 to 63 lower-case letters/],
    ['crm_token', 'abc', /The value must have 4 to 4000 characters/],
    ['crm_token', 'two\nlines', /The value must be one line/],
    ['crm_token', ' blank', /The value must be one line/],
  ])('refuses the secret %j with %j', async (name, value, message) => {
    const { exitCode, stderr } = await run(['secret', 'set', '--partner', 'summit', name], value);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('refuses secrets of a partner that does not exist', async () => {
    expect((await run(['secret', 'set', '--partner', 'nobody', 'crm_token'], 'value')).exitCode).toBe(1);
    expect((await run(['secret', 'list', '--partner', 'nobody'])).exitCode).toBe(1);
  });

  it('fails a rejected lead at once, with the reason', async () => {
    replies.push({ status: 200, body: '{"result":"no","why":"Not in our states"}' });
    await postLead(market.url, supplierKey, { full_name: 'Dana Whitfield', email: 'b@example.com', state: 'NV' });
    await eventually('it has failed', async () => {
      const rows = await select(market.database, `SELECT 1 FROM delivery WHERE status = 'Failed'`);
      return rows.length === 1;
    });
    expect((await attempts()).at(-1)).toMatchObject({
      state: 'exhausted',
      error: 'Rejected by the partner: Not in our states',
    });
  });

  it('sends test deliveries in the same format', async () => {
    const token = await market.buyerToken('summit');
    const response = await call(`${market.url}/api/v1/buyer/test-delivery`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      body: JSON.stringify({ target: 'webhook' }),
    });
    expect(response.json).toMatchObject({ delivered: true, responseCode: 200 });
    expect(JSON.parse(crm.requests.at(-1)?.body ?? '')).toMatchObject({ name: 'Jordan Rivera', test: true });
    expect(crm.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${secret}` });
  });
});
