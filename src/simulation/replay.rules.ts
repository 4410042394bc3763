// Lets the leads of the past come again, each decision at the moment and in the order of history as long as a lead goes the same way,
// and on a way of its own once it does not. What failed at a partner fails there again, after the same time.
import type { LeadToRoute } from '../routing/lead-facts.ts';
import type { Decision } from '../routing/decide-batch.rules.ts';
import { createAgenda } from './agenda.rules.ts';
import { createTally, type Comparison, type EndedSale } from './comparison.rules.ts';
import type { LeadOutcome, PastDecision, PastDelivery, PastLead, Posting } from './past.ts';
import type { Decided, ReplayMarket, Sale } from './replay-market.rules.ts';

export type ReplayOptions = {
  readonly market: ReplayMarket;
  /** The window in milliseconds: from ≤ t ≤ to. */
  readonly from: number;
  readonly to: number;
  readonly postings: readonly Posting[];
  /** Deliveries from before the window that failed in it. */
  readonly lateFailures: ReadonlyArray<{ readonly failedAt: number; readonly sale: Sale }>;
};

export type Replay = {
  /** In the order in which the decisions took effect. */
  repeat(decision: PastDecision, lead: PastLead): void;
  /** Once, after the last decision. `erased` leads could only be repeated as they were, and are not compared. */
  finish(): { readonly comparison: Comparison; readonly erased: number };
};

/** A sale of the simulation, with the past one of the same lead to the same partner, whose fate it shares. */
type Sold = { readonly sale: Sale; readonly past: PastDelivery | null; hasFailed: boolean };

type Run = {
  readonly lead: PastLead & { readonly toRoute: LeadToRoute };
  readonly buyersBefore: Set<string>;
  readonly sold: Sold[];
  /** Everything so far was decided as in the past. */
  isInStep: boolean;
  /** The past has nothing more to tell. */
  isPastOver: boolean;
  /** Failures and decisions still to come. */
  scheduled: number;
  outcome: LeadOutcome;
  reason: string | null;
  pastReason: string | null;
};

/** `past` is the decision to be repeated; null for one that the past did not have. */
type Task = { readonly run: Run; readonly past: PastDecision | null };

export function createReplay({ market, from, to, postings, lateFailures }: ReplayOptions): Replay {
  const agenda = createAgenda();
  const tally = createTally();
  const runs = new Map<string, Run>();
  /** What returned deliveries were credited with, where the simulation sold them for something else or not at all. */
  const credits = new Map<string, number>();
  let waiting: Array<Task & { readonly past: PastDecision }> = [];
  let version = 0;
  let erased = 0;
  for (const { at, buyerKey, amountCents, deliveryId } of postings) {
    agenda.add(at, () => market.post(buyerKey, credits.get(deliveryId ?? '') ?? amountCents));
  }
  for (const { failedAt, sale } of lateFailures) agenda.add(failedAt, () => market.giveBack(sale));

  const schedule = (run: Run, at: number, act: () => void): void => {
    if (at > to) return;
    run.scheduled += 1;
    agenda.add(at, () => {
      run.scheduled -= 1;
      act();
      closeIfOver(run);
    });
  };
  const fail = (run: Run, sold: Sold, at: number): void => {
    if (sold.hasFailed) return;
    sold.hasFailed = true;
    market.giveBack(sold.sale);
    // In step, the past says whether and when the lead is decided on again.
    const goesOn =
      sold.past?.mayHaveArrived === false && run.sold.every((one) => one.hasFailed && !one.past?.mayHaveArrived);
    if (!run.isInStep && goesOn) decide([{ run, past: null }], at);
  };
  const decide = (tasks: readonly Task[], now: number): void => {
    const leads = tasks.map(({ run }) => ({ ...run.lead.toRoute, buyersBefore: new Set(run.buyersBefore) }));
    const decided = market.decide(leads, { now, version });
    for (const [index, task] of tasks.entries()) go(task, decided[index] as Decided, now);
  };
  const go = ({ run, past }: Task, { decision, sales }: Decided, now: number): void => {
    const { lead, buyersBefore } = run;
    run.outcome = decision.outcome;
    run.reason = reasonOf(decision);
    if (past === null || !isSame(decision, past, lead)) run.isInStep = false;
    for (const sale of sales) {
      const fate = lead.deliveries.find((delivery) => delivery.buyerKey === sale.buyerKey) ?? null;
      const sold: Sold = { sale, past: fate, hasFailed: false };
      run.sold.push(sold);
      buyersBefore.add(sale.buyerKey);
      if (fate === null || fate.failedAt === null) continue;
      const failsAt = now + fate.failedAt - fate.deliveredAt;
      schedule(run, failsAt, () => fail(run, sold, failsAt));
    }
    const { retryAt } = decision;
    if (!run.isInStep && retryAt !== null) schedule(run, retryAt, () => decide([{ run, past: null }], retryAt));
  };
  /** Decisions of one instant are made together: looking at a thousand offers is dear, and the outcome is the same. */
  const flush = (): void => {
    const tasks = waiting;
    const [first] = tasks;
    waiting = [];
    if (first === undefined) return;
    decide(tasks, first.past.decidedAt);
    for (const { run } of tasks) closeIfOver(run);
  };
  const open = (lead: Run['lead']): Run => {
    const before = lead.deliveries.filter(({ deliveredAt }) => deliveredAt < from).map(({ buyerKey }) => buyerKey);
    const nothing = { outcome: 'held', reason: null, pastReason: null } as const;
    const state = { isInStep: true, isPastOver: false, scheduled: 0, ...nothing };
    const run: Run = { lead, buyersBefore: new Set(before), sold: [], ...state };
    runs.set(lead.leadId, run);
    return run;
  };
  const closeIfOver = (run: Run): void => {
    if (!run.isPastOver || run.scheduled > 0 || !runs.delete(run.lead.leadId)) return;
    const { lead, sold } = run;
    const pastSales = lead.deliveries.filter(({ deliveredAt }) => deliveredAt >= from);
    // In step to the end, it waits where the past one waits.
    const outcome = run.isInStep ? lead.outcome : run.outcome;
    tally.add(
      {
        outcome: lead.outcome,
        reason: lead.outcome === 'rejected' ? run.pastReason : null,
        sales: pastSales.map(endedPast),
      },
      { outcome, reason: outcome === 'rejected' ? run.reason : null, sales: sold.map(ended) },
    );
    for (const { deliveryId, payoutCents, isReturned } of pastSales) {
      const again = sold.find(({ past }) => past?.deliveryId === deliveryId);
      const cents = again?.sale.payoutCents ?? 0;
      if (isReturned && cents !== payoutCents) credits.set(deliveryId, cents);
    }
  };
  /** As it was, so that it takes from the market what it took. */
  const repeatErased = (decision: PastDecision, lead: PastLead): void => {
    for (const delivery of lead.deliveries.filter(({ deliveryId }) => decision.sold.includes(deliveryId))) {
      const sale = market.takePast(delivery, lead.persons);
      if (delivery.failedAt !== null) agenda.add(delivery.failedAt, () => market.giveBack(sale));
    }
    if (decision.isLast) erased += 1;
  };

  return {
    repeat(decision, lead) {
      const { decidedAt, version: itsVersion, isLast } = decision;
      const { toRoute } = lead;
      const [first] = waiting;
      const isOneOf = first?.past.decidedAt === decidedAt && version === itsVersion;
      if (!isOneOf || toRoute === null || runs.has(lead.leadId)) flush();
      agenda.runUntil(decidedAt);
      version = itsVersion;
      if (toRoute === null) return repeatErased(decision, lead);
      const run = runs.get(lead.leadId) ?? open({ ...lead, toRoute });
      run.isPastOver = isLast;
      run.pastReason = lead.isDuplicate ? 'duplicate' : (decision.leftOut ?? 'not_wanted');
      if (run.isInStep) {
        // What brought the lead back is over, whatever the clocks of two machines say.
        for (const sold of run.sold) if (typeof sold.past?.failedAt === 'number') fail(run, sold, decidedAt);
        waiting.push({ run, past: decision });
      } else closeIfOver(run);
    },
    finish() {
      flush();
      agenda.runUntil(to);
      return { comparison: tally.result(), erased };
    },
  };
}

/** Held for the same moment, or sold to the same partners, or not at all: then what followed in the past follows again. */
function isSame({ outcome, choice }: Decision, past: PastDecision, { deliveries }: PastLead): boolean {
  if (outcome !== past.outcome) return false;
  // Which place a lead has among those that wait depends on who was decided on together, so the past's own is kept.
  if (outcome === 'held') return momentOf(choice.opensAt, past) === momentOf(past.opensAt, past);
  const buyers = deliveries.filter(({ deliveryId }) => past.sold.includes(deliveryId)).map(({ buyerKey }) => buyerKey);
  return (
    choice.winners.length === buyers.length && choice.winners.every(({ offer }) => buyers.includes(offer.buyerKey))
  );
}

/** No lead is tried again at the instant that holds it. */
function momentOf(opensAt: number | null, { decidedAt }: PastDecision): number {
  return Math.max(opensAt ?? 0, decidedAt + 1);
}

function reasonOf({ outcome, publicStatus, choice }: Decision): string | null {
  if (outcome !== 'rejected') return null;
  return publicStatus === 'Duplicate' ? 'duplicate' : (choice.leftOut[0]?.why.code ?? 'not_wanted');
}

function endedPast(delivery: PastDelivery): EndedSale {
  return { ...delivery, isFailed: delivery.failedAt !== null };
}

function ended({ sale, past, hasFailed }: Sold): EndedSale {
  return { ...sale, isFailed: hasFailed, isReturned: !hasFailed && past?.isReturned === true };
}
