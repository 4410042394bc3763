// Tests GET /api/v1/supplier/stats of the running service: exact at any instant, by UTC days (contract 3.9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, getAsSupplier, postLead, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { marketYaml, sampleLead } from './market.ts';

const PATH = '/api/v1/supplier/stats';

type Stats = {
  readonly days: number;
  readonly supplierKey: string;
  readonly totals: Record<'submitted' | 'routed' | 'rejected' | 'pending' | 'acceptanceRate' | 'avgScore', number>;
  readonly byStatus: Record<string, number>;
};

describe('The statistics', () => {
  let market: TestMarketplace;
  let key: string;
  // The clock only ever moves forward.
  const clock = handClock('2025-11-20T18:00:00.000Z');

  beforeAll(async () => {
    // Without workers, so that submitted leads stay pending.
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock });
    key = await market.supplierKey('acme-media');
  });
  afterAll(() => market.close());

  const stats = (query = '', as = key): Promise<ApiResponse> => getAsSupplier(market.url, as, `${PATH}${query}`);

  it('of a supplier that has submitted nothing are all zero', async () => {
    const { status, json } = await stats('', await market.supplierKey('rival-media'));
    expect([status, json]).toEqual([
      200,
      {
        days: 30,
        supplierKey: 'rival-media',
        totals: { submitted: 0, routed: 0, rejected: 0, pending: 0, acceptanceRate: 0, avgScore: 0 },
        byStatus: {},
      },
    ]);
  });

  it('have exactly the members of the contract', async () => {
    const { json } = await stats();
    expect(Object.keys(json)).toEqual(['days', 'supplierKey', 'totals', 'byStatus']);
    expect(Object.keys(json.totals)).toEqual([
      'submitted',
      'routed',
      'rejected',
      'pending',
      'acceptanceRate',
      'avgScore',
    ]);
  });

  it('cover UTC days, today included', async () => {
    const acme = key;
    const submit = async (at: string, serial: number): Promise<void> => {
      clock.set(at);
      expect((await postLead(market.url, acme, sampleLead(serial, { consent_timestamp: null }))).status).toBe(202);
    };
    await submit('2025-11-20T23:59:59.999Z', 10);
    await submit('2025-11-21T00:00:00.000Z', 11);
    await submit('2026-10-21T23:59:59.999Z', 12);
    await submit('2026-10-22T00:00:00.000Z', 13);
    await submit('2026-11-19T23:59:59.999Z', 14);
    await submit('2026-11-20T00:00:00.000Z', 15);
    const submitted = async (query: string): Promise<unknown> => (await stats(query)).json.totals.submitted;
    for (const at of ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z']) {
      clock.set(at);
      expect([
        await submitted('?days=1'),
        await submitted('?days=2'),
        await submitted('?days=30'),
        await submitted(''),
      ]).toEqual([1, 2, 3, 3]);
      expect([await submitted('?days=31'), await submitted('?days=364'), await submitted('?days=365')]).toEqual([
        4, 4, 5,
      ]);
    }
    clock.set('2026-11-21T00:00:00.000Z');
    expect([await submitted('?days=1'), await submitted('?days=2'), await submitted('?days=365')]).toEqual([0, 1, 4]);
  });

  it('count a lead from its response on', async () => {
    const rival = await market.supplierKey('rival-media');
    const first = await postLead(market.url, rival, sampleLead(1));
    const second = await postLead(market.url, rival, { full_name: 'Jordan', email: 'j@example.com' });
    await postLead(market.url, rival, {});
    const { json } = await stats('', rival);
    expect(json).toMatchObject({
      totals: { submitted: 3, routed: 0, rejected: 1, pending: 2, acceptanceRate: 0 },
      byStatus: { Pending: 2, Invalid: 1 },
    });
    // Over the accepted ones.
    expect(json.totals.avgScore).toBe(Math.round(((first.json.score + second.json.score) / 2) * 10) / 10);
  });

  it.each(['1', '30', '365'])('accept days=%s and return it', async (days) => {
    const { status, json } = await stats(`?days=${days}`);
    expect([status, json.days]).toEqual([200, Number(days)]);
  });

  it.each([
    ['0', 'out_of_range'],
    ['366', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['-0', 'wrong_type'],
    ['1.5', 'wrong_type'],
    ['1.0', 'wrong_type'],
    ['1e1', 'wrong_type'],
    ['0x1e', 'wrong_type'],
    ['030', 'wrong_type'],
    ['%2B5', 'wrong_type'],
    ['+5', 'wrong_type'],
    ['5%20', 'wrong_type'],
    ['thirty', 'wrong_type'],
    ['NaN', 'wrong_type'],
    ['null', 'wrong_type'],
    ['٣', 'wrong_type'],
    ['99999999999999999999', 'wrong_type'],
    ['', 'empty'],
    ['7&days=7', 'repeated'],
    ['7&days=', 'repeated'],
  ])('reject days=%s', async (days, code) => {
    const response = await stats(`?days=${days}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors).toEqual([{ field: 'days', code, message: expect.any(String) }]);
  });

  it('reject a parameter without an equals sign', async () => {
    expect((await stats('?days')).json.errors).toMatchObject([{ field: 'days', code: 'empty' }]);
  });

  it('ignore unknown, repeated and empty parameters', async () => {
    const { status, json } = await stats('?Days=0&day=x&x=1&x=2&y=&__proto__=1&constructor=2&days[]=5');
    expect([status, json.days]).toEqual([200, 30]);
  });

  it('are readable for a supplier of every status', async () => {
    for (const supplier of ['newcomer', 'halted']) {
      const { status, json } = await stats('', await market.supplierKey(supplier));
      expect([status, json.supplierKey, json.totals.submitted]).toEqual([200, supplier, 0]);
    }
  });
});

describe('Under load', () => {
  it('the statistics agree with each other at every instant, and with the final sales', async () => {
    const market = await startTestMarketplace({ yaml: marketYaml() });
    const key = await market.supplierKey('acme-media');
    let isDone = false;
    const looks: Stats[] = [];
    const watch = async (): Promise<void> => {
      while (!isDone) looks.push((await getAsSupplier(market.url, key, PATH)).json as Stats);
    };
    // Sold, without a buyer, a duplicate of a sold lead, invalid, not counted, and sent twice.
    const bodies = Array.from({ length: 240 }, (_, serial) => {
      const kind = serial % 6;
      if (kind === 0) return sampleLead(serial);
      if (kind === 1) return sampleLead(serial, { state: 'TX' });
      if (kind === 2) return sampleLead(serial, { email: sampleLead(serial - 2)['email'] });
      if (kind === 3) return sampleLead(serial, { email: 'no' });
      return kind === 4 ? sampleLead(serial, { test: true }) : sampleLead(serial - 5);
    });
    const send = async (): Promise<void> => {
      for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) await postLead(market.url, key, body);
    };
    const watching = [watch(), watch()];
    await Promise.all(Array.from({ length: 16 }, send));
    for (;;) {
      const { pending } = ((await getAsSupplier(market.url, key, PATH)).json as Stats).totals;
      if (pending === 0) break;
    }
    isDone = true;
    await Promise.all(watching);
    const last = (await getAsSupplier(market.url, key, PATH)).json as Stats;
    await market.close();

    const contradictions = looks.filter(({ totals, byStatus }) => {
      const sum = Object.values(byStatus).reduce((total, count) => total + count, 0);
      const counts = [totals.submitted, totals.routed, totals.rejected, totals.pending, ...Object.values(byStatus)];
      return (
        totals.submitted !== totals.routed + totals.rejected + totals.pending ||
        sum !== totals.submitted ||
        counts.some((count) => !Number.isInteger(count) || count < 0) ||
        totals.acceptanceRate !==
          (totals.submitted === 0 ? 0 : Math.round((1000 * totals.routed) / totals.submitted) / 10)
      );
    });
    expect(contradictions).toEqual([]);
    expect(looks.length).toBeGreaterThan(10);
    expect(last.totals).toMatchObject({ submitted: 160, routed: 40, rejected: 120, pending: 0, acceptanceRate: 25 });
    expect(last.byStatus).toEqual({ 'Lead Sale': 40, Duplicate: 40, 'No Buyer': 40, Invalid: 40 });
  });
});
