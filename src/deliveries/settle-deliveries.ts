// Settles pending deliveries: confirms and charges them, or fails them and releases the cap slot, the held money and the contact
// (contract 4.13, 4.14).
import { strict as assert } from 'node:assert';

import type { DeliveryId, LeadId } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  confirmDeliveriesSql,
  countWrongHolds,
  failDeliveriesSql,
  selectUnsoldLeads,
  updateCosts,
} from './delivery.sql.ts';
import { addToCounterUse, type CounterChange, counterName, lockCounters } from '../caps/cap-counters.ts';
import type { CounterKey } from '../caps/counter.ts';
import { lockFunds, releaseFunds } from '../ledger/funds.ts';
import { lockLeads } from '../leads/read-lead.ts';
import { deleteIdentitySales } from '../leads/identity-sales.ts';
import { queueLeads } from '../leads/inbox.ts';
import { settleLeads } from '../leads/settle-leads.ts';
import type { Rejection } from '../platform/outbound/send-outcome.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { shareOf } from '../suppliers/sale-cost.rules.ts';
import type { ConfirmedDelivery, SettledDelivery } from './delivery.ts';

/** What the partner's response said; null where it named none. */
export type AcceptedDelivery = {
  readonly deliveryId: DeliveryId;
  readonly reference: string | null;
  readonly priceCents: number | null;
};

export type Confirmation = {
  readonly confirmed: readonly ConfirmedDelivery[];
  /** What their offers' budgets get back, because partners named lower prices than were reserved. */
  readonly givenBack: readonly CounterChange[];
};

const NOTHING_CONFIRMED: Confirmation = { confirmed: [], givenBack: [] };

/**
 * Confirms deliveries that are still pending, each at most once: of several responses to a delivery the first counts. In the same transaction
 * the caller charges the confirmed ones (`draftCharges`), and passes what budgets get back to `failDeliveries`, which locks the counters.
 */
export async function confirmDeliveries(
  tx: Tx,
  accepted: readonly AcceptedDelivery[],
  now: Date,
): Promise<Confirmation> {
  if (accepted.length === 0) return NOTHING_CONFIRMED;
  const unique = [...new Map(accepted.toReversed().map((delivery) => [delivery.deliveryId, delivery])).values()];
  const rows = await tx.query(confirmDeliveriesSql, {
    deliveryIds: uuidArray(unique.map(({ deliveryId }) => deliveryId)),
    references: textArray(unique.map(({ reference }) => reference)),
    pricesCents: int8Array(unique.map(({ priceCents }) => priceCents)),
    now,
  });
  const confirmed = rows.map(({ costShare, ...delivery }) => {
    const { payoutCents, reservedCents } = delivery;
    return payoutCents === reservedCents || costShare === null
      ? delivery
      : { ...delivery, costCents: shareOf(payoutCents, costShare) };
  });
  const costed = confirmed.filter(({ costCents }, index) => costCents !== null && costCents !== rows[index]?.costCents);
  if (costed.length > 0) {
    await tx.query(updateCosts, {
      deliveryIds: costed.map(({ deliveryId }) => deliveryId),
      costsCents: costed.map(({ costCents }) => costCents ?? 0),
    });
  }
  const cheaper = confirmed.filter(({ payoutCents, reservedCents }) => payoutCents < reservedCents);
  const givenBack = cheaper.flatMap((delivery) =>
    slotsOf(delivery).map((key) => ({ ...key, slots: 0, cents: delivery.payoutCents - delivery.reservedCents })),
  );
  return { confirmed, givenBack };
}

export type FailedDelivery = {
  readonly deliveryId: DeliveryId;
  /** The buyer cannot have received it in any of the attempts. */
  readonly certain: boolean;
  /** The partner's system has decided so; null for any other failure. */
  readonly rejection?: Rejection | null;
};

export type AlsoSettled = {
  /**
   * Buyers whose accounts this transaction changes later: all partners' accounts are locked here at once, because two transactions that each
   * lock accounts twice could deadlock.
   */
  readonly lockFundsOf?: readonly string[];
  /** Changes of counters by deliveries that this transaction has confirmed: all counters are locked at once, too. */
  readonly counters?: readonly CounterChange[];
};

/** Queues a lead for routing again if it is certain that no buyer received it; returns these leads. */
export async function failDeliveries(
  tx: Tx,
  failures: readonly FailedDelivery[],
  now: Date,
  { lockFundsOf = [], counters = [] }: AlsoSettled = {},
): Promise<readonly LeadId[]> {
  if (failures.length === 0) {
    await changeCounters(tx, counters);
    return [];
  }
  const unique = [...new Map(failures.map((failure) => [failure.deliveryId, failure])).values()];
  const failed = await tx.query(failDeliveriesSql, {
    deliveryIds: unique.map(({ deliveryId }) => deliveryId),
    maybeArrived: unique.map(({ certain }) => !certain),
    failures: unique.map(({ rejection = null }) => rejection),
    now,
  });
  await deleteIdentitySales(
    tx,
    failed.map((delivery) => delivery.deliveryId),
  );
  const certain = new Set(failures.filter((failure) => failure.certain).map((failure) => failure.deliveryId));
  const leadIds = failed.filter((delivery) => certain.has(delivery.deliveryId)).map((delivery) => delivery.leadId);
  // Leads are locked before counters everywhere. If two deliveries of a shared lead fail at the same time in two transactions, the later
  // one sees that it is the last.
  const locked = leadIds.length === 0 ? NO_LEADS : await lockLeads(tx, leadIds);
  const released = failed.flatMap((delivery) =>
    slotsOf(delivery).map((key) => ({ ...key, slots: -1, cents: -delivery.payoutCents })),
  );
  await changeCounters(tx, [...counters, ...released]);
  const held = heldBy(failed);
  await lockFunds(tx, [...new Set([...held.keys(), ...lockFundsOf])]);
  await releaseFunds(tx, held);
  return routeAgain(tx, locked, now);
}

async function changeCounters(tx: Tx, changes: readonly CounterChange[]): Promise<void> {
  const sums = new Map<string, CounterChange>();
  for (const change of changes) {
    const known = sums.get(counterName(change));
    sums.set(counterName(change), {
      ...change,
      slots: change.slots + (known?.slots ?? 0),
      cents: change.cents + (known?.cents ?? 0),
    });
  }
  const summed = [...sums.values()];
  await lockCounters(tx, summed);
  await addToCounterUse(tx, summed);
}

type Locked = Awaited<ReturnType<typeof lockLeads>>;

const NO_LEADS: Locked = new Map();

async function routeAgain(tx: Tx, locked: Locked, now: Date): Promise<readonly LeadId[]> {
  if (locked.size === 0) return [];
  const leadIds = [...locked.keys()];
  const unsold = (await tx.query(selectUnsoldLeads, { leadIds })).map((row) => row.leadId);
  await settleLeads(
    tx,
    unsold.flatMap((leadId) => {
      const from = locked.get(leadId)?.publicStatus;
      return from === undefined ? [] : [{ leadId, from, state: 'received', publicStatus: 'Pending', reason: null }];
    }),
    now,
  );
  await queueLeads(
    tx,
    unsold.map((leadId) => ({ leadId, dueAt: dueAtOnce(now), failures: 0 })),
  );
  return unsold;
}

function slotsOf({ offerKey, capWindows }: Pick<SettledDelivery, 'offerKey' | 'capWindows'>): CounterKey[] {
  return capWindows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt) }));
}

function heldBy(failed: readonly SettledDelivery[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { buyerKey, payoutCents } of failed) held.set(buyerKey, (held.get(buyerKey) ?? 0) + payoutCents);
  return held;
}

/** Compares the money held for partners with the payouts of their pending deliveries (contract 4.7, 7.7). One text per mismatch. */
export async function checkHolds(tx: Tx): Promise<readonly string[]> {
  const [row] = await tx.query(countWrongHolds);
  assert(row !== undefined, 'a count always returns a row');
  return row.partners === 0 ? [] : [`${row.partners} partners whose held money differs from their pending deliveries`];
}
