// Reads the data on lost sales for the operator's overview: from configuration, accounts, counters and daily counts, and from a fixed
// number of the latest decisions.
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { availableCents } from '../invoices/account-order.rules.ts';
import { readFunds } from '../ledger/funds.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { type Market, type StoppedPartner, countReasons } from './market.rules.ts';
import { latestUnsold, leadsOfDays, failedOfDays } from './market.sql.ts';
import { type Available, leadsUntilOutOfFunds, type OfferStop, offerStop } from './offer-stops.rules.ts';
import { readSpentADay } from './sales-figures.ts';
import { readWindowUses } from './offer-usage.ts';

/** A week contains every weekday once. */
const DAYS = 7;

/** Consistent if `tx` is a snapshot. */
export async function readMarket(
  tx: Tx,
  { currency, spanOf }: { readonly currency: string; readonly spanOf: SpanOf },
  now: Date,
): Promise<Market> {
  const partners = await readPartners(tx, { spanOf, now });
  const spentADay = await readSpentADay(
    tx,
    partners.filter(({ available }) => available !== null).map(({ buyer }) => buyer.buyerKey),
    now,
  );
  const stops = partners.flatMap((partner) => partner.offers.map(({ stop }) => stop));
  return {
    currency,
    noTarget: stoppedBy(partners, (stop) => stop.code === 'channel_not_ready'),
    outOfFunds: partners.flatMap((partner) => {
      const [stopped] = stoppedBy([partner], (stop) => stop.code === 'funds_missing');
      if (stopped === undefined) return [];
      const prices = partner.offers.flatMap(({ stop }) => (stop?.code === 'funds_missing' ? [stop.priceCents] : []));
      return [{ ...stopped, availableCents: Math.max(0, partner.available ?? 0), priceCents: Math.min(...prices) }];
    }),
    lowFunds: partners.flatMap(({ buyer, available, offers }) => {
      const priceCents = Math.max(0, ...offers.map(({ offer }) => offer.payoutCents));
      const leads = leadsUntilOutOfFunds(available, { priceCents, spentADayCents: spentADay(buyer.buyerKey) });
      return leads === null ? [] : [{ ...nameOf(buyer), availableCents: available ?? 0, leads }];
    }),
    full: {
      offers: stops.filter((stop) => stop?.code === 'cap_reached' || stop?.code === 'budget_reached').length,
      of: stops.filter((stop) => stop?.code !== 'channel_not_ready' && stop?.code !== 'endpoint_disabled').length,
    },
    ...(await readLatest(tx, now)),
  };
}

type Partner = {
  readonly buyer: Buyer;
  readonly available: Available;
  /** The active offers. */
  readonly offers: ReadonlyArray<{ readonly offer: Offer; readonly stop: OfferStop | null }>;
};

/** Active partners with at least one active offer, by name. */
async function readPartners(
  tx: Tx,
  { spanOf, now }: { readonly spanOf: SpanOf; readonly now: Date },
): Promise<Partner[]> {
  const buyers = await readBuyers(tx);
  const active = (await readOffers(tx)).flatMap((offer) => {
    const buyer = buyers.get(offer.buyerKey);
    return offer.status === 'active' && buyer?.status === 'active' ? [{ offer, buyer }] : [];
  });
  const usesOf = await readWindowUses(tx, active, { spanOf, now });
  const ofBuyers = [...Map.groupBy(active, ({ buyer }) => buyer)];
  const limited = ofBuyers.flatMap(([{ buyerKey, billing }]) => (billing.creditLimitCents === null ? [] : [buyerKey]));
  const funds = await readFunds(tx, limited);
  return ofBuyers
    .map(([buyer, offers]) => {
      const { balanceCents, heldCents } = funds.get(buyer.buyerKey) ?? { balanceCents: 0, heldCents: 0 };
      const available = availableCents({ balanceCents, heldCents, creditLimitCents: buyer.billing.creditLimitCents });
      return {
        buyer,
        available,
        offers: offers.map(({ offer }) => ({
          offer,
          stop: offerStop(offer, buyer, { uses: usesOf(offer), available }),
        })),
      };
    })
    .toSorted((one, other) => (one.buyer.name < other.buyer.name ? -1 : 1));
}

function stoppedBy(partners: readonly Partner[], matches: (stop: OfferStop) => boolean): StoppedPartner[] {
  return partners.flatMap(({ buyer, offers }) => {
    const stopped = offers.filter(({ stop }) => stop !== null && matches(stop)).length;
    return stopped === 0 ? [] : [{ ...nameOf(buyer), offers: stopped }];
  });
}

function nameOf({ buyerKey, name }: Buyer): { readonly partner: string; readonly name: string } {
  return { partner: buyerKey, name: name === '' ? buyerKey : name };
}

async function readLatest(tx: Tx, now: Date): Promise<Pick<Market, 'unsold' | 'failed' | 'leadsAnHour'>> {
  const day = (back: number): string => utcDay(new Date(now.getTime() - back * DAY_MS));
  const traces = await tx.query(latestUnsold, { decidedAt: new Date(now.getTime() - DAY_MS) });
  const [leads] = await tx.query(leadsOfDays, { firstDay: day(DAYS), lastDay: day(1) });
  const [failed] = await tx.query(failedOfDays, { firstDay: day(DAYS - 1), lastDay: day(0) });
  return {
    unsold: countReasons(traces.map(({ trace }) => trace)),
    failed: { deliveries: failed?.deliveries ?? 0, days: DAYS },
    leadsAnHour: (leads?.leads ?? 0) / (DAYS * 24),
  };
}
