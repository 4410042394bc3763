// Facts that arise in no transaction raise one notice each, however often and by however many processes they are looked for (contract 12.3).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { firstIdOf } from '../../src/base/id-time.ts';
import { newUuid } from '../../src/base/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { createProcessCounts } from '../../src/platform/processes/process-counts.ts';
import { startProcessReport } from '../../src/platform/processes/report-process.ts';
import { watchFacts } from '../../src/watch/watch-facts.job.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const NOW = '2026-11-24T12:10:00Z';
const HOUR = 3_600_000;
let market: TestMarketplace;
let clock: HandClock;

beforeAll(async () => {
  clock = handClock(NOW);
  market = await startTestMarketplace({
    role: 'api',
    clock,
    yaml: `
suppliers: [{ key: acme, status: approved }, { key: calm, status: approved }]
partners:
  - { key: summit, billing: { mode: prepaid }, offers: [{ key: summit-offer, eventType: Lead Sale, payout: 40, caps: { daily: 2 }, budget: { monthly: 1000 } }] }
  - { key: harbor, billing: { mode: postpaid } }
`,
  });
});
afterAll(() => market.close());
beforeEach(async () => {
  await run('TRUNCATE notice CASCADE');
});

const run = (sql: string, values: readonly unknown[] = []): Promise<unknown> =>
  market.database.pool.query(sql, [...values]);
const before = (hours: number): Date => new Date(clock.now().getTime() - hours * HOUR);

/** Looks three times, twice at once. */
async function raised(): Promise<Array<Record<string, unknown>>> {
  await Promise.all([watchFacts(market.database, clock), watchFacts(market.database, clock)]);
  await watchFacts(market.database, clock);
  return select(
    market.database,
    `SELECT kind, recipient_kind || ':' || recipient_key AS recipient, data FROM notice WHERE kind <> 'funds.low' ORDER BY kind`,
  );
}

describe('Looking for facts', () => {
  it('raises nothing in a marketplace where all is well', async () => {
    expect(await raised()).toEqual([]);
  });

  it('raises low funds once, and again only after they were clearly enough', async () => {
    const balance = (cents: number) =>
      run(`UPDATE account SET balance_cents = $1 WHERE account_key = 'buyer:summit'`, [cents]);
    const lows = () =>
      select(
        market.database,
        `SELECT data FROM notice WHERE kind = 'funds.low' AND recipient_key = 'summit' ORDER BY 1`,
      );
    const look = async (cents: number) => {
      await balance(cents);
      clock.advance(1000);
      await raised();
      return (await lows()).length;
    };
    await look(50_000);
    const counts = [];
    for (const cents of [9_999, 10_500, 9_000, 11_999, 9_500, 12_000, 9_900]) counts.push(await look(cents));
    expect(counts).toEqual([1, 1, 1, 1, 1, 1, 2]);
    expect(await lows()).toEqual([
      { data: { available: 99, threshold: 100 } },
      { data: { available: 99.99, threshold: 100 } },
    ]);
    await balance(50_000);
  });

  it('tells a partner of a cap that is reached, and of a budget that is nearly spent', async () => {
    await run(
      `INSERT INTO cap_counter (offer_key, cap_window, starts_at, used, used_cents)
       VALUES ('summit-offer', 'daily', '2026-11-24', 2, 8000), ('summit-offer', 'monthly', '2026-11-01', 23, 92000)`,
    );
    const common = { offer: 'summit-offer' };
    expect(await raised()).toEqual([
      {
        kind: 'budget.low',
        recipient: 'buyer:summit',
        data: {
          ...common,
          window: 'monthly',
          spent: 920,
          limit: 1000,
          leftPercent: 8,
          until: '2026-12-01T00:00:00.000Z',
        },
      },
      {
        kind: 'cap.reached',
        recipient: 'buyer:summit',
        data: { ...common, window: 'daily', leads: 2, spend: null, until: '2026-11-25T00:00:00.000Z' },
      },
    ]);
    await run('DELETE FROM cap_counter');
  });

  it('tells operators of a supplier below its usual, and of one that is silent', async () => {
    await run(
      `INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum)
       SELECT 'acme', day::date, 'Lead Sale', 50, 0, 0 FROM generate_series('2026-10-28'::date, '2026-11-22', '1 day') AS day
       UNION ALL VALUES ('acme', '2026-11-23'::date, 'Invalid', 30::bigint, 0::bigint, 0::bigint), ('acme', '2026-11-23', 'No Buyer', 20, 0, 0)`,
    );
    const lead = (at: Date, n: number) => {
      const id = firstIdOf(at).slice(0, 24) + String(n).padStart(12, '0');
      return run(
        `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, received_at)
         VALUES ($1, 'acme', false, false, 'rejected', 'Invalid', $2)`,
        [id, at],
      );
    };
    for (let n = 0; n < 6; n += 1) await Promise.all([lead(before(7 * 24 + 3), n), lead(before(14 * 24 + 3), n)]);
    await lead(before(7), 9);
    const [acceptance, sellThrough, silent] = await raised();
    expect([acceptance?.['data'], sellThrough?.['data']]).toEqual([
      { supplier: 'acme', percent: 40, usualPercent: 100, submissions: 50, day: '2026-11-23' },
      { supplier: 'acme', percent: 0, usualPercent: 100, submissions: 50, day: '2026-11-23' },
    ]);
    expect(silent).toEqual({
      kind: 'supplier.silent',
      recipient: 'operator:',
      data: { supplier: 'acme', usual: 6, hours: 7, since: before(7).toISOString() },
    });
    await run('DELETE FROM lead_count');
    await run('DELETE FROM lead');
  });

  it('tells operators of failures, of a partner that rejects, of due claims and of processes that are gone', async () => {
    await run(
      `INSERT INTO dead_job (job_id, name, payload, attempts, error, failed_at) VALUES ($1, 'route-lead', '{}', 3, 'x', $2), ($3, 'route-lead', '{}', 3, 'x', $4)`,
      [newUuid(), before(0.5), newUuid(), before(3)],
    );
    await run(
      `INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
       VALUES ('summit', '2026-11-24', 'Failed', 'Lead Sale', 'summit-offer', 12, 0), ('summit', '2026-11-24', 'Confirmed', 'Lead Sale', 'summit-offer', 18, 0),
              ('harbor', '2026-11-24', 'Failed', 'Lead Sale', 'summit-offer', 9, 0)`,
    );
    await run(
      `INSERT INTO claim (claim_id, kind, buyer_key, delivery_id, supplier_key, event_type, reason, status, filed_at, decision_due_at, delivery_month, evidence)
       VALUES ($1, 'return', 'summit', $2, 'acme', 'Lead Sale', 'duplicate', 'submitted', $3, $4, '2026-11-01', '{}')`,
      [newUuid(), newUuid(), before(48), before(-5)],
    );
    const processId = newUuid();
    await run(`INSERT INTO process_report (process_id, role, started_at, seen_at) VALUES ($1, 'worker', $2, $3)`, [
      processId,
      before(20),
      before(0.2),
    ]);
    expect(await raised()).toMatchObject([
      {
        kind: 'claim.due',
        recipient: 'operator:',
        data: { claim: 'return', partner: 'summit', dueAt: before(-5).toISOString() },
      },
      {
        kind: 'dead.letters',
        data: { deliveries: 0, jobs: 1, since: '2026-11-24T11:00:00.000Z', until: '2026-11-24T12:00:00.000Z' },
      },
      {
        kind: 'partner.rejecting',
        data: { partner: 'summit', deliveries: 30, failed: 12, failedPercent: 40, day: '2026-11-24' },
      },
      { kind: 'process.gone', data: { process: processId, role: 'worker', lastSeenAt: before(0.2).toISOString() } },
    ]);
    await run('DELETE FROM dead_job');
    await run('DELETE FROM delivery_count');
    await run('DELETE FROM claim');
    await run('DELETE FROM process_report WHERE process_id = $1', [processId]);
  });

  describe('after an outage', () => {
    const lastLook = (at: string) =>
      run(
        `INSERT INTO scheduled_job (name, due_at, completed_at) VALUES ('watch-facts', $1, $1)
         ON CONFLICT (name) DO UPDATE SET completed_at = excluded.completed_at`,
        [at],
      );
    const kinds = async () => (await raised()).map(({ kind, data }) => [kind, (data as { since?: string }).since]);
    afterAll(async () => {
      await run('DELETE FROM scheduled_job');
      clock.set(NOW);
    });

    it('tells operators of what failed in the hours since the last look', async () => {
      await lastLook('2026-11-24T08:20:00Z');
      const jobs = ['07:30', '08:10', '08:40', '09:00', '11:59', '12:05'];
      for (const at of jobs) {
        await run(
          `INSERT INTO dead_job (job_id, name, payload, attempts, error, failed_at) VALUES ($1, 'route-lead', '{}', 3, 'x', $2)`,
          [newUuid(), `2026-11-24T${at}:00Z`],
        );
      }
      expect(await kinds()).toEqual(
        ['08', '09', '11'].map((hour) => ['dead.letters', `2026-11-24T${hour}:00:00.000Z`]),
      );
      await run('DELETE FROM dead_job');
    });

    it('tells operators of a process that was gone before the next one started, and forgets it then', async () => {
      const processId = newUuid();
      const gone = () =>
        run(`INSERT INTO process_report (process_id, role, started_at, seen_at) VALUES ($1, 'all', $2, $3)`, [
          processId,
          before(90),
          before(60),
        ]);
      await gone();
      // The next one starts, and purges what is old.
      const next = await startProcessReport({
        ...{ database: market.database, clock, role: 'all', counts: createProcessCounts(clock) },
        ...{ log: createLog('silent'), onFault: () => undefined, machineClock: clock },
      });
      expect(await raised()).toMatchObject([{ kind: 'process.gone', data: { process: processId } }]);
      await next.stop();
      expect(await select(market.database, `SELECT FROM process_report WHERE process_id = '${processId}'`)).toEqual([]);
    });

    it.each([
      ['daily', '2026-11-23T23:55:00Z', '2026-11-24', '2026-11-24T00:00:02Z'],
      ['monthly', '2026-11-30T20:00:00Z', '2026-11-01', '2026-12-01T09:00:00Z'],
    ])(
      'tells a partner of a %s limit that was reached in the last minutes of its window',
      async (window, looked, at, now) => {
        const starts = window === 'daily' ? '2026-11-23' : at;
        clock.set(now);
        await lastLook(looked);
        await run(
          `INSERT INTO cap_counter (offer_key, cap_window, starts_at, used, used_cents) VALUES ('summit-offer', $1, $2, 2, 98000)`,
          [window, starts],
        );
        // The reports of the processes stand still while the clock moves.
        const caps = (await raised()).filter(({ kind }) => kind !== 'process.gone');
        expect(caps).toMatchObject([{ kind: 'cap.reached', recipient: 'buyer:summit', data: { window } }]);
        await run('DELETE FROM cap_counter');
      },
    );
  });

  it('tells partners and suppliers of their credentials that expire within their days', async () => {
    await market.supplierKey('acme');
    await market.buyerToken('summit');
    await market.buyerToken('harbor');
    await run(`UPDATE credential SET expires_at = $1 WHERE owner_key IN ('acme', 'summit')`, [before(-24 * 13)]);
    await run(`UPDATE credential SET expires_at = $1 WHERE owner_key = 'harbor'`, [before(-24 * 15)]);
    const notices = await raised();
    expect(notices.map(({ kind, recipient }) => `${String(kind)} ${String(recipient)}`).toSorted()).toEqual([
      'credential.expiring buyer:summit',
      'credential.expiring supplier:acme',
    ]);
  });
});
