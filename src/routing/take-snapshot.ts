// Reads everything that a batch of leads is decided on: sales of its identities (locked), counters, funds, turns and slots
// (contract 4.3; decision 004).
import type { LeadId } from '../base/ids.ts';
import { computeApart } from '../base/apart.ts';
import { DAY_MS } from '../base/time.ts';
import { counterName, lockCounters, readCounters, readSlots } from '../caps/cap-counters.ts';
import { findBuyersOfLeads } from '../deliveries/find-sales.ts';
import { failingEndpoints } from '../endpoints/health.ts';
import { lockFunds, readFunds } from '../ledger/funds.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { lockIdentities } from '../leads/identity-sales.ts';
import { lookUpLeads } from '../lists/look-up.ts';
import { identityKey, type SalesByIdentity } from '../leads/identity.rules.ts';
import type { ClaimedLead } from '../leads/stored-lead.ts';
import { int8Array, textArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { isLimited, windowsOf } from './availability.rules.ts';
import type { Snapshot } from './decide-batch.rules.ts';
import { factsOf, type LeadToRoute } from './lead-facts.ts';
import type { CurrentMarket } from './market-reader.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import { availableFunds } from './reserve-capacity.ts';
import { lockTurns, makeTurns, selectSalesOfSuppliers } from './routing.sql.ts';

type PreparedLeads = { readonly leads: LeadToRoute[]; readonly fieldsOf: ReadonlyMap<LeadId, LeadFields> };

export async function prepareLeads(
  tx: Tx,
  claimed: readonly ClaimedLead[],
  { personPepper, listKinds }: CurrentMarket,
  now: Date,
): Promise<PreparedLeads> {
  const parsed = claimed.map((lead) => ({ ...lead, fields: JSON.parse(lead.fields) as LeadFields }));
  const [before, hits] = await Promise.all([
    findBuyersOfLeads(
      tx,
      claimed.map((lead) => lead.leadId),
    ),
    lookUpLeads(tx, { leads: parsed.filter(({ isTest }) => !isTest), kinds: listKinds }, now),
  ]);
  const fieldsOf = new Map<LeadId, LeadFields>();
  const leads = parsed.map(({ leadId, externalId, isTest, receivedAt, fields, score, supplierKey }) => {
    fieldsOf.set(leadId, fields);
    return {
      leadId,
      externalId,
      isTest,
      receivedAt: receivedAt.getTime(),
      facts: factsOf({ fields, score, supplierKey }),
      requestedSlot: fields.appointmentAt === null ? null : Date.parse(fields.appointmentAt),
      identities: identityHashes(personPepper, fields),
      buyersBefore: before.get(leadId) ?? new Set(),
      listed: hits.get(leadId) ?? [],
    };
  });
  return { leads, fieldsOf };
}

type SnapshotInput = {
  readonly leads: readonly LeadToRoute[];
  readonly currentMarket: CurrentMarket;
  readonly lockFirst: boolean;
};

export async function takeSnapshot(
  tx: Tx,
  { leads, currentMarket, lockFirst }: SnapshotInput,
  now: Date,
): Promise<Snapshot> {
  const { stored, offerIndex, calendar } = currentMarket;
  const { dedupDays, holdMinutes, strategy } = stored.settings;
  const since = dedupDays === 0 ? null : new Date(now.getTime() - dedupDays * DAY_MS);
  // A test lead records no sale, so its identities need no lock.
  const live = leads.filter((lead) => !lead.isTest);
  const sales = await lockIdentities(tx, [...new Set(live.flatMap(({ identities }) => identities))], { since, now });
  const tests = leads.filter((lead) => lead.isTest);
  if (since !== null) await addOwnSales(tx, { sales, tests, since });
  // One worker at a time hands out turns; the other strategies need no such order.
  // Offers of other verticals get none of the leads, so nothing is read or locked for them.
  const verticals = new Set(leads.map(({ facts }) => facts.vertical));
  const concerned = [...verticals].flatMap((vertical) => offerIndex.ofVertical(vertical));
  const inTurn = strategy === 'round_robin' ? offerIndex.open.map(({ offer }) => offer.offerKey) : [];
  const turns = inTurn.length === 0 ? new Map<string, number>() : await lockTurnsOf(tx, inTurn);
  const failed = new Map<IndexedOffer, unknown>();
  const keys = computeApart(
    concerned,
    (indexed) =>
      windowsOf(indexed, now, calendar.spanOf)
        // Locks are taken in one order, so locking before deciding must include every counter that a sale may change.
        .filter(({ window }) => lockFirst || isLimited(indexed, window))
        .map(({ window, span }) => ({ offerKey: indexed.offer.offerKey, window, startsAt: new Date(span.from) })),
    (indexed, error) => void failed.set(indexed, error),
  ).flat();
  const limited = new Map(
    concerned.flatMap(({ buyer }) =>
      buyer.billing.creditLimitCents === null ? [] : [[buyer.buyerKey, buyer.billing.creditLimitCents] as const],
    ),
  );
  const buyers = new Set(concerned.map(({ buyer }) => buyer.buyerKey));
  const booking = computeApart(
    concerned,
    ({ offer }) => (offer.booking === null ? [] : [offer.offerKey]),
    (indexed, error) => void failed.set(indexed, error),
  ).flat();
  const counted = lockFirst ? await lockCounters(tx, keys) : null;
  const [rows, funds, failing, slots] = await Promise.all([
    counted ?? readCounters(tx, keys),
    lockFirst ? lockFunds(tx, [...buyers]) : readFunds(tx, [...limited.keys()]),
    failingEndpoints(tx, holdMinutes * 60_000, now),
    // After the counters: only the transaction that holds an offer's counters books its slots.
    readSlots(tx, booking, now),
  ]);
  const counters = new Map(rows.map((counter) => [counterName(counter), counter]));
  return {
    now,
    holdMs: holdMinutes * 60_000,
    offerIndex,
    failed,
    calendar,
    readings: (offerKey) => (window, startsAt) =>
      counters.get(counterName({ offerKey, window, startsAt: new Date(startsAt) })) ?? null,
    funds: new Map([...limited].map(([buyerKey, limit]) => [buyerKey, availableFunds(funds.get(buyerKey), limit)])),
    sales,
    blocksRepeats: dedupDays > 0,
    failing,
    strategy,
    turns,
    slots,
  };
}

/** Adds the sales of a test lead's own supplier, under the key that test leads look up. */
async function addOwnSales(
  tx: Tx,
  { sales, tests, since }: { sales: SalesByIdentity; tests: readonly LeadToRoute[]; since: Date },
): Promise<void> {
  const wanted = tests.flatMap(({ identities, facts }) =>
    identities.map((hash) => ({ hash, supplierKey: facts.supplierKey })),
  );
  if (wanted.length === 0) return;
  const rows = await tx.query(selectSalesOfSuppliers, {
    hashes: int8Array(wanted.map(({ hash }) => hash)),
    supplierKeys: textArray(wanted.map(({ supplierKey }) => supplierKey)),
    since,
  });
  for (const { hash, supplierKey, scope } of rows) {
    const key = identityKey(hash, { isTest: true, supplierKey });
    sales.set(key, (sales.get(key) ?? new Set()).add(scope));
  }
}

/** By offer key: when the offer was last picked in turn, 0 for never. Locked until the transaction ends: all workers share one order of turns. */
async function lockTurnsOf(tx: Tx, offerKeys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  let rows = await tx.query(lockTurns, { offerKeys });
  if (rows.length < offerKeys.length) {
    await tx.query(makeTurns, { offerKeys });
    rows = await tx.query(lockTurns, { offerKeys });
  }
  return new Map(rows.map(({ offerKey, turn }) => [offerKey, turn]));
}
