// The log of attempts, step by step: each attempt has one row with its result, also if its lease is lost, its lead is erased meanwhile, or
// a process of the last release began it (contract 4.10, decisions 021 and 049).
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { timeOfId } from '../../src/base/id-time.ts';
import { type AttemptId, type LeadId, typeId, uuidOf } from '../../src/base/ids.ts';
import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import type { AttemptResult } from '../../src/deliveries/sending/finish-attempts.ts';
import { beginMessages, dueQueues } from '../../src/messages/begin-messages.ts';
import { finishMessages } from '../../src/messages/finish-messages.ts';
import type { StartedMessage } from '../../src/messages/message.ts';
import { queueMessages } from '../../src/messages/message-queue.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import type { Judgement } from '../../src/platform/outbound/retry.rules.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { getAsBuyer } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { beginDue, finishWith, responded, resultOf } from '../support/sendings.ts';
import { type StoredMarket, storeMarket } from '../support/stored-market.ts';
import { traceOf } from '../support/trace.ts';

const ORIGIN = 'http://127.0.0.1:9';
const LEASE_OVER_MS = 41_000;
const BREAKER = { failures: 100, probeSeconds: 30 };

const yaml = `
suppliers: [{ key: acme, status: approved }]
partners:
  - key: summit
    channels: [webhook]
    betaTools: [timeline, delivery-logs]
    settings: { webhookUrl: "${ORIGIN}/in" }
    offers: [{ key: west, eventType: Lead Sale, payout: 40 }]
`;

let clock: HandClock;
let market: StoredMarket;
let leadId: string;

/** The lead is sold, and nothing is sent yet. */
beforeEach(async () => {
  clock = handClock(new Date().toISOString());
  market = await storeMarket({ yaml, allowTargets: [ORIGIN], clock });
  const [stored] = await market.submit([leadBody(1)]);
  if (stored === undefined) throw new Error('nothing was stored');
  leadId = typeId('lead', stored);
  const reader = createMarketReader();
  await tx((open) => routeLeads(open, { market: reader, limit: 10, lockFirst: false }, clock.now()));
});
afterEach(() => market.close());

const tx = <Value>(work: (open: Tx) => Promise<Value>): Promise<Value> => market.database.tx(work);

async function begin(): Promise<StartedAttempt> {
  const [attempt] = await tx((open) => beginDue(open, clock.now(), 16));
  if (attempt === undefined) throw new Error('nothing is due');
  return attempt;
}

/** Begins once more, after the lease of the attempt before has ended. */
async function beginAgain(): Promise<StartedAttempt> {
  clock.advance(LEASE_OVER_MS);
  return begin();
}

const QUOTE = 'Thanks for the lead';
const quoting = (status: number) => ({ ...responded(status), responseSnippet: QUOTE }) as const;

const taken = (attempt: StartedAttempt): AttemptResult => resultOf(attempt, quoting(200), { kind: 'delivered' });
const rejected = (attempt: StartedAttempt): AttemptResult =>
  resultOf(attempt, quoting(400), { kind: 'failed', certain: false, endpointGone: false });

const finish = (...results: AttemptResult[]): Promise<unknown> => tx((open) => finishWith(open, results, clock.now()));

const erase = (open: Tx): Promise<unknown> =>
  eraseDataSubjects(open, { leadIds: [(uuidOf('lead', leadId) ?? '') as LeadId], audit: null }, clock.now());

type Row = { id: AttemptId; number: number; state: string; code: number | null; snippet: string | null };

const rows = (): Promise<Row[]> =>
  select<Row>(
    market.database,
    `SELECT attempt_id AS id, attempt AS number, target, state, response_code AS code, response_snippet AS snippet, latency_ms AS ms, error, at
     FROM attempt ORDER BY attempt_id`,
  );

const target = `${ORIGIN}/…`;
const interrupted = (id: AttemptId, number: number) => ({
  ...{ id, number, target, state: 'failed', code: null, snippet: null, ms: null, error: 'interrupted' },
  at: timeOfId(id),
});
const erased = (id: AttemptId, number: number) => ({ ...interrupted(id, number), error: 'erased' });
const ended = (id: AttemptId, number: number, state: string, code: number) =>
  ({ ...{ id, number, target, state, code, snippet: QUOTE, ms: 40, error: null } }) as const;

/** As the last release logs the start of an attempt. */
const logStart = (attemptId: AttemptId, deliveryId: string | null): Promise<unknown> =>
  select(
    market.database,
    `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, is_test, at)
     VALUES ($1, $2, 'summit', 'webhook', $3, 1, 'scheduled', false, $4)`,
    [attemptId, deliveryId, target, timeOfId(attemptId)],
  );

/** What the partner reads at this API: the states of the attempts in the timeline of the delivery, and in its log. */
async function statesForPartner(
  api: TestMarketplace,
  { deliveryId }: StartedAttempt,
): Promise<{ timeline: string[]; log: string[] }> {
  const token = await api.buyerToken('summit');
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await getAsBuyer(api.url, token, `/api/v1/buyer/${path}`)).json;
  const timeline = await read(`leads/${typeId('delivery', deliveryId)}/timeline`);
  const log = await read('delivery-logs');
  const statesOf = (attempts: unknown): string[] =>
    (attempts as ReadonlyArray<{ state: string }>).map(({ state }) => state);
  return { timeline: statesOf(timeline['attempts']), log: statesOf(log['data']) };
}

describe('An attempt', () => {
  it('is in the log once it has a result, and in the history of its lead and the timeline from its start', async () => {
    const api = await startTestMarketplace({
      yaml,
      role: 'api',
      clock,
      on: market.testDatabase,
      allowTargets: [ORIGIN],
    });
    onTestFinished(() => api.close());
    const attempt = await begin();
    expect(await rows()).toEqual([]);
    expect(await statesForPartner(api, attempt)).toEqual({ timeline: ['scheduled'], log: [] });
    const { attempts } = await traceOf(market.database, leadId);
    expect(attempts).toMatchObject([{ attempt: 1, partner: 'summit', target, state: 'scheduled', responseCode: null }]);
    const startedAt = clock.now();
    clock.advance(1000);
    await finish(taken(attempt));
    expect(await rows()).toEqual([{ ...ended(attempt.attemptId, 1, 'succeeded', 200), at: startedAt }]);
    expect((await traceOf(market.database, leadId)).attempts).toMatchObject([{ state: 'succeeded', test: false }]);
    expect(await statesForPartner(api, attempt)).toEqual({ timeline: ['succeeded'], log: ['succeeded'] });
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('keeps its result if that is stored twice', async () => {
    const attempt = await begin();
    await finish(taken(attempt));
    const logged = await rows();
    await finish(taken(attempt));
    await finish(rejected(attempt));
    expect(await rows()).toEqual(logged);
  });

  it('is shown once if a process of the last release has begun it', async () => {
    const { attemptId, deliveryId } = await begin();
    await logStart(attemptId, deliveryId);
    expect((await traceOf(market.database, leadId)).attempts).toMatchObject([{ attempt: 1, state: 'scheduled' }]);
  });
});

describe('An attempt whose lease was lost', () => {
  it.each([false, true])(
    'is logged as interrupted by the next claim (begun by the last release: %s)',
    async (isOld) => {
      const lost = await begin();
      if (isOld) await logStart(lost.attemptId, lost.deliveryId);
      const next = await beginAgain();
      expect(await rows()).toEqual([interrupted(lost.attemptId, 1)]);
      await finish(taken(next));
      expect(await rows()).toMatchObject([interrupted(lost.attemptId, 1), ended(next.attemptId, 2, 'succeeded', 200)]);
    },
  );

  it('has its true result if that comes late, and interrupts the attempt that replaced it', async () => {
    const [lost, next] = [await begin(), await beginAgain()];
    await finish(taken(lost));
    expect(await rows()).toMatchObject([ended(lost.attemptId, 1, 'succeeded', 200), interrupted(next.attemptId, 2)]);
    await finish(rejected(next));
    expect(await rows()).toMatchObject([
      ended(lost.attemptId, 1, 'succeeded', 200),
      ended(next.attemptId, 2, 'exhausted', 400),
    ]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('has its true result if both attempts end in one batch', async () => {
    const [lost, next] = [await begin(), await beginAgain()];
    await finish(rejected(next), taken(lost));
    expect(await rows()).toMatchObject([
      ended(lost.attemptId, 1, 'succeeded', 200),
      ended(next.attemptId, 2, 'exhausted', 400),
    ]);
  });
});

describe('An attempt at a lead that is erased meanwhile', () => {
  it('is logged as erased, and its result is not stored', async () => {
    const attempt = await begin();
    await tx(erase);
    expect(await rows()).toEqual([erased(attempt.attemptId, 1)]);
    await finish(taken(attempt));
    expect(await rows()).toEqual([erased(attempt.attemptId, 1)]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('is logged without its response if a process of the last release has erased the lead', async () => {
    const attempt = await begin();
    await tx(erase);
    await select(market.database, 'DELETE FROM attempt');
    await finish(taken(attempt));
    expect(await rows()).toMatchObject([{ id: attempt.attemptId, state: 'failed', code: null, snippet: null }]);
  });

  it('is logged as erased if a process of the last release has begun it', async () => {
    const { attemptId, deliveryId } = await begin();
    await logStart(attemptId, deliveryId);
    await tx(erase);
    expect(await rows()).toEqual([erased(attemptId, 1)]);
  });

  it.each(['before', 'after'])('does not store a late response that comes %s the end of the erasure', async (when) => {
    const [lost, next] = [await begin(), await beginAgain()];
    let late: Promise<unknown> = Promise.resolve();
    await tx(async (open) => {
      await erase(open);
      if (when === 'after') return;
      late = finish(rejected(lost));
      await eventually('its worker waits', async () => {
        const waiting = await select(
          market.database,
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 1;
      });
    });
    await late;
    if (when === 'after') await finish(rejected(lost));
    expect(await rows()).toMatchObject([erased(lost.attemptId, 1), { id: next.attemptId, error: 'erased' }]);
  });

  it('keeps its state without its response if it has ended before', async () => {
    const attempt = await begin();
    await finish(taken(attempt));
    await tx(erase);
    expect(await rows()).toMatchObject([{ ...ended(attempt.attemptId, 1, 'succeeded', 200), snippet: null }]);
  });
});

describe('An attempt at a message about a delivery', () => {
  /** Confirms the delivery and queues a message about it. */
  beforeEach(async () => {
    const sale = await begin();
    await finish(taken(sale));
    await select(market.database, 'DELETE FROM attempt');
    const about = { ownerKind: 'buyer', ownerKey: 'summit', channel: 'webhook', deliveryId: sale.deliveryId } as const;
    await tx((open) => queueMessages(open, [{ ...about, type: 'return.reviewed', data: {} }], clock.now()));
  });

  async function beginMessage(): Promise<StartedMessage> {
    const [message] = await tx(async (open) => {
      const queues = (await dueQueues(open, 30, clock.now())).map((queue) => ({ ...queue, jobs: 8 }));
      return beginMessages(open, { queues, leaseMs: 40_000, probeSeconds: 30 }, clock.now());
    });
    if (message === undefined) throw new Error('no message is due');
    return message;
  }

  const finishMessage = (message: StartedMessage, status: number, judgement: Judgement): Promise<unknown> => {
    const result = { message, outcome: quoting(status), judgement, wasTried: true };
    return tx((open) => finishMessages(open, [result], { breaker: BREAKER, now: clock.now() }));
  };

  it('is logged as interrupted by the next claim, until its true result comes', async () => {
    const lost = await beginMessage();
    expect(await rows()).toEqual([]);
    clock.advance(LEASE_OVER_MS);
    const next = await beginMessage();
    expect(await rows()).toEqual([interrupted(lost.leaseId, 1)]);
    await finishMessage(lost, 200, { kind: 'delivered' });
    expect(await rows()).toMatchObject([ended(lost.leaseId, 1, 'succeeded', 200), interrupted(next.leaseId, 2)]);
    await finishMessage(next, 400, { kind: 'failed', certain: false, endpointGone: false });
    expect(await rows()).toMatchObject([
      ended(lost.leaseId, 1, 'succeeded', 200),
      ended(next.leaseId, 2, 'exhausted', 400),
    ]);
  });

  it('is logged as erased if the lead is erased meanwhile', async () => {
    const message = await beginMessage();
    await tx(erase);
    await finishMessage(message, 200, { kind: 'delivered' });
    expect(await rows()).toEqual([{ ...erased(message.leaseId, 1), at: message.startedAt }]);
  });
});
