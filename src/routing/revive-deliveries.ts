// Revives failed deliveries whose lead the partner can still have: the delivery becomes Pending under the same id, and caps, identities
// and funds are taken as in routing, under the same locks in the same order: identities, leads, deliveries, counters, accounts
// (contract 6.4).
import { DAY_MS } from '../base/time.ts';
import type { DeliveryId, LeadId } from '../base/ids.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { addToCounterUse, type CapSlot, counterName, lockCounters } from '../caps/cap-counters.ts';
import {
  lockDeliveriesOfLeads,
  readFailedSales,
  type Reopened,
  reopenDeliveries,
} from '../deliveries/redelivery/reopen-deliveries.ts';
import { holdFunds, lockFunds } from '../ledger/funds.ts';
import { claimInboxEntries, withdrawLeads } from '../leads/inbox.ts';
import { lockLeads } from '../leads/read-lead.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import type { IdentityHash, SalesByIdentity } from '../leads/identity.rules.ts';
import { lockIdentities, type IdentitySale, recordIdentitySales } from '../leads/identity-sales.ts';
import { excludedBy, type ListHit, soldBy, suppressedBy } from '../lists/list-hits.rules.ts';
import { lookUpLeads, readListKinds } from '../lists/look-up.ts';
import { readFields } from '../leads/read-fields.rules.ts';
import { settleLeads } from '../leads/settle-leads.ts';
import { readPersonPepper, readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { queueCallbacks } from '../suppliers/queue-callbacks.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { scopeOf } from './decide-batch.rules.ts';
import { cachedSpans, windowsOf } from './availability.rules.ts';
import { type IndexedOffer, makeOfferIndex } from './offer-index.rules.ts';
import type { Offer } from './offer.ts';
import { readOffers } from './stored-offers.ts';
import { mayRevive } from './revival.rules.ts';
import { availableFunds } from './reserve-capacity.ts';
import type { Counter } from '../caps/counter.ts';
import type { FailedSale, LeadDelivery } from '../deliveries/delivery.ts';
import type { LockedLead } from '../leads/stored-lead.ts';

/**
 * Returns the deliveries that are Pending again. Runs as the service, because other partners' deliveries of the lead count as well. The
 * number of statements does not depend on the number of deliveries.
 */
export async function reviveDeliveries(
  tx: Tx,
  deliveryIds: readonly DeliveryId[],
  now: Date,
): Promise<ReadonlySet<DeliveryId>> {
  const sales = await readFailedSales(tx, deliveryIds);
  if (sales.length === 0) return new Set();
  const market = await lockMarket(tx, sales, now);
  const revived = decide(sales, market, now);
  await write(tx, { revived, market }, now);
  return new Set(revived.map(({ sale }) => sale.deliveryId));
}

type Market = {
  readonly identitiesOf: ReadonlyMap<LeadId, readonly IdentityHash[]>;
  readonly sold: SalesByIdentity;
  readonly blocksRepeats: boolean;
  /** The lists that each lead is on now. */
  readonly listed: ReadonlyMap<LeadId, readonly ListHit[]>;
  readonly leads: ReadonlyMap<LeadId, LockedLead>;
  /** Leads whose inbox entry this transaction has claimed. */
  readonly waiting: ReadonlySet<LeadId>;
  /** By lead, updated with every revival. */
  readonly deliveries: ReadonlyMap<LeadId, LeadDelivery[]>;
  /** All offers with a delivery of the leads, closed ones included. */
  readonly offers: ReadonlyMap<string, Offer>;
  /** The offers whose partners can take leads now. */
  readonly open: ReadonlyMap<string, IndexedOffer>;
  /** By offer: the current windows. */
  readonly windows: ReadonlyMap<string, readonly CapSlot[]>;
  /** By counter name, updated with every revival. */
  readonly counters: Map<string, Counter>;
  /** By partner, updated with every revival; null without a limit. */
  readonly funds: Map<string, number | null>;
};

async function lockMarket(tx: Tx, sales: readonly FailedSale[], now: Date): Promise<Market> {
  const { dedupDays } = (await readSettings(tx)).settings;
  const personPepper = await readPersonPepper(tx);
  const fieldsOf = new Map(sales.map(({ leadId, fields }) => [leadId, readFields(fields, null)]));
  const identitiesOf = new Map([...fieldsOf].map(([leadId, fields]) => [leadId, identityHashes(personPepper, fields)]));
  const toLookUp = [...fieldsOf].map(([leadId, fields]) => ({ leadId, fields }));
  const listed = await lookUpLeads(tx, { leads: toLookUp, kinds: await readListKinds(tx) }, now);
  const since = dedupDays === 0 ? null : new Date(now.getTime() - dedupDays * DAY_MS);
  const sold = await lockIdentities(tx, [...new Set([...identitiesOf.values()].flat())], { since, now });
  const leadIds = [...new Set(sales.map(({ leadId }) => leadId))];
  const leads = await lockLeads(tx, leadIds);
  const waiting = await claimInboxEntries(tx, leadIds);
  const deliveries = Map.groupBy(await lockDeliveriesOfLeads(tx, leadIds), ({ leadId }) => leadId);
  const offerKeys = new Set([...deliveries.values()].flat().map(({ offerKey }) => offerKey));
  const offers = await readOffers(tx, [...offerKeys]);
  const buyers = await readBuyers(tx, [...new Set(sales.map(({ buyerKey }) => buyerKey))]);
  const open = new Map(makeOfferIndex(0, offers, buyers).open.map((indexed) => [indexed.offer.offerKey, indexed]));
  const spanOf = cachedSpans();
  const windows = new Map(
    [...open].map(([offerKey, indexed]) => [
      offerKey,
      windowsOf(indexed, now, spanOf).map(({ window, span }): CapSlot => ({ window, startsAt: span.from })),
    ]),
  );
  const keys = new Map(
    sales.flatMap((sale) =>
      slotsOf(sale, windows.get(sale.offerKey) ?? []).map(({ window, startsAt }) => {
        const key = { offerKey: sale.offerKey, window, startsAt: new Date(startsAt) };
        return [counterName(key), key] as const;
      }),
    ),
  );
  const counters = new Map(
    (await lockCounters(tx, [...keys.values()])).map((counter) => [counterName(counter), counter]),
  );
  const accounts = await lockFunds(tx, [...buyers.keys()]);
  const funds = new Map(
    [...buyers.values()].map(({ buyerKey, billing }) => [
      buyerKey,
      billing.creditLimitCents === null ? null : availableFunds(accounts.get(buyerKey), billing.creditLimitCents),
    ]),
  );
  const offersByKey = new Map(offers.map((offer) => [offer.offerKey, offer]));
  const blocksRepeats = dedupDays > 0;
  return {
    identitiesOf,
    sold,
    blocksRepeats,
    listed,
    leads,
    waiting,
    deliveries,
    offers: offersByKey,
    open,
    windows,
    counters,
    funds,
  };
}

function slotsOf({ appointmentAt }: FailedSale, windows: readonly CapSlot[]): CapSlot[] {
  return appointmentAt === null ? [...windows] : [...windows, { window: 'slot', startsAt: appointmentAt.getTime() }];
}

type Revived = { readonly sale: FailedSale; readonly indexed: IndexedOffer; readonly slots: readonly CapSlot[] };

/** Decides one after the other; each decision counts what earlier ones have taken. */
function decide(sales: readonly FailedSale[], market: Market, now: Date): Revived[] {
  const revived: Revived[] = [];
  for (const sale of sales) {
    const indexed = market.open.get(sale.offerKey);
    if (indexed === undefined || !isFree(sale, market)) continue;
    const { offer } = indexed;
    const slots = slotsOf(sale, market.windows.get(sale.offerKey) ?? []);
    const counterOf = ({ window, startsAt }: CapSlot): Counter => {
      const key = { offerKey: sale.offerKey, window, startsAt: new Date(startsAt) };
      return market.counters.get(counterName(key)) ?? { ...key, used: 0, usedCents: 0 };
    };
    const identities = market.identitiesOf.get(sale.leadId) ?? [];
    const deliveries = market.deliveries.get(sale.leadId) ?? [];
    const fundsCents = market.funds.get(sale.buyerKey) ?? null;
    const isOk = mayRevive({
      offer,
      eventType: sale.eventType,
      payoutCents: sale.payoutCents,
      appointmentAt: sale.appointmentAt?.getTime() ?? null,
      others: deliveries
        .filter((other) => other.deliveryId !== sale.deliveryId && (other.status !== 'Failed' || other.mayHaveArrived))
        .map((other) => market.offers.get(other.offerKey)?.sale ?? null),
      identities,
      sales: market.sold,
      isListed: isListed(offer, market.listed.get(sale.leadId) ?? [], market),
      windows: slots,
      useOf: counterOf,
      fundsCents,
      now: now.getTime(),
    });
    if (!isOk) continue;
    revived.push({ sale, indexed, slots });
    for (const slot of slots) {
      const counter = counterOf(slot);
      market.counters.set(counterName(counter), {
        ...counter,
        used: counter.used + 1,
        usedCents: counter.usedCents + sale.payoutCents,
      });
    }
    if (fundsCents !== null) market.funds.set(sale.buyerKey, fundsCents - sale.payoutCents);
    for (const identity of identities)
      market.sold.set(identity, new Set([...(market.sold.get(identity) ?? []), scopeOf(indexed)]));
    const own = deliveries.findIndex(({ deliveryId }) => deliveryId === sale.deliveryId);
    deliveries.splice(own, 1, ...deliveries.slice(own, own + 1).map((one) => ({ ...one, status: 'Pending' as const })));
  }
  return revived;
}

/** Whether a list keeps this offer from getting the lead. */
function isListed(offer: Offer, hits: readonly ListHit[], { blocksRepeats }: Market): boolean {
  if (suppressedBy(hits) !== null || excludedBy(hits, offer) !== null) return true;
  return blocksRepeats && soldBy(hits, offer) !== null;
}

/** Whether the delivery is still Failed under the lock, and its lead is neither erased nor being decided by a worker. */
function isFree({ deliveryId, leadId }: FailedSale, { leads, waiting, deliveries }: Market): boolean {
  const lead = leads.get(leadId);
  if (lead === undefined || lead.isErased) return false;
  if ((lead.state === 'received' || lead.state === 'held') && !waiting.has(leadId)) return false;
  return deliveries.get(leadId)?.some((one) => one.deliveryId === deliveryId && one.status === 'Failed') ?? false;
}

async function write(
  tx: Tx,
  { revived, market }: { readonly revived: readonly Revived[]; readonly market: Market },
  now: Date,
): Promise<void> {
  if (revived.length === 0) return;
  const reopened = revived.map(({ sale, indexed, slots }): Reopened => {
    return {
      deliveryId: sale.deliveryId,
      isExclusive: indexed.offer.sale.kind === 'exclusive',
      capWindows: slots,
    };
  });
  await reopenDeliveries(tx, reopened, now);
  const identitySales = new Map<string, IdentitySale>();
  for (const { sale, indexed } of revived) {
    for (const hash of market.identitiesOf.get(sale.leadId) ?? []) {
      const scope = scopeOf(indexed);
      identitySales.set(`${hash} ${scope}`, { hash, scope, deliveryId: sale.deliveryId });
    }
  }
  await recordIdentitySales(tx, [...identitySales.values()], now);
  await settle(tx, { revived, market }, now);
  await addToCounterUse(
    tx,
    [...Map.groupBy(revived.flatMap(changesOf), counterName).values()].flatMap((changes) => {
      const [first] = changes;
      return first === undefined
        ? []
        : [{ ...first, slots: changes.length, cents: changes.reduce((sum, { cents }) => sum + cents, 0) }];
    }),
  );
  const held = new Map<string, number>();
  for (const { sale } of revived) held.set(sale.buyerKey, (held.get(sale.buyerKey) ?? 0) + sale.payoutCents);
  await holdFunds(tx, held);
}

function changesOf({ sale: { offerKey, payoutCents }, slots }: Revived) {
  return slots.map(({ window, startsAt }) => ({
    offerKey,
    window,
    startsAt: new Date(startsAt),
    slots: 1,
    cents: payoutCents,
  }));
}

/** Sets rejected and waiting leads to routed, and notifies the suppliers of the rejected ones. */
async function settle(
  tx: Tx,
  { revived, market: { leads } }: { readonly revived: readonly Revived[]; readonly market: Market },
  now: Date,
): Promise<void> {
  const changes = [...new Map(revived.map(({ sale }) => [sale.leadId, sale])).values()].flatMap((sale) => {
    const lead = leads.get(sale.leadId);
    return lead === undefined || lead.state === 'routed' ? [] : [{ sale, lead }];
  });
  await withdrawLeads(
    tx,
    changes.map(({ sale }) => sale.leadId),
  );
  await settleLeads(
    tx,
    changes.map(({ sale: { leadId, eventType }, lead: { publicStatus } }) => {
      return { leadId, from: publicStatus, state: 'routed', publicStatus: eventType, reason: null };
    }),
    now,
  );
  const news = changes.flatMap(({ sale: { leadId, supplierKey, eventType: status }, lead: { state, externalId } }) =>
    state === 'rejected'
      ? [{ supplierKey, type: 'lead.routed', leadId, externalId, status, reason: null } as const]
      : [],
  );
  if (news.length > 0) await queueCallbacks(tx, { notices: news, suppliers: await readSuppliers(tx) }, now);
}
