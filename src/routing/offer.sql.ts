// SQL on offers.
import { statement } from '../platform/database/database.ts';
import type { Offer, OwnLimits } from './offer.ts';

export type OfferRow = Pick<Offer, 'offerKey' | 'buyerKey' | 'status'> & {
  readonly definition: Offer;
  readonly pausedAt: Date | null;
  readonly pausedUntil: Date | null;
  readonly ownLimits: OwnLimits | null;
};

const COLUMNS = `offer_key AS "offerKey", buyer_key AS "buyerKey", status, definition, rejections_paused_at AS "pausedAt",
          rejections_paused_until AS "pausedUntil", own_limits AS "ownLimits"`;

export const readOffersSql = statement<void, OfferRow>(
  'routing.readOffers',
  `SELECT ${COLUMNS} FROM offer ORDER BY offer_key`,
);

export const readOffersBelowSql = statement<{ readonly cents: number }, OfferRow>(
  'routing.readOffersBelow',
  `SELECT ${COLUMNS} FROM offer
   WHERE status <> 'closed' AND (definition ->> 'payoutCents')::bigint < $cents ORDER BY offer_key`,
);

export const readAnsweredOffersSql = statement<{ readonly buyerKeys: readonly string[] }, OfferRow>(
  'routing.readAnsweredOffers',
  `SELECT ${COLUMNS} FROM offer
   WHERE buyer_key = ANY($buyerKeys::text[]) AND status <> 'closed' AND definition ->> 'priceMinCents' IS NOT NULL ORDER BY offer_key`,
);

export const saveOffersSql = statement<{
  readonly offerKeys: readonly string[];
  readonly buyerKeys: readonly string[];
  readonly statuses: readonly string[];
  readonly definitions: readonly string[];
  readonly now: Date;
}>(
  'routing.saveOffers',
  `INSERT INTO offer (offer_key, buyer_key, status, definition, created_at, updated_at)
   SELECT offer_key, buyer_key, status, definition::jsonb, $now, $now
     FROM unnest($offerKeys::text[], $buyerKeys::text[], $statuses::text[], $definitions::text[]) AS saved (offer_key, buyer_key, status, definition)
   ON CONFLICT (offer_key) DO UPDATE
     SET status = EXCLUDED.status, definition = EXCLUDED.definition, updated_at = EXCLUDED.updated_at`,
);

export const readOffersOfBuyersSql = statement<{ readonly buyerKeys: readonly string[] }, OfferRow>(
  'routing.readOffersOfBuyers',
  `SELECT ${COLUMNS} FROM offer WHERE buyer_key = ANY($buyerKeys::text[]) ORDER BY offer_key`,
);

export const readOffersOfBuyerSql = statement<{ readonly buyerKey: string }, OfferRow>(
  'routing.readOffersOfBuyer',
  `SELECT ${COLUMNS} FROM offer WHERE buyer_key = $buyerKey ORDER BY offer_key`,
);

// The search text is looked up in key and name, ignoring case; `strpos` has no wildcards that would need escaping.
type Wanted = { readonly search: string | null; readonly status: string | null; readonly buyerKey: string | null };

const WANTED = `($search::text IS NULL OR strpos(offer_key, lower($search)) > 0 OR strpos(lower(definition ->> 'name'), lower($search)) > 0)
      AND ($status::text IS NULL OR status = $status) AND ($buyerKey::text IS NULL OR buyer_key = $buyerKey)`;

export const countWantedOffersSql = statement<Wanted, { total: number }>(
  'routing.countWantedOffers',
  `SELECT count(*) AS total FROM offer WHERE ${WANTED}`,
);

export const listOffersSql = statement<Wanted & { readonly pageSize: number; readonly offset: number }, OfferRow>(
  'routing.listOffers',
  `SELECT ${COLUMNS} FROM offer
    WHERE ${WANTED} ORDER BY offer_key LIMIT $pageSize OFFSET $offset`,
);

export const countOffersOfVerticalsSql = statement<void, { vertical: string; offers: number }>(
  'routing.countOffersOfVerticals',
  `SELECT definition ->> 'vertical' AS vertical, count(*) AS offers FROM offer
    WHERE status <> 'closed' AND definition ->> 'vertical' IS NOT NULL GROUP BY 1`,
);

export const readSomeOffersSql = statement<{ readonly keys: readonly string[] }, OfferRow>(
  'routing.readSomeOffers',
  `SELECT ${COLUMNS} FROM offer WHERE offer_key = ANY($keys::text[])
   ORDER BY offer_key`,
);

/** Active offers that could pause for rejections, and all that are paused, with the last time at which a pause was lifted. */
export const readRejectionsWatchedSql = statement<
  { readonly isForAll: boolean },
  OfferRow & { readonly liftedAt: Date | null }
>(
  'routing.readRejectionsWatched',
  `SELECT ${COLUMNS}, rejections_lifted_at AS "liftedAt" FROM offer
   WHERE rejections_paused_at IS NOT NULL
      OR (status = 'active' AND ($isForAll OR definition -> 'rejections' ->> 'pauseAbove' IS NOT NULL))
   ORDER BY offer_key`,
);

export const writeRejectionPausesSql = statement<{
  readonly offerKeys: readonly string[];
  readonly sinceTimes: ReadonlyArray<Date | null>;
  readonly untilTimes: ReadonlyArray<Date | null>;
  readonly now: Date;
}>(
  'routing.writeRejectionPauses',
  `UPDATE offer SET rejections_paused_at = since, rejections_paused_until = until, updated_at = $now
   FROM unnest($offerKeys::text[], $sinceTimes::timestamptz[], $untilTimes::timestamptz[]) AS changed (key, since, until) WHERE offer_key = key`,
);

/** Returns nothing if the offer is not paused. */
export const liftRejectionsPauseSql = statement<
  { readonly offerKey: string; readonly now: Date },
  { offerKey: string }
>(
  'routing.liftRejectionsPause',
  `UPDATE offer SET rejections_paused_at = NULL, rejections_paused_until = NULL, rejections_lifted_at = $now, updated_at = $now
   WHERE offer_key = $offerKey AND rejections_paused_at IS NOT NULL RETURNING offer_key AS "offerKey"`,
);

/** Null: none. */
export const writeOwnLimitsSql = statement<{
  readonly offerKey: string;
  readonly limits: string | null;
  readonly now: Date;
}>(
  'routing.writeOwnLimits',
  `UPDATE offer SET own_limits = $limits::jsonb, updated_at = $now WHERE offer_key = $offerKey`,
);
