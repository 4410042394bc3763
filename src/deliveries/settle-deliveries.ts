// Settles pending deliveries: confirms and charges them, or fails them and releases the cap slot, the held money and the contact
// (contract 4.13, 4.14).
import { strict as assert } from 'node:assert';

import type { DeliveryId, LeadId } from '../base/ids.ts';
import { uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { settleDeliveries, selectUnsoldLeads, countWrongHolds } from './delivery.sql.ts';
import { addToCounterUse, type CounterChange, counterName, lockCounters } from '../caps/cap-counters.ts';
import { lockFunds, releaseFunds } from '../ledger/funds.ts';
import { lockLeads } from '../leads/read-lead.ts';
import { deleteIdentitySales } from '../leads/identity-sales.ts';
import { queueLeads } from '../leads/inbox.ts';
import { settleLeads } from '../leads/settle-leads.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import type { ConfirmedDelivery, SettledDelivery } from './delivery.ts';

/** Returns the deliveries that were still pending. In the same transaction the caller charges these (`draftCharges`). */
export async function confirmDeliveries(
  tx: Tx,
  deliveryIds: readonly DeliveryId[],
  now: Date,
): Promise<readonly ConfirmedDelivery[]> {
  if (deliveryIds.length === 0) return [];
  return tx.query(settleDeliveries, {
    deliveryIds: uuidArray(deliveryIds),
    status: 'Confirmed',
    now,
    maybeArrivedIds: uuidArray([]),
  });
}

/** `certain`: the buyer cannot have received it in any of the attempts. */
export type FailedDelivery = { readonly deliveryId: DeliveryId; readonly certain: boolean };

/**
 * Queues a lead for routing again if it is certain that no buyer received it; returns these leads. `alsoLockFundsOf` names buyers whose
 * accounts this transaction changes later: all partners' accounts are locked here at once, because two transactions that each lock accounts
 * twice could deadlock.
 */
export async function failDeliveries(
  tx: Tx,
  failures: readonly FailedDelivery[],
  now: Date,
  alsoLockFundsOf: readonly string[] = [],
): Promise<readonly LeadId[]> {
  if (failures.length === 0) return [];
  const failed = await tx.query(settleDeliveries, {
    deliveryIds: failures.map((failure) => failure.deliveryId),
    status: 'Failed',
    now,
    maybeArrivedIds: failures.filter((failure) => !failure.certain).map((failure) => failure.deliveryId),
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
  const slots = slotsOf(failed);
  await lockCounters(tx, slots);
  await addToCounterUse(tx, slots);
  const held = heldBy(failed);
  await lockFunds(tx, [...new Set([...held.keys(), ...alsoLockFundsOf])]);
  await releaseFunds(tx, held);
  return routeAgain(tx, locked, now);
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

function slotsOf(failed: readonly SettledDelivery[]): CounterChange[] {
  const slots = new Map<string, CounterChange>();
  for (const { offerKey, payoutCents, capWindows } of failed) {
    for (const { window, startsAt } of capWindows) {
      const key = { offerKey, window, startsAt: new Date(startsAt) };
      const known = slots.get(counterName(key));
      slots.set(counterName(key), {
        ...key,
        slots: (known?.slots ?? 0) - 1,
        cents: (known?.cents ?? 0) - payoutCents,
      });
    }
  }
  return [...slots.values()];
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
