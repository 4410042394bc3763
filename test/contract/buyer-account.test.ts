// Tests GET and PATCH /api/v1/buyer/account of the running service: the editable settings, all or nothing (contract 6.16).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { disableEndpoints } from '../../src/buyers/set-endpoint.ts';
import { recordResults } from '../../src/endpoints/record-results.ts';
import { type ApiResponse, call, getAsBuyer, problem, problemFacts } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const PATH = '/api/v1/buyer/account';
const SHEET = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
// Exempt, so that no names are resolved.
const TARGETS = ['https://crm.summit.example', 'https://new.summit.example', 'https://script.google.com'];
const ALL =
  'editableFields: [notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId]';
const WIDE = 'rateLimit: { perSecond: 100000, burst: 100000 }';

const yaml = (settings = 'webhookUrl: "https://crm.summit.example/leads", notificationEmail: leads@summit.example') => `
marketplace: { currency: EUR }
partners:
  - { key: summit, name: Summit Debt Relief, timeZone: America/Los_Angeles, channels: [webhook, email], ${ALL}, betaTools: [audit-log, timeline], ${WIDE},
      settings: { ${settings} } }
  - { key: harbor, name: Harbor, channels: [], editableFields: [phone], ${WIDE} }
  - { key: slow, name: Slow, channels: [], editableFields: [phone], rateLimit: { perSecond: 0.001, burst: 6 } }
  - { key: fixed, name: Fixed, channels: [], editableFields: [], ${WIDE} }
  - { key: resting, name: Resting, status: paused, channels: [], ${ALL}, ${WIDE} }
  - { key: frozen, name: Frozen, status: suspended, channels: [], ${ALL}, ${WIDE} }
`;

let market: TestMarketplace;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: yaml(), role: 'api', allowTargets: TARGETS });
  for (const key of ['summit', 'harbor', 'slow', 'fixed', 'resting', 'frozen'])
    tokens[key] = await market.buyerToken(key);
});
afterAll(() => market.close());

const get = (partner = 'summit', headers: Record<string, string> = {}): Promise<ApiResponse> =>
  call(market.url + PATH, { headers: { authorization: `Bearer ${tokens[partner]}`, ...headers } });

function patch(body: object | string, { partner = 'summit', headers = {} } = {}): Promise<ApiResponse> {
  const all = { authorization: `Bearer ${tokens[partner]}`, 'content-type': 'application/json', ...headers };
  return call(market.url + PATH, { method: 'PATCH', headers: all, body });
}

const START = {
  partnerKey: 'summit',
  name: 'Summit Debt Relief',
  status: 'active',
  timeZone: 'America/Los_Angeles',
  currency: 'EUR',
  notificationEmail: 'leads@summit.example',
  ccEmails: [],
  webhookUrl: 'https://crm.summit.example/leads',
  phone: null,
  smsNumber: null,
  sheetsWebhookUrl: null,
  sheetsSpreadsheetId: null,
  editableFields: [
    'notificationEmail',
    'ccEmails',
    'webhookUrl',
    'phone',
    'smsNumber',
    'sheetsWebhookUrl',
    'sheetsSpreadsheetId',
  ],
  betaTools: ['timeline', 'audit-log'],
};

/** The account at the beginning. */
async function reset(): Promise<void> {
  const { status } = await patch({
    ...{ notificationEmail: START.notificationEmail, ccEmails: null, webhookUrl: START.webhookUrl },
    ...{ phone: null, smsNumber: null, sheetsWebhookUrl: null, sheetsSpreadsheetId: null },
  });
  expect(status).toBe(200);
}

const version = async (): Promise<number> => {
  const [row] = await select<{ version: number }>(market.database, 'SELECT config_version AS version FROM marketplace');
  return row?.version ?? 0;
};

describe('Changes of an account', () => {
  it('are limited to a tenth of the partner’s rate and half of its burst, over all its tokens and sessions', async () => {
    const change = { phone: '+15555550123' };
    const slow = await market.signedIn.buyer('slow');
    const responses = [
      await patch(change, { partner: 'slow' }),
      await slow.send('PATCH', `/portal${PATH}`, change),
      await patch('not JSON', { partner: 'slow' }),
      await slow.send('PATCH', `/portal${PATH}`, change),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 429]);
    expect(problemFacts(responses[3] as ApiResponse)).toEqual(problem(429, 'rate_limited'));
    expect(Number(responses[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get('slow')).status).toBe(200);
  });

  it('that arrive at once take one connection of the pool', async () => {
    // The holder of the lock on the configuration makes all changes wait.
    const held = await market.database.connect();
    await held.query('BEGIN; SELECT FROM marketplace FOR UPDATE');
    const changes = Array.from({ length: 50 }, (_, at) => patch({ phone: `+1555555${String(1000 + at)}` }));
    await eventually('a change waits for the lock', async () => {
      const [row] = await select<{ waiting: number }>(
        market.database,
        `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.waiting === 1;
    });
    // Requests of others get responses meanwhile.
    expect(
      (await Promise.all(Array.from({ length: 20 }, () => get('harbor')))).every(({ status }) => status === 200),
    ).toBe(true);
    const [row] = await select<{ waiting: number }>(
      market.database,
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(row).toEqual({ waiting: 1 });
    await held.query('ROLLBACK');
    await held.end();
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    await reset();
  });
});

/** The events of summit, newest first. */
const audit = (): Promise<Json[]> =>
  select(
    market.database,
    `SELECT action, actor_type, actor_name, target, changes, ip, request_id FROM audit_event WHERE buyer_key = 'summit' ORDER BY audit_id DESC`,
  );

describe('The account', () => {
  it('has exactly the members of the contract', async () => {
    const { status, json, headers } = await get();
    expect([status, JSON.stringify(json)]).toEqual([200, JSON.stringify(START)]);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
    ]);
  });

  it('is the partner’s own', async () => {
    expect((await get('harbor')).json).toMatchObject({
      partnerKey: 'harbor',
      editableFields: ['phone'],
      betaTools: [],
    });
  });

  it('has an entity tag, which allows a 304', async () => {
    const first = await get();
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await get('summit', { 'if-none-match': header });
      expect([header, again.status, again.text, again.headers.get('etag')]).toEqual([header, 304, '', tag]);
    }
    expect((await get('summit', { 'if-none-match': '"x"' })).status).toBe(200);
    expect((await get('harbor', { 'if-none-match': tag })).status).toBe(200);
  });

  it('is readable for a paused partner, and not for a suspended one', async () => {
    expect((await get('resting')).json.status).toBe('paused');
    expect((await patch({ phone: '+15555550123' }, { partner: 'resting' })).status).toBe(200);
    expect(problemFacts(await get('frozen'))).toEqual(problem(403, 'partner_suspended'));
    expect(problemFacts(await patch({}, { partner: 'frozen' }))).toEqual(problem(403, 'partner_suspended'));
  });
});

describe('A change', () => {
  beforeEach(reset);

  it.each<readonly [string, unknown, unknown]>([
    ['notificationEmail', ' new@summit.example ', 'new@summit.example'],
    ['notificationEmail', null, null],
    ['notificationEmail', ' ', null],
    ['ccEmails', ['a@summit.example', ' b@summit.example'], ['a@summit.example', 'b@summit.example']],
    ['ccEmails', [], []],
    ['ccEmails', null, []],
    ['webhookUrl', 'https://new.summit.example/x?y=1', 'https://new.summit.example/x?y=1'],
    ['webhookUrl', null, null],
    ['phone', '+1 (555) 555-0123', '+15555550123'],
    ['smsNumber', '+44 20 7946 0958', '+442079460958'],
    ['sheetsWebhookUrl', 'https://script.google.com/macros/s/x/exec', 'https://script.google.com/macros/s/x/exec'],
    ['sheetsSpreadsheetId', SHEET, SHEET],
    ['sheetsSpreadsheetId', `https://docs.google.com/spreadsheets/d/${SHEET}/edit#gid=0`, SHEET],
  ])('of %s to %j returns the account with %j', async (field, value, kept) => {
    const response = await patch({ [field]: value });
    expect([response.status, response.json]).toEqual([200, { ...START, [field]: kept }]);
    const read = await get();
    expect([read.text, read.headers.get('etag')]).toEqual([response.text, response.headers.get('etag')]);
  });

  it('can contain several settings, and leaves the others alone', async () => {
    await patch({ phone: '+15555550123', ccEmails: ['a@summit.example'] });
    const { json } = await patch({ smsNumber: '+15555550124', phone: null });
    expect(json).toEqual({ ...START, ccEmails: ['a@summit.example'], smsNumber: '+15555550124' });
  });

  it('is a new version of the configuration and an event in the audit log', async () => {
    const before = await version();
    const { json } = await patch({ webhookUrl: 'https://new.summit.example/x', phone: '+15555550123' });
    expect(await version()).toBe(before + 1);
    const [history] = await select<Json>(
      market.database,
      `SELECT definition FROM config_history WHERE kind = 'buyer' AND key = 'summit' AND version = $1`,
      [before + 1],
    );
    expect(history?.definition).toMatchObject({
      settings: { webhookUrl: json.webhookUrl, phone: json.phone, notificationEmail: START.notificationEmail },
    });
    const [event] = await audit();
    expect(event).toEqual({
      action: 'account.updated',
      actor_type: 'buyer',
      actor_name: expect.stringMatching(/^tok_/),
      target: 'summit',
      changes: {
        webhookUrl: { from: 'https://crm.summit.example/leads', to: 'https://new.summit.example/x' },
        phone: { from: null, to: '+15555550123' },
      },
      ip: '127.0.0.1',
      request_id: expect.any(String),
    });
  });

  it('without a difference writes nothing', async () => {
    const before = [await version(), (await audit()).length];
    for (const body of [{}, { phone: null }, { ccEmails: [] }, { notificationEmail: ' leads@summit.example' }]) {
      const response = await patch(body);
      expect([response.status, response.json]).toEqual([200, START]);
    }
    expect([await version(), (await audit()).length]).toEqual(before);
  });

  it('writes no secret of ours into the audit log if a URL contains it', async () => {
    const secret = `lmb_${'a'.repeat(38)}`;
    const { json } = await patch({ webhookUrl: `https://new.summit.example/x?token=${secret}` });
    expect(json.webhookUrl).toContain(secret);
    const [event] = await audit();
    expect(event?.changes.webhookUrl.to).toBe('https://new.summit.example/x?token=lmb_…');
  });

  it.each<readonly [string, object, ReadonlyArray<readonly [field: string, code: string]>]>([
    ['an unknown member', { nothing: 1 }, [['nothing', 'field_not_editable']]],
    ['a member in other letters', { Phone: '+15555550123' }, [['Phone', 'field_not_editable']]],
    ...[
      'partnerKey',
      'name',
      'status',
      'timeZone',
      'currency',
      'editableFields',
      'betaTools',
      'channels',
      'billing',
    ].map((field) => [field, { [field]: START[field as 'name'] ?? null }, [[field, 'field_not_editable']]] as const),
    [
      'an email address that is none',
      { notificationEmail: 'summit.example' },
      [['notificationEmail', 'invalid_format']],
    ],
    ['a number for an email address', { notificationEmail: 5 }, [['notificationEmail', 'wrong_type']]],
    ['one text for a list', { ccEmails: 'a@b.example' }, [['ccEmails', 'wrong_type']]],
    ['a list with nothing in it', { ccEmails: ['a@b.example', null] }, [['ccEmails', 'wrong_type']]],
    ['too many copies', { ccEmails: Array(21).fill('a@b.example') }, [['ccEmails', 'too_long']]],
    ['a phone number without its country', { phone: '555 555 0123' }, [['phone', 'invalid_format']]],
    ['a long text', { smsNumber: '1'.repeat(501) }, [['smsNumber', 'too_long']]],
    ['a URL that is none', { webhookUrl: 'crm' }, [['webhookUrl', 'webhook_url_blocked']]],
    ['a URL without TLS', { webhookUrl: 'http://crm.summit.example/leads' }, [['webhookUrl', 'webhook_url_blocked']]],
    ['this machine', { webhookUrl: 'https://localhost/x' }, [['webhookUrl', 'webhook_url_blocked']]],
    ['a private address', { webhookUrl: 'https://10.0.0.1/x' }, [['webhookUrl', 'webhook_url_blocked']]],
    ['a metadata address', { webhookUrl: 'https://169.254.169.254/' }, [['webhookUrl', 'webhook_url_blocked']]],
    ['an address in another spelling', { webhookUrl: 'https://2130706433/' }, [['webhookUrl', 'webhook_url_blocked']]],
    ['a low port', { webhookUrl: 'https://93.184.216.34:22/' }, [['webhookUrl', 'webhook_url_blocked']]],
    [
      'a private address of a script',
      { sheetsWebhookUrl: 'https://[::1]/x' },
      [['sheetsWebhookUrl', 'webhook_url_blocked']],
    ],
    [
      'a published spreadsheet',
      { sheetsSpreadsheetId: `https://docs.google.com/spreadsheets/d/e/${SHEET}/pub` },
      [['sheetsSpreadsheetId', 'invalid_format']],
    ],
    [
      'several of them at once',
      { name: 'X', phone: 'no', webhookUrl: 'ftp://crm.example', smsNumber: '+15555550124' },
      [
        ['name', 'field_not_editable'],
        ['phone', 'invalid_format'],
        ['webhookUrl', 'webhook_url_blocked'],
      ],
    ],
  ])('to %s is rejected, and changes nothing', async (_, body, faults) => {
    const before = await version();
    const response = await patch({ ccEmails: ['kept@summit.example'], ...body });
    expect(problemFacts(response)).toEqual(problem(422, 'validation_failed', 'errors'));
    expect(response.json.errors.map(({ field, code }: Json) => [field, code])).toEqual(faults);
    for (const { message } of response.json.errors) expect(message).toEqual(expect.any(String));
    expect([(await get()).json, await version()]).toEqual([START, before]);
  });

  it('of settings that the partner may not edit is rejected, field by field', async () => {
    const response = await patch({ phone: '+15555550123', smsNumber: '+15555550124' }, { partner: 'harbor' });
    expect(response.json.errors).toMatchObject([{ field: 'smsNumber', code: 'field_not_editable' }]);
    expect((await get('harbor')).json.phone).toBeNull();
    expect((await patch({ phone: '+15555550123' }, { partner: 'harbor' })).json.phone).toBe('+15555550123');
    expect((await patch({ phone: null }, { partner: 'fixed' })).json.errors).toMatchObject([
      { field: 'phone', code: 'field_not_editable' },
    ]);
    expect((await patch({}, { partner: 'fixed' })).status).toBe(200);
  });

  it.each<readonly [string, string, Record<string, string>, number, string]>([
    ['no JSON', '{', {}, 400, 'invalid_json'],
    ['a list', '[]', {}, 400, 'invalid_json'],
    ['nothing', '', {}, 400, 'invalid_json'],
    ['a form', 'phone=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['a merge patch', '{}', { 'content-type': 'application/merge-patch+json' }, 415, 'unsupported_media_type'],
    ['too much', `{"phone":"${'1'.repeat(70_000)}"}`, {}, 413, 'body_too_large'],
  ])('with %s as its body is rejected', async (_, body, headers, status, code) => {
    expect(problemFacts(await patch(body, { headers }))).toEqual(problem(status, code));
  });

  it.each(['POST', 'PUT', 'DELETE'])('is not made by %s', async (method) => {
    const response = await call(market.url + PATH, {
      method,
      headers: { authorization: `Bearer ${tokens['summit']}` },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
  });
});

describe('A conditional change', () => {
  beforeEach(reset);

  it('is made while the account has the version that its sender has read', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    const made = await patch({ phone: '+15555550123' }, { headers: { 'if-match': `"x", ${tag}` } });
    expect(made.status).toBe(200);
    const late = await patch({ phone: '+15555550124' }, { headers: { 'if-match': tag } });
    expect(problemFacts(late)).toEqual(problem(412, 'precondition_failed'));
    const next = await patch({ phone: '+15555550124' }, { headers: { 'if-match': made.headers.get('etag') ?? '' } });
    expect([next.status, next.json.phone]).toEqual([200, '+15555550124']);
    expect((await patch({ phone: null }, { headers: { 'if-match': '*' } })).status).toBe(200);
  });

  it.each(['"x"', 'x', '', 'W/'])(
    'with a condition that never holds (%j) is rejected before its body is checked',
    async (header) => {
      const tag = header === 'W/' ? `W/${(await get()).headers.get('etag') ?? ''}` : header;
      const response = await patch({ name: 'X' }, { headers: { 'if-match': tag } });
      expect(problemFacts(response)).toEqual(problem(412, 'precondition_failed'));
    },
  );

  it('is made once for any number of concurrent requests', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        patch({ phone: `+155555501${String(n).padStart(2, '0')}` }, { headers: { 'if-match': tag } }),
      ),
    );
    const made = responses.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(11);
    expect((await get()).text).toBe(made[0]?.text);
  });

  it('loses nothing without a condition if concurrent requests change different settings', async () => {
    const bodies = [
      { phone: '+15555550123' },
      { smsNumber: '+15555550124' },
      { ccEmails: ['a@summit.example'] },
      { sheetsSpreadsheetId: SHEET },
    ];
    await Promise.all(bodies.map((body) => patch(body)));
    expect((await get()).json).toEqual(Object.assign({}, START, ...bodies));
  });
});

describe('A disabled endpoint', () => {
  beforeEach(reset);

  const claimStatus = async (): Promise<Json> => {
    const [row] = await select<Json>(
      market.database,
      `SELECT endpoint_disabled_at IS NOT NULL AS disabled,
              ARRAY(SELECT channel FROM endpoint_health WHERE owner_kind = 'buyer' AND owner_key = 'summit' ORDER BY 1) AS ill
       FROM buyer WHERE buyer_key = 'summit'`,
    );
    return row;
  };

  async function breakDown(): Promise<void> {
    const now = new Date();
    await market.database.tx(async (tx) => {
      const bad = { buyerKey: 'summit', webhookUrl: START.webhookUrl, reason: 'gone', since: now, waiting: 0 } as const;
      await disableEndpoints(tx, [bad], now);
      const failed = { ownerKind: 'buyer', ownerKey: 'summit', succeeded: false, error: 'no answer' } as const;
      await recordResults(
        tx,
        [
          { ...failed, channel: 'webhook' },
          { ...failed, channel: 'email' },
        ],
        { failures: 10, probeSeconds: 30 },
        now,
      );
    });
    await market.runtime.refresh();
    expect(await claimStatus()).toEqual({ disabled: true, ill: ['email', 'webhook'] });
  }

  it.each([START.webhookUrl, 'https://new.summit.example/x', null])(
    'is enabled again, with a reset failure count, when webhookUrl is set to %s',
    async (webhookUrl) => {
      await breakDown();
      const before = await version();
      expect((await patch({ webhookUrl })).json.webhookUrl).toBe(webhookUrl);
      expect(await claimStatus()).toEqual({ disabled: false, ill: ['email'] });
      expect(await version()).toBe(before + 1);
      const [event] = await audit();
      expect(event).toMatchObject({
        action: 'endpoint.enabled',
        actor_type: 'buyer',
        changes: { endpointDisabled: { from: true, to: false } },
      });
      await patch({ notificationEmail: START.notificationEmail });
      expect(await claimStatus()).toEqual({ disabled: false, ill: [] });
    },
  );

  it('stays disabled when another setting is changed or the change is rejected', async () => {
    await breakDown();
    await patch({ phone: '+15555550123' });
    await patch({ webhookUrl: START.webhookUrl, name: 'X' });
    await patch({ webhookUrl: START.webhookUrl }, { headers: { 'if-match': '"x"' } });
    expect(await claimStatus()).toEqual({ disabled: true, ill: ['email', 'webhook'] });
  });
});

describe('The operator’s file', () => {
  it('leaves a partner’s own change alone, and overwrites it only with a new value', async () => {
    await reset();
    await patch({ webhookUrl: 'https://new.summit.example/mine', ccEmails: ['mine@summit.example'] });
    await market.apply(yaml());
    expect((await get()).json).toMatchObject({
      webhookUrl: 'https://new.summit.example/mine',
      ccEmails: ['mine@summit.example'],
      notificationEmail: 'leads@summit.example',
    });
    await market.apply(yaml('webhookUrl: "https://crm.summit.example/leads", notificationEmail: other@summit.example'));
    expect((await get()).json).toMatchObject({
      webhookUrl: 'https://new.summit.example/mine',
      notificationEmail: 'other@summit.example',
    });
    await market.apply(yaml('webhookUrl: "https://crm.summit.example/third", notificationEmail: other@summit.example'));
    expect((await get()).json).toMatchObject({
      webhookUrl: 'https://crm.summit.example/third',
      ccEmails: ['mine@summit.example'],
    });
    await market.apply(yaml());
  });

  it('shows the change of a setting in another process at once', async () => {
    await reset();
    const other = await startTestMarketplace({
      yaml: yaml(),
      role: 'api',
      allowTargets: TARGETS,
      on: market.testDatabase,
    });
    await patch({ phone: '+15555550177' });
    const { json } = await getAsBuyer(other.url, tokens['summit'] ?? '', PATH);
    expect(json.phone).toBe('+15555550177');
    await other.close();
  });
});
