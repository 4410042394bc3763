// Indexes the current offers by vertical, state and priority in trial order, so that a lead is compared with few of them.
import { strict as assert } from 'node:assert';

import { computeApart } from '../base/apart.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { settingOf, targetOf } from '../buyers/channel-target.rules.ts';
import { admitsState, failedFilter, type LeftOut } from './eligibility.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { Offer } from './offer.ts';
import { type TierBounds, boundsOf } from './best-by-price.rules.ts';
import { offerInForce } from './own-limits.rules.ts';
import { weightColumns, type WeightColumns } from './strategy.rules.ts';

export type IndexedOffer = { readonly offer: Offer; readonly buyer: Buyer };

export type OfferIndex = {
  readonly version: number;
  /** Offers that take no leads because a value of theirs, or of their partner, could not be used. */
  readonly faulty: readonly FaultyOffer[];
  /** Active offers of partners that can take leads now, in trial order. */
  readonly open: readonly IndexedOffer[];
  /** The same by rising key. */
  readonly byKey: readonly IndexedOffer[];
  /** Of each offer in `byKey`. */
  readonly positions: ReadonlyMap<IndexedOffer, number>;
  /** The `open` offers that buy from a vertical, in trial order; null for leads of none. */
  ofVertical(vertical: string | null): readonly IndexedOffer[];
  /** The `open` offers of the lead's vertical that admit its state, by rising priority number; computed on first use. */
  tiers(lead: Pick<LeadFacts, 'vertical' | 'state'>): readonly Tier[];
};

export type FaultyOffer = Pick<Offer, 'offerKey' | 'buyerKey'> & { readonly error: unknown };

/** The offers of one vertical and priority that admit a state, in trial order. */
export type Tier = {
  readonly offers: readonly IndexedOffer[];
  /** Bounds on what they pay if all of them are open. */
  readonly bounds: TierBounds;
  readonly columns: WeightColumns<IndexedOffer>;
  /** By position in `byKey`; 1 for the offers of the tier. */
  readonly members: Uint8Array;
  /** By partner, for each partner with more than one of them: its offers in trial order. */
  readonly repeated: ReadonlyMap<string, readonly IndexedOffer[]>;
};

export function makeOfferIndex(
  version: number,
  offers: readonly Offer[],
  buyers: ReadonlyMap<string, Buyer>,
): OfferIndex {
  const faulty: FaultyOffer[] = [];
  const open = computeApart(
    offers,
    (configured) => {
      const offer = offerInForce(configured);
      const buyer = buyers.get(offer.buyerKey);
      return buyer !== undefined && exclusion(offer, buyer) === null ? tried({ offer, buyer }) : null;
    },
    ({ offerKey, buyerKey }, error) => void faulty.push({ offerKey, buyerKey, error }),
  )
    .filter((indexed) => indexed !== null)
    .toSorted((left, right) => byTrial(left.offer, right.offer));
  const byKey = open.toSorted((left, right) => (left.offer.offerKey < right.offer.offerKey ? -1 : 1));
  const positions = new Map(byKey.map((indexed, position) => [indexed, position]));
  const byVertical = Map.groupBy(open, ({ offer }) => offer.vertical);
  const ofVertical = (vertical: string | null): readonly IndexedOffer[] => byVertical.get(vertical) ?? [];
  const byState = new Map<string, readonly Tier[]>();
  return {
    ...{ version, faulty, open, byKey, positions, ofVertical },
    tiers(lead) {
      const key = `${lead.vertical ?? ''}/${lead.state ?? ''}`;
      let tiers = byState.get(key);
      if (tiers === undefined) {
        const admitting = ofVertical(lead.vertical).filter(({ offer }) => admitsState(offer.filters, lead.state));
        byState.set(key, (tiers = tiersOf(admitting, byKey)));
      }
      return tiers;
    },
  };
}

/**
 * Uses the values that compare an offer with others and that are read for all offers at once, so that one that cannot be used fails here,
 * for its offer alone.
 */
export function tried(indexed: IndexedOffer): IndexedOffer {
  const { offer, buyer } = indexed;
  assert(Number.isFinite(byTrial(offer, offer) + (buyer.billing.creditLimitCents ?? 0)), 'it cannot be ranked');
  boundsOf([offer]);
  weightColumns([indexed]);
  const { states, statesNot } = offer.filters;
  assert(!states.includes(NO_STATE) && !statesNot.includes(NO_STATE), 'it wants no state');
  assert(offer.vertical === null || typeof offer.vertical === 'string', 'its vertical is no name');
  return indexed;
}

const NO_STATE = '--';

function tiersOf(inOrder: readonly IndexedOffer[], byKey: readonly IndexedOffer[]): Tier[] {
  return [...Map.groupBy(inOrder, ({ offer }) => offer.priority).values()].map((offers) => {
    const ofTier = new Set(offers);
    const partners = [...Map.groupBy(offers, ({ offer }) => offer.buyerKey)];
    return {
      offers,
      bounds: boundsOf(offers.map(({ offer }) => offer)),
      columns: weightColumns(byKey.filter((indexed) => ofTier.has(indexed))),
      members: Uint8Array.from(byKey, (indexed) => (ofTier.has(indexed) ? 1 : 0)),
      repeated: new Map(partners.filter(([, ofPartner]) => ofPartner.length > 1)),
    };
  });
}

/** Lowest priority number, then highest payout, then lowest key. */
export function byTrial(left: Offer, right: Offer): number {
  return (
    left.priority - right.priority ||
    right.payoutCents - left.payoutCents ||
    (left.offerKey < right.offerKey ? -1 : left.offerKey > right.offerKey ? 1 : 0)
  );
}

/** Why an offer takes no leads at all at present; null when it does. */
export function exclusion(offer: Offer, buyer: Buyer): LeftOut | null {
  if (buyer.status !== 'active') return { code: 'partner_not_active', got: buyer.status, want: 'active' };
  if (offer.status !== 'active') return { code: 'offer_not_active', got: offer.status, want: 'active' };
  if (buyer.ownPause !== null)
    return { code: 'paused_by_partner', got: buyer.ownPause.since, want: buyer.ownPause.until };
  if (buyer.fundsPausedAt !== null) return { code: 'funds_paused', got: buyer.fundsPausedAt };
  if (offer.rejectionsPause !== null) return { code: 'rejections_paused', got: offer.rejectionsPause.since };
  const primary = buyer.channels[0];
  if (primary === undefined) return null;
  if (targetOf(primary, buyer.settings) === null) {
    return { code: 'channel_not_ready', got: settingOf(primary), want: primary };
  }
  if (primary === 'webhook' && buyer.endpointDisabledAt !== null) {
    return { code: 'endpoint_disabled', got: buyer.endpointDisabledAt };
  }
  return null;
}

/** The first reason against the lead that follows from configuration and lead alone: status and channel first, then filters. */
export function unwanted(indexed: IndexedOffer, facts: LeadFacts): LeftOut | null {
  return exclusion(indexed.offer, indexed.buyer) ?? failedFilter(indexed.offer, facts);
}
