// A market with small limits, on a separate database, with two workers and a sender that run concurrently when a test starts them.
import { strict as assert } from 'node:assert';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { postByHand } from '../../src/ledger/post-by-hand.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import type { Database, Tx } from '../../src/platform/database/database.ts';
import { repeatTransient } from '../../src/platform/database/retry-transaction.ts';
import { judge } from '../../src/platform/outbound/retry.rules.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { createWakeups } from '../../src/platform/queue/wakeups.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { startRouter } from '../../src/routing/route-leads.job.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { responded, beginDue, broke, finishWith, resultOf } from '../support/sendings.ts';

/** null = no limit. */
export type Limits = {
  readonly strategy: 'price' | 'weighted' | 'round_robin';
  readonly soloDaily: number | null;
  readonly soloWeekly: number | null;
  readonly duoMonthly: number | null;
  readonly pacedDaily: number;
  /** In whole dollars. */
  readonly thriftBudget: number | null;
};

/** The response of an endpoint to one message: any number selects one of them. */
export const ENDINGS: ReadonlyArray<'taken' | 'refused' | 'lost'> = ['taken', 'refused', 'lost'];

export type SmallMarket = {
  readonly database: Database;
  now(): Date;
  /** All errors that a worker did not repeat. */
  readonly faults: readonly unknown[];
  limit(limits: Limits): Promise<void>;
  /** Each lead has the mailbox and the phone of these contacts, of which there are few. */
  post(
    leads: ReadonlyArray<{ readonly mailbox: number; readonly phone: number; readonly state: string }>,
  ): Promise<void>;
  /** A batch of this many leads each by two workers, while a sender sends due messages. */
  work(options: { readonly batches: readonly number[]; readonly endings: readonly number[] }): Promise<void>;
  pay(cents: number): Promise<void>;
  move(ms: number): void;
};

const START = '2026-11-18T12:00:00.000Z';
/** No process listens there, and no message is sent. */
const NOWHERE = 'http://127.0.0.1:9';
/** The states of the leads. */
export const STATES = ['CA', 'NV', 'TX', 'OH', 'MT'];
export const SLOT_CAPACITY = 1;

const fileOf = (limits: Limits): object => {
  const hooked = { channels: ['webhook'], settings: { webhookUrl: NOWHERE } };
  const availability = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '10:00', to: '11:00' };
  const booking = { availability, slotMinutes: 30, capacity: SLOT_CAPACITY, noticeMinutes: 60, horizonDays: 2 };
  const partners: Array<[key: string, states: readonly string[], offer: object, more?: object]> = [
    ['solo', ['CA', 'NV'], { payout: 40, caps: { daily: limits.soloDaily, weekly: limits.soloWeekly } }, hooked],
    ['duo', ['CA'], { payout: 20, sale: { sharedWith: 2 }, caps: { monthly: limits.duoMonthly } }, hooked],
    ['trio', ['CA', 'TX'], { payout: 19, sale: { sharedWith: 3 } }, hooked],
    ['calls', ['NV', 'TX'], { payout: 18, booking }, hooked],
    ['purse', ['NV', 'MT'], { payout: 14 }, { ...hooked, billing: { mode: 'prepaid' } }],
    ['paced', ['OH'], { payout: 12, pacing: 'even', caps: { daily: limits.pacedDaily } }],
    ['thrift', ['OH', 'MT'], { payout: 10, budget: { daily: limits.thriftBudget } }],
  ];
  return {
    marketplace: { strategy: limits.strategy, dedupDays: 30, holdMinutes: 60, retrySeconds: [0] },
    suppliers: [{ key: 'acme', status: 'approved', pay: { model: 'share', percent: 60 } }],
    partners: partners.map(([key, states, offer, more]) => ({
      key,
      timeZone: 'UTC',
      ...more,
      offers: [{ key, eventType: key === 'calls' ? 'Calendar Assigned' : 'Lead Sale', filters: { states }, ...offer }],
    })),
  };
};

export function openSmallMarket(database: Database): SmallMarket {
  const clock = handClock(START);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const wakeups = createWakeups({ database, acrossProcesses: false, onFault });
  // Each as in a process of its own.
  const readers = [createMarketReader(), createMarketReader()];
  let posted = 0;

  /** Exactly one batch: a worker that is stopped ends after the current round. */
  const routeBatch = async (index: number, leadsPerBatch: number): Promise<void> => {
    const market = readers[index] ?? createMarketReader();
    await startRouter({
      ...{ database, clock, wakeups, market, onFault, leadsPerBatch },
      onRouted: () => undefined,
      isIngesting: () => false,
    }).stop();
  };
  const send = async (endings: readonly number[]): Promise<void> => {
    const now = clock.now();
    const started = await database.tx((tx) => beginDue(tx, now, 3));
    const results = started.map((attempt, index) => {
      const outcome = outcomeOf(ENDINGS[(endings[index % endings.length] ?? 0) % ENDINGS.length] ?? 'taken');
      const judgement = judge(outcome, attempt.job, { retrySeconds: [0], chance: 0.5, now });
      return resultOf(attempt, outcome, judgement);
    });
    if (results.length > 0) await insist((tx) => finishWith(tx, results, now));
  };
  const insist = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => repeatTransient(() => database.tx(work));

  return {
    database,
    faults,
    now: () => clock.now(),
    move: (ms) => clock.advance(ms),
    async limit(limits) {
      const parsed = parseFile(JSON.stringify(fileOf(limits)), { allowTargets: [NOWHERE] });
      assert(parsed.ok, JSON.stringify(parsed));
      const options = { dryRun: false, prune: false, actor: commandLineActor };
      const applied = await database.tx((tx) => applyFile(tx, parsed.file, options, clock.now()));
      assert(applied.ok, JSON.stringify(applied));
    },
    async post(leads) {
      const context = {
        supplierKey: 'acme',
        mapping: compileFieldMapping({}),
        regions: defaultSettings.regions,
        weights: defaultSettings.scoreWeights,
      };
      const submissions = leads.map(({ mailbox, phone, state }) => {
        const body = {
          ...leadBody(mailbox, { state }),
          phone: leadBody(phone)['phone'],
          external_id: `lead-${++posted}`,
        };
        // No consent: the clock moves, and its time could be in the future.
        const members = { ...body, consent_timestamp: undefined };
        return prepareSubmission({ members, text: '{}' }, { ...context, returnRate: 0 }, clock.now());
      });
      assert(submissions.every(({ reason }) => reason === null));
      await database.tx((tx) => storeSubmissions(tx, submissions));
    },
    async work({ batches, endings }) {
      await Promise.all([...batches.map((leads, index) => routeBatch(index, leads)), send(endings)]);
    },
    async pay(amountCents) {
      const posting = { buyerKey: 'purse', type: 'payment', amountCents, description: 'Payment' } as const;
      const options = { ...posting, idempotencyKey: null, actor: commandLineActor };
      await insist((tx) => postByHand(tx, options, clock.now()));
    },
  };
}

/** With one attempt per delivery, both failures are final: one is certainly not received, the other is uncertain. */
function outcomeOf(ending: (typeof ENDINGS)[number]): SendOutcome {
  return ending === 'taken' ? responded(200) : broke(ending === 'refused' ? 'no' : 'unknown');
}
