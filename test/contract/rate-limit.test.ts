// Tests the rate limit of a credential, its headers and its reset (contract 1.12).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  type ApiResponse,
  call,
  getAsBuyer,
  getAsSupplier,
  ingestProblem,
  postLead,
  problem,
  problemFacts,
} from '../support/api-client.ts';
import { createRateLimiter } from '../../src/platform/http/rate-limit.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { marketYaml, sampleLead } from './market.ts';

const STATS = '/api/v1/supplier/stats';
const LEADS = '/api/v1/buyer/leads';
const RATE = '{ perSecond: 2, burst: 5 }';
const clock = handClock('2026-11-20T18:00:00.000Z');

let market: TestMarketplace;
/** Fresh for each test. */
let key: string;
let token: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml({ acmeRate: RATE, summitRate: RATE }), role: 'api', clock });
});
afterAll(() => market.close());
beforeEach(async () => {
  key = await market.supplierKey('acme-media');
  token = await market.buyerToken('summit');
});
afterEach(() => clock.advance(60_000));

const stats = (as: string = key): Promise<ApiResponse> => getAsSupplier(market.url, as, STATS);
const leads = (): Promise<ApiResponse> => getAsBuyer(market.url, token, LEADS);

function limits({ status, headers }: ApiResponse): unknown[] {
  return [
    status,
    ...['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`)),
    headers.get('retry-after'),
  ];
}

async function times(count: number, send: () => Promise<ApiResponse>): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  for (let sent = 0; sent < count; sent += 1) responses.push(await send());
  return responses;
}

describe('A credential', () => {
  it('has as many requests at once as its burst, and responses with the remaining number', async () => {
    expect((await times(6, () => stats())).map(limits)).toEqual([
      [200, '5', '4', '1', null],
      [200, '5', '3', '1', null],
      [200, '5', '2', '2', null],
      [200, '5', '1', '2', null],
      [200, '5', '0', '3', null],
      [429, '5', '0', '3', '1'],
    ]);
  });

  it('has another one after the time of one, and all of them after RateLimit-Reset', async () => {
    await times(5, () => stats());
    clock.advance(499);
    expect((await stats()).status).toBe(429);
    clock.advance(1);
    expect((await times(2, () => stats())).map(({ status }) => status)).toEqual([200, 429]);
    clock.advance(3000);
    expect((await times(6, () => stats())).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('is accepted after a wait of Retry-After', async () => {
    await market.apply(marketYaml({ acmeRate: '{ perSecond: 0.15, burst: 1 }', summitRate: RATE }));
    await stats();
    const refused = await stats();
    expect(limits(refused)).toEqual([429, '1', '0', '7', '7']);
    clock.advance(7000);
    const later = await stats();
    await market.apply(marketYaml({ acmeRate: RATE, summitRate: RATE }));
    expect(later.status).toBe(200);
  });

  it('has one limit over all its routes', async () => {
    const mixed = [
      await stats(),
      await postLead(market.url, key, sampleLead(1)),
      await postLead(market.url, key, {}),
      await postLead(market.url, key, '{'),
      await getAsSupplier(market.url, key, `${STATS}?days=0`),
      await stats(),
      await postLead(market.url, key, sampleLead(2)),
    ];
    expect(mixed.map(({ status }) => status)).toEqual([200, 202, 422, 400, 400, 429, 429]);
    expect(mixed.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0', '0']);
  });

  it('has a limit separate from other credentials of its owner', async () => {
    const other = await market.supplierKey('acme-media');
    const responses = [...(await times(6, () => stats())), await stats(other)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 200]);
    expect(responses.at(-1)?.headers.get('ratelimit-remaining')).toBe('4');
  });

  it('loses no requests for unknown paths, methods and credentials', async () => {
    const headers = { 'x-api-key': key };
    await call(`${market.url}/api/v1/nothing`, { headers });
    await call(market.url + STATS, { method: 'DELETE', headers });
    await call(market.url + STATS, { headers: { 'x-api-key': `${key}x` } });
    expect((await stats()).headers.get('ratelimit-remaining')).toBe('4');
  });

  it('of a buyer is limited in the same way', async () => {
    const responses = await times(6, leads);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(limits(responses[5] as ApiResponse)).toEqual([429, '5', '0', '3', '1']);
  });
});

describe('A response 429', () => {
  it('is a problem document, on the ingest path with its further members', async () => {
    await times(5, () => stats());
    await times(5, leads);
    expect(problemFacts(await stats())).toEqual(problem(429, 'rate_limited'));
    expect(problemFacts(await leads())).toEqual(problem(429, 'rate_limited'));
    expect(problemFacts(await postLead(market.url, key, sampleLead(3)))).toEqual(ingestProblem(429, 'rate_limited'));
  });

  it('has no effect', async () => {
    await times(5, () => stats());
    const { external_id: _, ...lead } = sampleLead(4);
    const named = { 'idempotency-key': 'limited' };
    expect((await postLead(market.url, key, lead, named)).status).toBe(429);
    clock.advance(60_000);
    const response = await postLead(market.url, key, lead, named);
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([202, null]);
  });
});

describe('The limits', () => {
  it('are by default 100 a second and 200 at once for a supplier, 10 and 20 for a buyer', async () => {
    const yaml = marketYaml({ acmeRate: '{}', summitRate: '{}' });
    await market.apply(yaml);
    const first = [await stats(), await leads()];
    const rest = [await times(200, () => stats()), await times(20, leads)];
    clock.advance(100);
    const later = [await times(11, () => stats()), await times(2, leads)];
    await market.apply(marketYaml({ acmeRate: RATE, summitRate: RATE }));
    expect(first.map((response) => limits(response).slice(0, 3))).toEqual([
      [200, '200', '199'],
      [200, '20', '19'],
    ]);
    expect(rest.map((responses) => responses.filter(({ status }) => status === 200).length)).toEqual([199, 19]);
    expect(later.map((responses) => responses.filter(({ status }) => status === 200).length)).toEqual([10, 1]);
  });

  it('change with the configuration, for a credential in use', async () => {
    await times(5, () => stats());
    expect((await stats()).status).toBe(429);
    await market.apply(marketYaml({ acmeRate: '{ perSecond: 50, burst: 100 }', summitRate: RATE }));
    // Used requests stay used for the second that Retry-After named.
    clock.advance(1000);
    const wider = await stats();
    await market.apply(marketYaml({ acmeRate: '{ perSecond: 1, burst: 1 }', summitRate: RATE }));
    const narrower = await stats();
    clock.advance(1000);
    const later = await stats();
    await market.apply(marketYaml({ acmeRate: RATE, summitRate: RATE }));
    expect([wider.status, wider.headers.get('ratelimit-limit')]).toEqual([200, '100']);
    expect([narrower.status, narrower.headers.get('ratelimit-limit')]).toEqual([429, '1']);
    expect(later.status).toBe(200);
  });

  it('hold for concurrent requests over many connections', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => stats()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  });
});

describe('Rejections', () => {
  it('are held back a little where a credential is rejected more often than its rate allows requests', async () => {
    const limiter = createRateLimiter();
    const responded: number[] = [];
    const rate = { perSecond: 2, burst: 5 };
    for (let number = 1; number <= 6; number += 1) limiter.reject('flooding', rate, () => responded.push(number));
    limiter.reject('other', rate, () => responded.push(100));
    // At once: two, or four if the second of the count ended in between.
    expect(responded.length).toBeLessThanOrEqual(5);
    expect(responded).toEqual(expect.arrayContaining([1, 2, 100]));
    await eventually('all have their response', () => responded.length === 7);
  });

  it('reach every client of a flood', async () => {
    const responses = await Promise.all(Array.from({ length: 300 }, () => stats()));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(295);
  });
});
