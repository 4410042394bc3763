// Leases and results of attempts, step by step with a given clock: cases that the service reaches only when workers die, clocks differ or
// two workers act at once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { LeadId } from '../../src/base/ids.ts';
import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import type { AttemptResult, FinishReport } from '../../src/deliveries/sending/finish-attempts.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import { createMarketReader, type MarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { leadBody } from '../support/leads.ts';
import { responded, beginDue, finishWith, resultOf } from '../support/sendings.ts';
import { type StoredMarket, storeMarket } from '../support/stored-market.ts';

const ORIGIN = 'http://127.0.0.1:9';
const start = Date.parse('2026-11-24T12:00:00.000Z');
const at = (seconds: number): Date => new Date(start + seconds * 1000);

/** Nevada leads have one buyer, California leads two shared buyers or else a third, and New York leads one other. */
const yaml = `
suppliers: [{ key: acme, status: approved }]
partners:
${['summit', 'harbor']
  .map(
    (key) => `
  - key: ${key}
    channels: [webhook]
    settings: { webhookUrl: "${ORIGIN}/${key}" }
    offers:
      - { key: ${key}-share, eventType: Lead Sale, payout: 40, sale: { sharedWith: 2 }, filters: { states: [CA] } }
      - { key: ${key}-alone, eventType: Lead Sale, payout: 50, filters: { states: [${key === 'summit' ? 'NY' : 'NV'}] } }`,
  )
  .join('')}
  - { key: keystone, offers: [{ key: rest, eventType: Lead Sale, payout: 1, filters: { states: [CA] } }] }
`;

let marketplace: StoredMarket;
let market: MarketReader;
let serial = 0;

beforeEach(async () => {
  market = createMarketReader();
  marketplace = await storeMarket({ yaml, allowTargets: [ORIGIN], clock: { now: () => at(-3600) } });
});
afterEach(() => marketplace.close());

const tx = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => marketplace.database.tx(work);

async function post(state: string, moment: Date): Promise<LeadId> {
  const [leadId] = await marketplace.submit([leadBody(++serial, { state })], moment);
  if (leadId === undefined) throw new Error('nothing was stored');
  return leadId;
}

const route = (moment: Date): Promise<{ readonly leads: number }> =>
  tx((open) => routeLeads(open, { market, limit: 100, lockFirst: false }, moment));

const beginIn = (open: Tx, moment: Date, jobs = 16): Promise<StartedAttempt[]> => beginDue(open, moment, jobs);

const begin = (moment: Date): Promise<StartedAttempt[]> => tx((open) => beginIn(open, moment));

async function beginOne(moment: Date): Promise<StartedAttempt> {
  const [attempt, ...others] = await begin(moment);
  if (attempt === undefined || others.length > 0) throw new Error('it is not one attempt');
  return attempt;
}

const taken = (attempt: StartedAttempt): AttemptResult => resultOf(attempt, responded(200), { kind: 'delivered' });
const refused = (attempt: StartedAttempt, certain: boolean): AttemptResult =>
  resultOf(attempt, responded(400), { kind: 'failed', certain, endpointGone: false });
const putOff = (attempt: StartedAttempt, dueAt: Date): AttemptResult =>
  resultOf(attempt, responded(500), { kind: 'retry', dueAt, steps: 1, uncertain: 1 });

const finish = (results: readonly AttemptResult[], moment: Date): Promise<FinishReport> =>
  tx((open) => finishWith(open, results, moment));

const jobOf = async ({ deliveryId }: StartedAttempt): Promise<unknown> =>
  (
    await select(marketplace.database, 'SELECT attempts, steps, uncertain FROM send_job WHERE delivery_id = $1', [
      deliveryId,
    ])
  )[0];
const deliveriesOf = async (leadId: LeadId): Promise<unknown> =>
  select(
    marketplace.database,
    `SELECT buyer_key AS buyer, status, may_have_arrived AS perhaps FROM delivery WHERE lead_id = $1 ORDER BY buyer_key`,
    [leadId],
  );
const stateOf = async (leadId: LeadId): Promise<unknown> =>
  (await select<{ state: string }>(marketplace.database, 'SELECT state FROM lead WHERE lead_id = $1', [leadId]))[0]
    ?.state;

describe('Leases of send jobs', () => {
  it('take only as many jobs as there are slots, so that another worker can take the others at once', async () => {
    for (let count = 0; count < 5; count += 1) await post('NY', at(0));
    await route(at(0));
    const [mine, theirs] = await tx(async (open) => {
      const first = await beginIn(open, at(1), 2);
      // The first transaction is still open: the jobs that it read and did not take are free.
      return [first, await tx((other) => beginIn(other, at(1)))] as const;
    });
    expect([mine.length, theirs.length]).toEqual([2, 3]);
    expect(new Set([...mine, ...theirs].map(({ deliveryId }) => deliveryId)).size).toBe(5);
    expect(await begin(at(2))).toEqual([]);
  });

  it('use up a step when they end without a result, and leave the receipt uncertain', async () => {
    await post('NY', at(0));
    await route(at(0));
    const jobs = [];
    for (let times = 0; times < 3; times += 1) jobs.push(await jobOf(await beginOne(at(1 + times * 41))));
    expect(jobs).toEqual([
      { attempts: 1, steps: 0, uncertain: 1 },
      { attempts: 2, steps: 1, uncertain: 2 },
      { attempts: 3, steps: 2, uncertain: 3 },
    ]);
    const attempt = await beginOne(at(200));
    expect(attempt.job).toEqual({ attempts: 4, steps: 3, uncertain: 4, isProbe: false });
    await finish([putOff(attempt, at(210))], at(201));
    // The attempt that ended was counted by its own result.
    expect((await beginOne(at(211))).job).toMatchObject({ attempts: 5, steps: 1, uncertain: 2 });
  });

  it('let only the current holder reschedule the job', async () => {
    await post('NY', at(0));
    await route(at(0));
    const [lost, holder] = [await beginOne(at(1)), await beginOne(at(42))];
    expect(await finish([putOff(lost, at(60))], at(43))).toMatchObject({ retried: 0 });
    expect(await jobOf(holder)).toMatchObject({ attempts: 2, steps: 1 });
    expect(await finish([putOff(holder, at(60))], at(44))).toMatchObject({ retried: 1 });
  });
});

describe('Two results of one delivery in one batch', () => {
  it.each(['first', 'last'])('make a sale if one of them is a success, reported %s', async (place) => {
    const others = [
      (attempt: StartedAttempt) => refused(attempt, false),
      (attempt: StartedAttempt) => putOff(attempt, at(100)),
    ];
    for (const other of others) {
      const leadId = await post('NY', at(0));
      await route(at(0));
      const [lost, holder] = [await beginOne(at(1)), await beginOne(at(42))];
      const results = [taken(lost), other(holder)];
      const report = await finish(place === 'first' ? results : results.toReversed(), at(43));
      expect(report).toMatchObject({ confirmed: 1, failed: 0, retried: 0 });
      expect(await deliveriesOf(leadId)).toEqual([{ buyer: 'summit', status: 'Confirmed', perhaps: false }]);
      expect(await jobOf(holder)).toBeUndefined();
      // Writing a result twice is the same as once.
      expect(await finish(results, at(44))).toMatchObject({ confirmed: 0, failed: 0, retried: 0, rerouted: [] });
    }
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });
});

describe('A shared lead with only failed deliveries', () => {
  it.each([
    { sentence: 'goes to another buyer if neither buyer can have received it', certain: [true, true], again: true },
    { sentence: 'is not sold again if the first buyer may have received it', certain: [false, true], again: false },
    { sentence: 'is not sold again if the second buyer may have received it', certain: [true, false], again: false },
  ])('$sentence', async ({ certain: [one = true, two = true], again }) => {
    const leadId = await post('CA', at(0));
    await route(at(0));
    const attempts = await begin(at(1));
    const byBuyer = new Map(attempts.map((attempt) => [attempt.buyerKey, attempt]));
    const [summit, harbor] = [byBuyer.get('summit'), byBuyer.get('harbor')];
    if (summit === undefined || harbor === undefined) throw new Error('it was not sold to both');
    expect(await finish([refused(summit, one)], at(2))).toMatchObject({ failed: 1, rerouted: [] });
    expect(await finish([refused(harbor, two)], at(3))).toMatchObject({ failed: 1, rerouted: again ? [leadId] : [] });
    expect(await route(at(4))).toMatchObject({ leads: again ? 1 : 0 });
    expect(await stateOf(leadId)).toBe('routed');
    expect(await deliveriesOf(leadId)).toEqual([
      { buyer: 'harbor', status: 'Failed', perhaps: !two },
      ...(again ? [{ buyer: 'keystone', status: 'Confirmed', perhaps: false }] : []),
      { buyer: 'summit', status: 'Failed', perhaps: !one },
    ]);
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });
});

describe('Workers whose clocks differ by some seconds', () => {
  it('take each other’s jobs at once', async () => {
    await post('NY', at(8));
    expect(await route(at(0))).toMatchObject({ leads: 1 });
    await post('NV', at(8));
    expect(await route(at(8))).toMatchObject({ leads: 1 });
    const attempts = await begin(at(0));
    expect(attempts.map(({ buyerKey }) => buyerKey).toSorted()).toEqual(['harbor', 'summit']);
    const failures = attempts.map((attempt) => refused(attempt, true));
    expect((await finish(failures, at(8))).rerouted).toHaveLength(2);
    expect(await route(at(0))).toMatchObject({ leads: 2 });
    expect(await ledgerFaults(marketplace.database)).toEqual([]);
  });

  it('keep the order of the leads', async () => {
    const late = await post('NY', at(8));
    const early = await post('NY', at(7));
    await tx((open) => routeLeads(open, { market, limit: 1, lockFirst: false }, at(8)));
    expect([await stateOf(early), await stateOf(late)]).toEqual(['routed', 'received']);
  });
});
