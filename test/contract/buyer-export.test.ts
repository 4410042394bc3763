// Tests GET /api/v1/buyer/export of the running service: every delivery once, as stored, in a valid file (contract 6.6).
import type { CredentialId } from '../../src/base/ids.ts';
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { registerExport } from '../../src/deliveries/export/export.route.ts';
import { createExportSlots } from '../../src/deliveries/export/export-slots.ts';
import type { App } from '../../src/platform/http/app.ts';
import { registerScope } from '../../src/platform/http/scope.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { type ApiResponse, call, getAsBuyer, postLead, problem, problemFacts } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { openRaw, portOf, requestText } from '../support/raw-http.ts';
import type { Json } from '../support/scope-app.ts';
import { marketYaml, sampleLead } from './market.ts';

const PATH = '/api/v1/buyer/export';
const DAY_MS = 86_400_000;
const COLUMNS =
  'deliveryId,deliveryRef,eventType,status,payout,deliveredAt,returned,fullName,email,phone,state,debtAmount,tcpaConsent,consentTimestamp,consentVersion,leadIp,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,sourceUrl';

type Row = Readonly<Record<string, string>>;

/** By column name. */
function rowsOf(text: string): Row[] {
  return parse(text, { columns: true, record_delimiter: '\r\n' });
}

/** The bytes of the response as sent, which fetch would decompress. */
async function getBytes(
  url: string,
  headers: Record<string, string>,
): Promise<{ response: IncomingMessage; bytes: Buffer }> {
  const sent = openRequest(url, { headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { response, bytes: Buffer.concat(chunks) };
}

describe('The export', () => {
  let market: TestMarketplace;
  let token: string;
  let all: ApiResponse;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    token = await market.buyerToken('summit');
    const statuses = ['Confirmed', 'Pending', 'Failed', 'Returned'] as const;
    const first = Date.UTC(2026, 9, 1);
    const seeds = Array.from({ length: 40 }, (_, at) => ({
      at: new Date(first + Math.floor(at / 2) * DAY_MS + (at % 2) * (DAY_MS - 1)),
      status: statuses[at % 4] ?? 'Confirmed',
    }));
    const whole = {
      at: new Date('2026-10-25T12:00:00.123Z'),
      eventType: 'Calendar Assigned',
      payoutCents: 12_050,
      appointmentAt: new Date('2026-10-28T17:30:00.000Z'),
      fields: {
        fullName: 'Rivera, Jordan "Jo"\nof CA',
        debtAmountCents: 99_999_999_999,
        ...{ consentVersion: 'v7', utmMedium: '=cpc', utmCampaign: 'a,b', utmTerm: '-5', utmContent: "'x" },
      },
    } as const;
    const bare = {
      at: new Date('2026-10-26T12:00:00.000Z'),
      fields: {
        ...{ email: null, phone: null, state: null, debtAmountCents: null, consentTimestamp: null, tcpaConsent: false },
        ...{ leadIp: null, utmSource: null, sourceFormUrl: null },
      },
    };
    await plantDeliveries(market.database, 'summit', [...seeds, whole, bare]);
    await plantDeliveries(market.database, 'harbor', [
      { at: new Date('2026-10-05T12:00:00.000Z'), fields: { fullName: 'For Harbor' } },
    ]);
    all = await get('');
  });
  afterAll(() => market.close());

  const get = (query: string): Promise<ApiResponse> => getAsBuyer(market.url, token, `${PATH}${query}`);

  it('is a file for download that must not be cached', async () => {
    const { status, headers } = await get('?from=2026-10-01&to=2026-10-31');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="deliveries_2026-10-01_2026-10-31.csv"');
    expect([headers.get('cache-control'), headers.get('vary'), headers.get('etag')]).toEqual([
      'no-store',
      'Accept-Encoding',
      null,
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('ratelimit-limit')).toBe('100000');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('begins with the columns of the contract, without a byte order mark, and ends every line with CRLF', () => {
    expect(all.text.startsWith(`${COLUMNS}\r\n`)).toBe(true);
    expect(all.text.endsWith('\r\n')).toBe(true);
    expect(all.text.replaceAll('\r\n', '').replace('"Rivera, Jordan ""Jo""\nof CA"', '')).not.toMatch(/[\r\n]/);
  });

  it('begins with a byte order mark for Excel, and is the same otherwise', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const bytes = await (await fetch(`${market.url}${PATH}?for=excel`, { headers })).bytes();
    expect(Buffer.from(bytes.subarray(0, 3)).toString('hex')).toBe('efbbbf');
    expect(Buffer.from(bytes.subarray(3)).toString('utf8')).toBe(all.text);
  });

  it('has the rows of the list, in its order', async () => {
    const { json } = await getAsBuyer(market.url, token, '/api/v1/buyer/leads?pageSize=100');
    const text = (value: string | boolean | null): string => String(value ?? '');
    const money = (value: unknown): string => (value === null ? '' : Number(value).toFixed(2));
    const listed = json.data.map(({ lead, ...delivery }: Json) => ({
      ...{ deliveryId: delivery.deliveryId, deliveryRef: delivery.deliveryRef, eventType: delivery.eventType },
      ...{ status: delivery.status, payout: money(delivery.payout), deliveredAt: delivery.deliveredAt },
      ...{ returned: text(delivery.returned), fullName: lead.fullName, email: text(lead.email) },
      ...{ phone: text(lead.phone), state: text(lead.state), debtAmount: money(lead.debtAmount) },
      ...{ tcpaConsent: text(lead.tcpaConsent), consentTimestamp: text(lead.consentTimestamp) },
      ...{ leadIp: text(lead.leadIp), utmSource: text(lead.utmSource), sourceUrl: text(lead.sourceUrl) },
    }));
    expect(listed).toHaveLength(42);
    expect(rowsOf(all.text)).toMatchObject(listed);
  });

  it('has the columns that the list lacks, quoted if necessary and with formulas escaped', () => {
    const rows = rowsOf(all.text);
    expect(rows.find(({ eventType }) => eventType === 'Calendar Assigned')).toMatchObject({
      deliveryRef: expect.stringMatching(/^CA-\d+$/),
      payout: '120.50',
      deliveredAt: '2026-10-25T12:00:00.123Z',
      fullName: 'Rivera, Jordan "Jo"\nof CA',
      phone: '+15555550123',
      debtAmount: '999999999.99',
      consentVersion: 'v7',
      utmMedium: "'=cpc",
      utmCampaign: 'a,b',
      utmTerm: '-5',
      utmContent: "'x",
    });
    expect(all.text).toContain(',120.50,2026-10-25T12:00:00.123Z,false,"Rivera, Jordan ""Jo""\nof CA",');
    const bare = rows.find(({ deliveredAt }) => deliveredAt === '2026-10-26T12:00:00.000Z');
    expect(Object.values(bare ?? {}).slice(7)).toEqual([
      'Jordan Rivera',
      '',
      '',
      '',
      '',
      'false',
      ...Array(9).fill(''),
    ]);
  });

  it('contains no delivery of another partner', () => {
    for (const secret of ['Harbor', 'harbor', 'acme', 'score', 'Rivera Bakery', 'summit-west']) {
      expect([secret, all.text.includes(secret)]).toEqual([secret, false]);
    }
  });

  it.each([
    ['', 42],
    ['status=Confirmed', 12],
    ['status=confirmed', 12],
    ['status=pENDING', 10],
    ['status=failed', 10],
    ['status=Returned', 10],
    ['from=2026-10-01&to=2026-10-01', 2],
    ['from=2026-10-02&to=2026-10-03', 4],
    ['to=2026-10-01', 2],
    ['to=2026-09-30', 0],
    ['from=2026-10-20', 4],
    ['from=2026-10-27', 0],
    ['from=2026-10-01&to=2026-10-04&status=returned', 2],
    ['from=0001-01-01&to=9999-12-31', 42],
    ['page=2&pageSize=1&unknown=1&unknown=2&Status=Failed', 42],
  ])('with %s has %i deliveries', async (query, count) => {
    const { status, text } = await get(`?${query}`);
    const rows = rowsOf(text);
    expect([status, rows.length, text.startsWith(`${COLUMNS}\r\n`)]).toEqual([200, count, true]);
  });

  it.each<readonly [string, ReadonlyArray<readonly [field: string, code: string]>]>([
    ['status=', [['status', 'empty']]],
    ['status=Sold', [['status', 'not_allowed_value']]],
    ['status=Failed&status=Failed', [['status', 'repeated']]],
    ['from=', [['from', 'empty']]],
    ['from=2026-02-30', [['from', 'invalid_format']]],
    ['from=2026-10-01T00:00:00Z', [['from', 'invalid_format']]],
    ['to=0000-01-01', [['to', 'invalid_format']]],
    ['to=2026-10-01&to=2026-10-02', [['to', 'repeated']]],
    ['from=2026-10-02&to=2026-10-01', [['from', 'out_of_range']]],
    [
      'status=x&to=yesterday&from=',
      [
        ['from', 'empty'],
        ['to', 'invalid_format'],
        ['status', 'not_allowed_value'],
      ],
    ],
    [
      'status=x&from=2026-10-02&to=2026-10-01',
      [
        ['status', 'not_allowed_value'],
        ['from', 'out_of_range'],
      ],
    ],
  ])('rejects %s', async (query, faults) => {
    const response = await get(`?${query}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors.map(({ field, code }: Json) => [field, code])).toEqual(faults);
    expect(response.headers.get('content-disposition')).toBeNull();
  });

  it('is compressed only for clients that accept it', async () => {
    const ask = (encoding?: string) =>
      getBytes(market.url + PATH, {
        authorization: `Bearer ${token}`,
        ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      });
    for (const encoding of ['gzip', 'br, gzip;q=0.5']) {
      const { response, bytes } = await ask(encoding);
      expect([response.headers['content-encoding'], response.headers['vary']]).toEqual(['gzip', 'Accept-Encoding']);
      expect(gunzipSync(bytes).toString('utf8')).toBe(all.text);
    }
    for (const encoding of [undefined, 'identity', 'br', 'gzip;q=0']) {
      const { response, bytes } = await ask(encoding);
      expect([response.headers['content-encoding'], response.headers['vary']]).toEqual([undefined, 'Accept-Encoding']);
      expect(bytes.toString('utf8')).toBe(all.text);
    }
  });

  it('responds to HEAD with its headers', async () => {
    const response = await call(market.url + PATH, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8',
    ]);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="deliveries_until_[\d-]+\.csv"$/,
    );
  });

  it('counts against the rate limit like every other response', async () => {
    const { text } = await call(`${market.url}/metrics`);
    expect(text).toMatch(/http_request_duration_seconds_count\{[^}]*\/api\/v1\/buyer\/export[^}]*\} [1-9]/);
  });

  it('is refused to a suspended partner and without a token', async () => {
    const frozen = await getAsBuyer(market.url, await market.buyerToken('frozen'), PATH);
    expect(problemFacts(frozen)).toEqual(problem(403, 'partner_suspended'));
    expect(problemFacts(await call(market.url + PATH))).toEqual(problem(401, 'unauthorized'));
  });

  it('contains only the columns for a partner without deliveries', async () => {
    const resting = await getAsBuyer(market.url, await market.buyerToken('resting'), PATH);
    expect([resting.status, resting.text]).toEqual([200, `${COLUMNS}\r\n`]);
  });
});

describe('A formula from a supplier', () => {
  it('is escaped in the export and shown as sent in the list', async () => {
    const market = await startTestMarketplace({ yaml: marketYaml() });
    const [key, token] = [await market.supplierKey('acme-media'), await market.buyerToken('summit')];
    const formulas = [
      '=1+1',
      '+1+1',
      '-1+1',
      '@SUM(A1)',
      '＝1+1',
      '＋1+1',
      '－1+1',
      '＠SUM(A1)',
      '=HYPERLINK("https://x.example","y")',
      "=cmd|' /C calc'!A0",
    ];
    for (const [serial, formula] of formulas.entries()) {
      await postLead(
        market.url,
        key,
        sampleLead(serial, { full_name: formula, utm_term: formula, consent_version: formula }),
      );
    }
    const rows = await eventually('all are sold', async () => {
      const read = rowsOf((await getAsBuyer(market.url, token, `${PATH}?status=confirmed`)).text);
      return read.length === formulas.length ? read : null;
    });
    expect(new Set(rows.map(({ fullName }) => fullName))).toEqual(new Set(formulas.map((formula) => `'${formula}`)));
    for (const { fullName, utmTerm, consentVersion, phone } of rows) {
      expect([utmTerm, consentVersion]).toEqual([fullName, fullName]);
      expect(phone).toMatch(/^\+1555\d{7}$/);
    }
    const { json } = await getAsBuyer(market.url, token, '/api/v1/buyer/leads');
    expect(new Set(json.data.map(({ lead }: Json) => lead.fullName))).toEqual(new Set(formulas));
    await market.close();
  });
});

describe('An export of many pages', () => {
  let market: TestMarketplace;
  let token: string;
  let port: number;
  const ROWS = 4000;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    token = await market.buyerToken('summit');
    port = Number(new URL(market.url).port);
    await plantMany(market, ROWS);
  });
  afterAll(() => market.close());

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const stalled = () => {
    const connection = openRaw(port);
    connection.pause();
    connection.send(requestText(`GET ${PATH}`, headers()));
    return connection;
  };
  /** Sessions that wait in the middle of a transaction. */
  const waiting = async (): Promise<number[]> => {
    const rows = await select<{ pid: number }>(
      market.database,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE 'FETCH%'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const soMany = (count: number) =>
    eventually(`${count} exports wait for their clients`, async () =>
      (await waiting()).length === count ? true : null,
    );

  it('has every delivery once, newest first', async () => {
    const ask = (encoding: string) => getBytes(market.url + PATH, { ...headers(), 'accept-encoding': encoding });
    const { bytes } = await ask('identity');
    const order = rowsOf(bytes.toString('utf8')).map(({ deliveredAt, deliveryId }) => `${deliveredAt} ${deliveryId}`);
    expect(order).toHaveLength(ROWS);
    expect(new Set(order).size).toBe(ROWS);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(gunzipSync((await ask('gzip')).bytes).equals(bytes)).toBe(true);
    await soMany(0);
  });

  it('releases its connection when the client hangs up', async () => {
    const connection = stalled();
    await soMany(1);
    connection.destroy();
    await soMany(0);
    expect(await waiting()).toEqual([]);
  });

  it('runs once at a time for each partner over API and portal, beside small exports', async () => {
    const connection = stalled();
    await soMany(1);
    const portal = await market.signedIn.buyer('summit');
    for (const ask of [() => getAsBuyer(market.url, token, PATH), () => portal.get(`/portal${PATH}`)]) {
      const refused = await ask();
      expect(problemFacts(refused)).toEqual(problem(429, 'rate_limited'));
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('content-disposition')).toBeNull();
    }
    const small = await getAsBuyer(market.url, token, `${PATH}?from=2020-01-01&to=2020-01-01`);
    expect([small.status, small.text]).toEqual([200, `${COLUMNS}\r\n`]);
    connection.destroy();
    await soMany(0);
    const again = await getAsBuyer(market.url, token, PATH);
    expect([again.status, again.text.split('\r\n').length]).toEqual([200, ROWS + 2]);
  });

  it('is refused with 503 while four other partners have one running', async () => {
    const slots = createExportSlots();
    const others = ['a', 'b', 'c', 'd'];
    expect([...others, 'e'].map((key) => slots.take(key))).toEqual(['taken', 'taken', 'taken', 'taken', 'all_busy']);
    const app = await exportAlone(market, { slots });
    const url = `http://127.0.0.1:${portOf(app)}${PATH}`;
    const refused = await call(url, { headers: headers() });
    expect(problemFacts(refused)).toEqual(problem(503, 'unavailable'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    slots.release('a');
    expect((await call(url, { headers: headers() })).status).toBe(200);
    await app.close();
  });

  it('does not look complete if it breaks off in the middle', async () => {
    const sent = openRequest(market.url + PATH, { headers: headers() });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // Nothing is read until its session is gone.
    const [pid] = await eventually('it waits for its client', async () => {
      const pids = await waiting();
      return pids.length === 1 ? pids : null;
    });
    await select(market.database, 'SELECT pg_terminate_backend($1)', [pid]);
    const read = async (): Promise<void> => {
      for await (const chunk of response) expect(chunk).toBeDefined();
    };
    await expect(read()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    await soMany(0);
    expect((await getAsBuyer(market.url, token, `${PATH}?status=failed`)).status).toBe(200);
  });

  describe.each([
    ['takes nothing for longer than it may', { chunkTimeoutMs: 50, totalTimeoutMs: 3_600_000 }],
    ['is not done when its time is over', { chunkTimeoutMs: 3_600_000, totalTimeoutMs: 50 }],
  ])('for a client that %s', (_, limits) => {
    it('is cut off, and releases its connection', async () => {
      const app = await exportAlone(market, { limits });
      const connected = once(app.server, 'connection');
      const connection = openRaw(portOf(app));
      connection.pause();
      connection.send(requestText(`GET ${PATH}`, headers()));
      await connected;
      await eventually('it is cut off', () => app.lifecycle.sockets.size === 0);
      await soMany(0);
      connection.destroy();
      await app.close();
      expect(await waiting()).toEqual([]);
    });
  });
});

/** Serves the route with other limits or slots, to one partner. */
async function exportAlone(
  market: TestMarketplace,
  { limits, slots = createExportSlots() }: Partial<Parameters<typeof registerExport>[1]>,
): Promise<App> {
  const clock = { now: () => new Date() };
  const app = createServer({ log: pino({ level: 'silent' }), trustProxy: [] });
  registerScope(app, {
    ...{ name: 'buyer', header: 'authorization', clock },
    authenticate: () => ({ credentialId: 'c' as CredentialId, ownerKey: 'summit' }),
    rateLimitOf: () => ({ perSecond: 1000, burst: 1000 }),
    routes: (scope) =>
      registerExport(scope, { database: market.database, clock, slots, ...(limits === undefined ? {} : { limits }) }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

/** More than socket buffers hold: some 6 KB each, at five a minute, so that many share their time with others. */
async function plantMany({ database }: TestMarketplace, rows: number): Promise<void> {
  await plantDeliveries(database, 'summit', [{ at: new Date('2026-11-01T00:00:00.000Z') }]);
  await select(
    database,
    `WITH model AS (SELECT d.*, l.fields, l.score FROM delivery d JOIN lead l USING (lead_id) WHERE buyer_key = 'summit'),
     made AS (SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS other, date_trunc('minute', delivered_at + n * interval '12 seconds') AS at, model.*
              FROM model, generate_series(2, $1::int) AS n),
     leads AS (INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at, decided_at, content_hash, fields, raw_body)
               SELECT id, 'acme-media', false, true, 'routed', 'Lead Sale', 70, '{}', at, at, '\\x00',
                      (fields::jsonb || jsonb_build_object('utmTerm', repeat(md5(n::text), 60), 'utmContent', repeat(md5(n::text), 60), 'utmCampaign', repeat(md5(n::text), 60)))::text, '{}'
               FROM made),
     counted AS (INSERT INTO delivery_count SELECT 'summit', (at AT TIME ZONE 'UTC')::date, 'Confirmed', 'Lead Sale', 'west', count(*), sum(payout_cents) FROM made GROUP BY 2)
     INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents, cap_windows, delivered_at, confirmed_at)
     SELECT other, 'summit', id, 'west', 'acme-media', 'Lead Sale', true, 'Confirmed', payout_cents, '[]', at, at FROM made`,
    [rows],
  );
}
