// Reads what sales are lost to, for the operator's warnings: from configuration, accounts, counters and daily counts, and from a fixed
// number of the latest decisions.
import { computeApart } from '../base/apart.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { availableCents } from '../invoices/account-order.rules.ts';
import { UNPRICED_ERRORS } from '../deliveries/channels/unpriced.rules.ts';
import { readFunds } from '../ledger/funds.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import { tried } from '../routing/offer-index.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { offerInForce } from '../routing/own-limits.rules.ts';
import { readOffers } from '../routing/stored-offers.ts';
import type { Market, StoppedPartner } from './market.rules.ts';
import { dueClaims, latestDecisions, leadsOfDays, failedOfDays, unpricedSince } from './market.sql.ts';
import { type Available, leadsUntilOutOfFunds, type OfferStop, offerStop } from './offer-stops.rules.ts';
import { readSpentADay } from './sales-figures.ts';
import { countReasons } from './unsold.rules.ts';
import { readWindowUses } from './offer-usage.ts';

const HOUR_MS = 3_600_000;
/** A week contains every weekday once. */
const DAYS = 7;

/** Consistent if `tx` is a snapshot. */
export async function readMarket(
  tx: Tx,
  { settings, spanOf }: { readonly settings: MarketSettings; readonly spanOf: SpanOf },
  now: Date,
): Promise<Market> {
  const { partners, leftOut, priceOf } = await readPartners(tx, { spanOf, now });
  const spentADay = await readSpentADay(
    tx,
    [...partners, ...leftOut].map(({ buyer }) => buyer.buyerKey),
    now,
  );
  return {
    currency: settings.currency,
    leftOut: leftOut.map(({ buyer, offers }) => ({ ...nameOf(buyer), offers })),
    noTarget: stoppedBy(partners, (stop) => stop.code === 'channel_not_ready'),
    outOfFunds: partners.flatMap((partner) => {
      const [stopped] = stoppedBy([partner], (stop) => stop.code === 'funds_missing');
      if (stopped === undefined) return [];
      const prices = partner.offers.flatMap(({ stop }) => (stop?.code === 'funds_missing' ? [stop.priceCents] : []));
      return [{ ...stopped, availableCents: Math.max(0, partner.available ?? 0), priceCents: Math.min(...prices) }];
    }),
    fundsPaused: partners.flatMap((partner) => {
      const { billing, fundsPausedAt: since } = partner.buyer;
      return stoppedBy([partner], (stop) => stop.code === 'funds_paused').map((stopped) => ({
        ...{ ...stopped, since, belowCents: billing.pauseBelowCents ?? 0 },
      }));
    }),
    ownPaused: partners.flatMap((partner) => {
      const { since = null, until = null } = partner.buyer.ownPause ?? {};
      return stoppedBy([partner], (stop) => stop.code === 'paused_by_partner').map((stopped) => ({
        ...{ ...stopped, since, until },
      }));
    }),
    lowFunds: partners.flatMap(({ buyer, available, offers }) => {
      const priceCents = Math.max(0, ...offers.map(({ offer }) => offer.payoutCents));
      const leads = leadsUntilOutOfFunds(available, { priceCents, spentADayCents: spentADay(buyer.buyerKey) });
      return leads === null ? [] : [{ ...nameOf(buyer), availableCents: available ?? 0, leads }];
    }),
    full: partners.flatMap((partner) =>
      stoppedBy([partner], ({ code }) => code === 'cap_reached' || code === 'budget_reached').map((stopped) => ({
        ...stopped,
        of: partner.offers.length,
      })),
    ),
    ...(await readLatest(tx, { settings, priceOf }, now)),
    spentADay: new Map([...partners, ...leftOut].map(({ buyer: { buyerKey } }) => [buyerKey, spentADay(buyerKey)])),
  };
}

/** What of the marketplace's settings the problems depend on. */
export type MarketSettings = Pick<MarketplaceSettings, 'currency' | 'notices'>;

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
): Promise<{
  readonly partners: Partner[];
  readonly leftOut: ReadonlyArray<{ readonly buyer: Buyer; readonly offers: number }>;
  readonly priceOf: (offerKey: string) => number;
}> {
  const buyers = await readBuyers(tx);
  const offersOfAll = await readOffers(tx);
  const prices = new Map(offersOfAll.map(({ offerKey, payoutCents }) => [offerKey, payoutCents]));
  const leftOut = new Set<string>();
  const leaveOut = ({ offerKey }: Pick<Offer, 'offerKey'>): void => void leftOut.add(offerKey);
  const configured = offersOfAll.flatMap((offer) => {
    const buyer = buyers.get(offer.buyerKey);
    return offer.status === 'active' && buyer?.status === 'active' ? [{ offer, buyer }] : [];
  });
  const inForce = computeApart(
    configured,
    ({ offer, buyer }) => tried({ offer: offerInForce(offer), buyer }),
    ({ offer }) => leaveOut(offer),
  );
  const usesOf = await readWindowUses(tx, inForce, { spanOf, now, leaveOut: ({ offer }) => leaveOut(offer) });
  const active = inForce.filter(({ offer }) => !leftOut.has(offer.offerKey));
  const ofBuyers = [...Map.groupBy(active, ({ buyer }) => buyer)];
  const limited = ofBuyers.flatMap(([{ buyerKey, billing }]) => (billing.creditLimitCents === null ? [] : [buyerKey]));
  const funds = await readFunds(tx, limited);
  const partners = ofBuyers
    .map(([buyer, offers]) => {
      const { balanceCents, heldCents } = funds.get(buyer.buyerKey) ?? { balanceCents: 0, heldCents: 0 };
      const available = availableCents({ balanceCents, heldCents, creditLimitCents: buyer.billing.creditLimitCents });
      return {
        buyer,
        available,
        offers: computeApart(
          offers,
          ({ offer }) => ({ offer, stop: offerStop(offer, buyer, { uses: usesOf(offer), available }) }),
          ({ offer }) => leaveOut(offer),
        ),
      };
    })
    .toSorted((one, other) => (one.buyer.name < other.buyer.name ? -1 : 1));
  const faulty = Map.groupBy(
    configured.filter(({ offer }) => leftOut.has(offer.offerKey)),
    ({ buyer }) => buyer,
  );
  return {
    partners,
    leftOut: [...faulty].map(([buyer, offers]) => ({ buyer, offers: offers.length })),
    priceOf: (offerKey) => prices.get(offerKey) ?? 0,
  };
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

type LatestInput = { readonly settings: MarketSettings; readonly priceOf: (offerKey: string) => number };

async function readLatest(
  tx: Tx,
  { settings, priceOf }: LatestInput,
  now: Date,
): Promise<Pick<Market, 'latest' | 'failed' | 'unpriced' | 'claims' | 'leadsAnHour'>> {
  const day = (back: number): string => utcDay(new Date(now.getTime() - back * DAY_MS));
  const decisions = await tx.query(latestDecisions, { decidedAt: new Date(now.getTime() - DAY_MS) });
  const [leads] = await tx.query(leadsOfDays, { firstDay: day(DAYS), lastDay: day(1) });
  const [failed] = await tx.query(failedOfDays, { firstDay: day(DAYS - 1), lastDay: day(0) });
  const unpriced = await tx.query(unpricedSince, {
    since: new Date(now.getTime() - DAYS * DAY_MS),
    errors: UNPRICED_ERRORS,
  });
  const { claimDueHours: withinHours } = settings.notices.thresholds;
  const [claims] = await tx.query(dueClaims, { now, until: new Date(now.getTime() + withinHours * HOUR_MS) });
  const traces = decisions.flatMap(({ trace }) => (trace === null ? [] : [trace]));
  return {
    latest: { decided: decisions.length, unsold: countReasons(traces, priceOf) },
    failed: { ...(failed ?? { deliveries: 0, cents: 0 }), days: DAYS },
    unpriced,
    claims: { ...(claims ?? { due: 0, overdue: 0, cents: 0 }), withinHours },
    leadsAnHour: (leads?.leads ?? 0) / (DAYS * 24),
  };
}
