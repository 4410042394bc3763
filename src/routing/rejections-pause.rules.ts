// Decides which offers pause for the day because their partner rejected many leads, and which go on (contract 13.7).
import { capSpan } from '../base/time.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Offer } from './offer.ts';

/** What partners' systems said about deliveries. */
export type Responses = {
  readonly accepted: number;
  readonly rejected: number;
  readonly duplicates: number;
};

type Rules = MarketplaceSettings['rejections'];

/** The share of rejections, in percent, above which an offer pauses, and the least number of responses; null if it never does. */
export function pauseRule(
  { rejections: own }: Pick<Offer, 'rejections'>,
  common: Rules,
): { readonly abovePercent: number; readonly responses: number } | null {
  const abovePercent = own.pauseAbove ?? common.pauseAbove;
  return abovePercent === null ? null : { abovePercent, responses: own.responses ?? common.responses };
}

/** Reports know the time of a response to this. */
const SLOT_MS = 900_000;

/**
 * From when on responses count: from the start of the partner's day, and none that came before the last pause was lifted. They count again
 * from the next quarter of an hour on, because their times are known to the quarter.
 */
export function countedFrom(timeZone: string, liftedAt: Date | null, now: Date): Date {
  const lifted = liftedAt === null ? 0 : Math.ceil(liftedAt.getTime() / SLOT_MS) * SLOT_MS;
  return new Date(Math.max(capSpan('daily', now, timeZone).from, lifted));
}

export type WatchedOffer = {
  readonly offer: Pick<Offer, 'offerKey' | 'buyerKey' | 'status' | 'rejections' | 'rejectionsPause'>;
  /** The partner's. */
  readonly timeZone: string;
  /** Since `countedFrom`. */
  readonly responses: Responses;
};

export type PauseChange = {
  readonly offerKey: string;
  readonly buyerKey: string;
  /** Null if the offer goes on. */
  readonly pause: {
    readonly until: Date;
    readonly rejected: number;
    readonly responses: number;
    readonly abovePercent: number;
  } | null;
};

/** The offers whose state changes. A pause also ends when the rule is removed; other rules do not shorten it. */
export function changedPauses(watched: readonly WatchedOffer[], common: Rules, now: Date): PauseChange[] {
  return watched.flatMap(({ offer, timeZone, responses }): PauseChange[] => {
    const { offerKey, buyerKey, status, rejectionsPause } = offer;
    const rule = pauseRule(offer, common);
    if (rejectionsPause !== null) {
      const isOver = rule === null || rejectionsPause.until.getTime() <= now.getTime();
      return isOver ? [{ offerKey, buyerKey, pause: null }] : [];
    }
    if (rule === null || status !== 'active') return [];
    const rejected = responses.rejected + responses.duplicates;
    const all = responses.accepted + rejected;
    // Whole numbers, so that a share of exactly the threshold is not above it.
    if (all < rule.responses || 100 * rejected <= rule.abovePercent * all) return [];
    const until = new Date(capSpan('daily', now, timeZone).until);
    return [{ offerKey, buyerKey, pause: { until, rejected, responses: all, abovePercent: rule.abovePercent } }];
  });
}
