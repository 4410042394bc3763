// Replays past leads. While a lead is decided as in history, its decisions keep their times and order; once it differs, it follows its
// own course. A delivery that failed at a partner fails there again, after the same time.
import type { Decision } from '../routing/decide-batch.rules.ts';
import type { LeadToRoute } from '../routing/lead-facts.ts';
import { type EventQueue, createEventQueue } from './event-queue.rules.ts';
import { createTally, type Comparison, type EndedSale, type Tally } from './comparison.rules.ts';
import type { LeadOutcome, Outage, PastDecision, PastDelivery, PastLead, Posting } from './past.ts';
import type { Decided, ReplayMarket } from './replay-market.rules.ts';
import type { Sale } from './remaining-capacity.rules.ts';

export type ReplayOptions = {
  readonly market: ReplayMarket;
  /** The window in milliseconds: from ≤ t ≤ to. */
  readonly from: number;
  readonly to: number;
  readonly postings: readonly Posting[];
  readonly outages: readonly Outage[];
  /** Deliveries from before the window that failed in it. */
  readonly lateFailures: ReadonlyArray<{ readonly failedAt: number; readonly sale: Sale }>;
};

export type Replay = {
  /** Call it in the order in which the decisions took effect. */
  repeat(decision: PastDecision, lead: PastLead): void;
  /** Call it once, after the last decision. `erased` leads were repeated unchanged and are not compared. */
  finish(): { readonly comparison: Comparison; readonly erased: number };
};

/** A simulated sale, with the past sale of the same lead to the same partner, which determines whether it fails or is returned. */
type Sold = { readonly sale: Sale; readonly past: PastDelivery | null; hasFailed: boolean };

type RoutableLead = PastLead & { readonly toRoute: LeadToRoute };

type Run = {
  readonly lead: RoutableLead;
  readonly buyersBefore: Set<string>;
  readonly sold: Sold[];
  /** All decisions so far were the same as in the past. */
  isInStep: boolean;
  /** The past has no further decision on the lead. */
  isPastOver: boolean;
  /** Failures and decisions still to come. */
  scheduled: number;
  outcome: LeadOutcome;
  reason: string | null;
  pastReason: string | null;
};

/**
 * `past` is the decision to repeat; null for a decision that the past did not have. `wasOverlapped`: a decision that began no earlier took
 * effect before it, so it may not have seen what that one took.
 */
type Task = { readonly run: Run; readonly past: PastDecision | null; readonly wasOverlapped: boolean };

type Stage = Pick<ReplayOptions, 'market' | 'from' | 'to' | 'outages'> & {
  readonly events: EventQueue;
  readonly tally: Tally;
  readonly runs: Map<string, Run>;
  /** By delivery: the credit of returned deliveries that the simulation sold at another price or not at all. */
  readonly credits: Map<string, number>;
  /** Decisions of one instant that are not yet made. */
  waiting: Array<Task & { readonly past: PastDecision }>;
  /** Of the configuration under which the past decided last. */
  version: number;
  /** The latest start among the decisions that have taken effect so far. */
  latest: number;
  erased: number;
};

export function createReplay({ market, from, to, postings, outages, lateFailures }: ReplayOptions): Replay {
  const tools = {
    events: createEventQueue(),
    tally: createTally(),
    runs: new Map(),
    credits: new Map<string, number>(),
  };
  const stage: Stage = { market, from, to, outages, ...tools, waiting: [], version: 0, latest: -Infinity, erased: 0 };
  const { events, runs, credits, tally } = stage;
  for (const { at, buyerKey, amountCents, deliveryId } of postings) {
    events.add(at, () => market.post(buyerKey, credits.get(deliveryId ?? '') ?? amountCents));
  }
  for (const { failedAt, sale } of lateFailures) events.add(failedAt, () => market.giveBack(sale));
  return {
    repeat(decision, lead) {
      const { decidedAt, version } = decision;
      const { toRoute } = lead;
      const together = stage.waiting[0]?.past;
      const isOneOf =
        together?.decidedAt === decidedAt && stage.version === version && sameKeys(together.failing, decision.failing);
      if (!isOneOf || toRoute === null || runs.has(lead.leadId)) decideWaiting(stage);
      events.runUntil(decidedAt);
      stage.version = version;
      const wasOverlapped = decidedAt <= stage.latest;
      stage.latest = Math.max(stage.latest, decidedAt);
      if (toRoute === null) return repeatErased(stage, decision, lead);
      const run = runs.get(lead.leadId) ?? open(stage, { ...lead, toRoute });
      run.isPastOver = decision.isLast;
      run.pastReason = lead.isDuplicate ? 'duplicate' : (decision.leftOut[0] ?? 'not_wanted');
      if (!run.isInStep) return closeIfOver(stage, run);
      // The failures that returned the lead to routing have happened by now, even if two machines' clocks differ.
      for (const sold of run.sold) if (typeof sold.past?.failedAt === 'number') fail(stage, { run, sold }, decidedAt);
      stage.waiting.push({ run, past: decision, wasOverlapped });
    },
    finish() {
      decideWaiting(stage);
      events.runUntil(to);
      return { comparison: tally.result(), erased: stage.erased };
    },
  };
}

function open({ runs, from }: Stage, lead: RoutableLead): Run {
  const before = lead.deliveries.filter(({ deliveredAt }) => deliveredAt < from);
  const run: Run = {
    lead,
    buyersBefore: new Set(before.map(({ buyerKey }) => buyerKey)),
    sold: [],
    isInStep: true,
    isPastOver: false,
    scheduled: 0,
    outcome: 'held',
    reason: null,
    pastReason: null,
  };
  runs.set(lead.leadId, run);
  return run;
}

/** Decides all leads of one instant together: the result is the same, and comparing a thousand offers is expensive. */
function decideWaiting(stage: Stage): void {
  const { waiting } = stage;
  const [first] = waiting;
  if (first === undefined) return;
  stage.waiting = [];
  decide(stage, waiting, first.past.decidedAt, first.past.failing);
  for (const { run } of waiting) closeIfOver(stage, run);
}

function decide(
  stage: Stage,
  tasks: readonly Task[],
  now: number,
  failing: ReadonlyMap<string, Date> = failingAt(stage, now),
): void {
  const leads = tasks.map(({ run }) => ({ ...run.lead.toRoute, buyersBefore: new Set(run.buyersBefore) }));
  const decided = stage.market.decide(leads, { now, version: stage.version, failing });
  for (const [index, task] of tasks.entries()) applyDecision(stage, { ...task, ...(decided[index] as Decided) }, now);
}

/** Applies a decision to the simulation: records its sales and schedules their failures and the next try. */
function applyDecision(stage: Stage, { run, past, wasOverlapped, decision, sales }: Task & Decided, now: number): void {
  run.outcome = decision.outcome;
  run.reason = reasonOf(decision);
  const isAsGood = past !== null && wasOverlapped && soldNothing(past, decision);
  if (isAsGood) {
    run.outcome = past.outcome;
    run.reason = past.outcome === 'rejected' ? run.pastReason : null;
  }
  if (past === null || !(isAsGood || isSame(decision, past, run.lead))) run.isInStep = false;
  for (const sale of sales) {
    const pastDelivery = run.lead.deliveries.find(({ buyerKey }) => buyerKey === sale.buyerKey) ?? null;
    const sold: Sold = { sale, past: pastDelivery, hasFailed: false };
    run.sold.push(sold);
    run.buyersBefore.add(sale.buyerKey);
    if (typeof pastDelivery?.failedAt !== 'number') continue;
    const failsAt = now + pastDelivery.failedAt - pastDelivery.deliveredAt;
    schedule(stage, { run, at: failsAt }, () => fail(stage, { run, sold }, failsAt));
  }
  const { retryAt } = decision;
  if (run.isInStep || retryAt === null) return;
  schedule(stage, { run, at: retryAt }, () => decide(stage, [{ run, past: null, wasOverlapped: false }], retryAt));
}

function schedule(stage: Stage, { run, at }: { run: Run; at: number }, act: () => void): void {
  if (at > stage.to) return;
  run.scheduled += 1;
  stage.events.add(at, () => {
    run.scheduled -= 1;
    act();
    closeIfOver(stage, run);
  });
}

function fail(stage: Stage, { run, sold }: { run: Run; sold: Sold }, at: number): void {
  if (sold.hasFailed) return;
  sold.hasFailed = true;
  stage.market.giveBack(sold.sale);
  // While in step, the past determines whether and when the lead is decided again.
  const comesBack = run.sold.every(({ hasFailed, past }) => hasFailed && past?.mayHaveArrived === false);
  if (!run.isInStep && comesBack) decide(stage, [{ run, past: null, wasOverlapped: false }], at);
}

function closeIfOver({ runs, tally, credits, from }: Stage, run: Run): void {
  if (!run.isPastOver || run.scheduled > 0 || !runs.delete(run.lead.leadId)) return;
  const { lead, sold } = run;
  const pastSales = lead.deliveries.filter(({ deliveredAt }) => deliveredAt >= from);
  // A lead in step to the end has the outcome of the past.
  const outcome = run.isInStep ? lead.outcome : run.outcome;
  const { pastReason } = run;
  tally.add(
    lead.toRoute.facts.supplierKey,
    { outcome: lead.outcome, reason: lead.outcome === 'rejected' ? pastReason : null, sales: pastSales.map(endedPast) },
    { outcome, reason: outcome === 'rejected' ? run.reason : null, sales: sold.map(ended) },
  );
  for (const { deliveryId, payoutCents, isReturned } of pastSales) {
    const again = sold.find(({ past }) => past?.deliveryId === deliveryId);
    const cents = again?.sale.payoutCents ?? 0;
    if (isReturned && cents !== payoutCents) credits.set(deliveryId, cents);
  }
}

/** Repeats the sales of an erased lead unchanged, so that they take the same capacity. */
function repeatErased(stage: Stage, { sold, isLast }: PastDecision, { deliveries, identities }: PastLead): void {
  for (const delivery of deliveries.filter(({ deliveryId }) => sold.includes(deliveryId))) {
    const sale = stage.market.takePast(delivery, identities);
    if (delivery.failedAt !== null) stage.events.add(delivery.failedAt, () => stage.market.giveBack(sale));
  }
  if (isLast) stage.erased += 1;
}

/** The failing endpoints for a decision that the past did not have. */
function failingAt({ outages }: Stage, now: number): ReadonlyMap<string, Date> {
  const lasting = outages.filter(({ from, until }) => from <= now && now < until);
  return new Map(lasting.map(({ buyerKey, from }) => [buyerKey, new Date(from)]));
}

function sameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key));
}

/** Whether the decision is the past one: held until the same moment, sold to the same partners, or rejected. Then the past repeats itself. */
function isSame({ outcome, choice }: Decision, past: PastDecision, { deliveries }: PastLead): boolean {
  if (outcome !== past.outcome) return false;
  // The retry time among waiting leads depends on how leads were batched, so only the opening is compared.
  if (outcome === 'held') return momentOf(choice.opensAt, past) === momentOf(past.opensAt, past);
  const buyers = deliveries.filter(({ deliveryId }) => past.sold.includes(deliveryId)).map(({ buyerKey }) => buyerKey);
  return (
    choice.winners.length === buyers.length && choice.winners.every(({ offer }) => buyers.includes(offer.buyerKey))
  );
}

/** A held lead is retried one millisecond after its decision at the earliest. */
function momentOf(opensAt: number | null, { decidedAt }: PastDecision): number {
  return Math.max(opensAt ?? 0, decidedAt + 1);
}

const OF_THE_MOMENT: ReadonlySet<string> = new Set([
  'duplicate',
  'cap_reached',
  'budget_reached',
  'over_pace',
  'funds_missing',
  'no_slot',
]);

/**
 * For leads decided at the same time as others, history does not show which obstacle came first, and so whether they had to be held or
 * rejected, and why. If such a lead took no capacity then and takes none now, the past outcome is assumed.
 */
function soldNothing(past: PastDecision, { outcome, choice: { winners, leftOut } }: Decision): boolean {
  return (
    past.sold.length === 0 &&
    winners.length === 0 &&
    (past.outcome !== 'rejected' || past.leftOut.some(isOfTheMoment)) &&
    (outcome !== 'rejected' || leftOut.some(({ why }) => isOfTheMoment(why.code)))
  );
}

/** Whether the reason depends on other leads and not only on the configuration and the lead itself. */
function isOfTheMoment(code: string): boolean {
  return OF_THE_MOMENT.has(code);
}

function reasonOf({ outcome, publicStatus, choice }: Decision): string | null {
  if (outcome !== 'rejected') return null;
  if (publicStatus === 'Suppressed') return 'suppressed';
  return publicStatus === 'Duplicate' ? 'duplicate' : (choice.leftOut[0]?.why.code ?? 'not_wanted');
}

function endedPast(delivery: PastDelivery): EndedSale {
  return { ...delivery, isFailed: delivery.failedAt !== null };
}

function ended({ sale, past, hasFailed }: Sold): EndedSale {
  return { ...sale, isFailed: hasFailed, isReturned: !hasFailed && past?.isReturned === true };
}
