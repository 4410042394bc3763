// Tests that while storage is unavailable no request is reported as executed, and no credential is accepted or rejected for good (contract
// 1.9, 8.1).
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { newSecret } from '../../src/credentials/secret-text.ts';
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
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { onServer } from '../support/server.ts';
import { marketYaml, sampleLead } from './market.ts';

const STATS = '/api/v1/supplier/stats';
const LEADS = '/api/v1/buyer/leads';

let market: TestMarketplace;
let key: string;
let token: string;

beforeAll(async () => {
  // The clock stands still, so that the credentials stay cached for as long as the test takes.
  const clock = handClock('2026-11-20T18:00:00.000Z');
  market = await startTestMarketplace({ yaml: marketYaml(), clock });
  key = await market.supplierKey('acme-media');
  token = await market.buyerToken('summit');
  await getAsSupplier(market.url, key, STATS);
  await getAsBuyer(market.url, token, LEADS);
});
afterAll(() => market.close());

async function storage(isThere: boolean): Promise<void> {
  const name = new URL(market.testDatabase.url.replace(/@\//, '@x/')).pathname.slice(1);
  await onServer(inject('postgres').url, async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${String(isThere)}`);
    if (!isThere)
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  });
}

describe('While storage is unavailable', () => {
  let responses: Record<string, ApiResponse>;

  beforeAll(async () => {
    await storage(false);
    responses = {
      ingest: await postLead(market.url, key, sampleLead(1)),
      rejected: await postLead(market.url, key, {}),
      named: await postLead(market.url, key, sampleLead(2), { 'idempotency-key': 'away' }),
      stats: await getAsSupplier(market.url, key, STATS),
      leads: await getAsBuyer(market.url, token, LEADS),
      unknown: await getAsBuyer(market.url, newSecret('buyer_token'), LEADS),
      malformed: await getAsBuyer(market.url, 'nonsense', LEADS),
      badQuery: await getAsSupplier(market.url, key, `${STATS}?days=0`),
      badJson: await postLead(market.url, key, '{'),
      health: await call(`${market.url}/healthz`),
      ready: await call(`${market.url}/readyz`),
      metrics: await call(`${market.url}/metrics`),
    };
    await storage(true);
  });

  it.each(['ingest', 'rejected', 'named'])('a submission gets 503 and can be repeated: %s', (name) => {
    const response = responses[name] as ApiResponse;
    expect(problemFacts(response)).toEqual(ingestProblem(503, 'unavailable'));
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it.each(['stats', 'leads', 'unknown'])('a query gets 503: %s', (name) => {
    const response = responses[name] as ApiResponse;
    expect(problemFacts(response)).toEqual(problem(503, 'unavailable'));
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('errors that need no storage are still reported', () => {
    const { malformed, badQuery, badJson } = responses;
    expect([malformed?.status, badQuery?.status, badJson?.status]).toEqual([401, 400, 400]);
  });

  it('the process stays alive and reports that it is not ready', () => {
    const { health, ready, metrics } = responses;
    expect([health?.status, metrics?.status]).toEqual([200, 200]);
    expect([ready?.status, ready?.json]).toEqual([503, { status: 'unavailable', failing: ['database'] }]);
  });
});

describe('When storage is available again', () => {
  it('everything works again, and repetitions were safe', async () => {
    await eventually('it is ready', async () => (await call(`${market.url}/readyz`)).status === 200);
    const repeats = [
      await postLead(market.url, key, sampleLead(1)),
      await postLead(market.url, key, sampleLead(1)),
      await postLead(market.url, key, sampleLead(2), { 'idempotency-key': 'away' }),
    ];
    expect(repeats.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [202, null],
      [202, 'true'],
      [202, null],
    ]);
    // The workers, too.
    const sold = await eventually('both are sold', async () => {
      const { total } = (await getAsBuyer(market.url, token, LEADS)).json;
      return total === 2 ? total : null;
    });
    expect(sold).toBe(2);
  });
});
