// SQL conditions on deliveries that no index serves: source and US state of the lead, offer, and the state of the latest claim.
import type { ClaimFilter } from '../narrowing.ts';

/** Null members are no condition. The marks are JSON text of a member of the lead's fields. */
export type NarrowingParams = {
  readonly offerKey: string | null;
  readonly sourceMark: string | null;
  readonly stateMark: string | null;
  readonly claimState: ClaimFilter | null;
};

// Scalar subqueries are read once per row; EXISTS might be planned as a scan of the whole table.
const FIELDS = `(SELECT split_part(l.fields, ',"extra":{', 1) FROM lead l WHERE l.lead_id = d.lead_id)`;
const LATEST_CLAIM = `(SELECT CASE WHEN c.status IN ('submitted', 'under_review') THEN 'open' ELSE c.status END FROM claim c
  WHERE c.delivery_id = d.delivery_id AND c.buyer_key = $buyerKey ORDER BY c.filed_at DESC, c.claim_id DESC LIMIT 1)`;

/** Of a delivery `d` of the buyer $buyerKey. A failed delivery matches no source and no state, because its partner may not read them. */
export const NARROWED = `($offerKey::text IS NULL OR d.offer_key = $offerKey)
  AND ($claimState::text IS NULL OR coalesce(${LATEST_CLAIM}, 'none') = $claimState)
  AND ($sourceMark::text IS NULL OR d.status <> 'Failed' AND strpos(${FIELDS}, $sourceMark) > 0)
  AND ($stateMark::text IS NULL OR d.status <> 'Failed' AND strpos(${FIELDS}, $stateMark) > 0)`;
