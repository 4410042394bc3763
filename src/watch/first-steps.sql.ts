// The SQL that finds how far a new marketplace is set up: tables with a row per configured thing, and first rows of the others.
import { statement } from '../platform/database/database.ts';

export type FirstSteps = {
  /** The oldest partner that is active, one with an offer before others; null if there is none. */
  partner: string | null;
  /** One of its offers that is active. */
  offer: string | null;
  hasChannel: boolean;
  /** The partner's endpoint has accepted a test. */
  isTested: boolean;
  /** The oldest supplier that is approved. */
  supplier: string | null;
  hasMapping: boolean;
  /** It has a key that is not revoked. */
  hasKey: boolean;
  /** A lead that is no test was accepted. */
  hasLead: boolean;
};

export const hasSaleSql = statement<void, { hasSale: boolean }>(
  'watch.has_sale',
  `SELECT EXISTS (SELECT FROM delivery WHERE confirmed_at IS NOT NULL) AS "hasSale"`,
);

export const firstStepsSql = statement<void, FirstSteps>(
  'watch.first_steps',
  `WITH chosen_partner AS (
     SELECT b.buyer_key, b.channels, o.offer_key
     FROM buyer b LEFT JOIN offer o ON o.buyer_key = b.buyer_key AND o.status = 'active'
     WHERE b.status = 'active' ORDER BY o.offer_key IS NULL, b.created_at, b.buyer_key, o.created_at, o.offer_key LIMIT 1),
   chosen_supplier AS (
     SELECT supplier_key, field_mapping FROM supplier WHERE status = 'approved' ORDER BY created_at, supplier_key LIMIT 1)
   SELECT p.buyer_key AS "partner", p.offer_key AS "offer", coalesce(cardinality(p.channels) > 0, false) AS "hasChannel",
          EXISTS (SELECT FROM attempt WHERE buyer_key = p.buyer_key AND is_test AND state = 'succeeded') AS "isTested",
          s.supplier_key AS "supplier", coalesce(s.field_mapping <> '{}'::jsonb, false) AS "hasMapping",
          EXISTS (SELECT FROM credential WHERE kind = 'supplier_key' AND owner_key = s.supplier_key AND revoked_at IS NULL) AS "hasKey",
          EXISTS (SELECT FROM lead_count WHERE public_status <> 'Invalid') AS "hasLead"
   FROM (SELECT) AS always LEFT JOIN chosen_partner p ON true LEFT JOIN chosen_supplier s ON true`,
);
