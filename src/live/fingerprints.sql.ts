// The SQL of the fingerprints of all open pages, in one statement (decision 022). A fingerprint is a text that changes when its topic's data
// changes; it is computed from single rows and the newest few rows of an index, so that its cost does not grow with the tables. Several
// newest rows, because transactions do not commit in the order of their ids.
import { statement } from '../platform/database/database.ts';

type FingerprintsRow = {
  readonly kind: 'buyer' | 'supplier' | 'operator';
  readonly key: string;
  /** By topic. */
  readonly fingerprints: Readonly<Record<string, string>>;
};

const fingerprint = (...parts: readonly string[]): string =>
  `hashtextextended(concat_ws('|', ${parts.join(', ')}), 0)::text`;

/** $keys are buyers, $isForOperators whether an operator has a page open, $since the UTC day from which leads are counted. */
export const selectFingerprints = statement<
  {
    readonly keys: readonly string[];
    readonly supplierKeys: readonly string[];
    readonly isForOperators: boolean;
    readonly since: string;
  },
  FingerprintsRow
>(
  'live.fingerprints',
  `SELECT 'buyer' AS kind, k.key, json_build_object(
     -- Nearly every change of a delivery, also of an old one, holds, charges or returns money.
     'deliveries', ${fingerprint('a.version', 'a.held_cents', 'h.last_number', 'd.newest', 't.newest', 'e.newest')},
     'claims', ${fingerprint('h.last_number', 'e.newest')},
     'account', ${fingerprint('b.updated_at', 'm.config_version', 'e.newest', 'p.ailing')},
     'billing', ${fingerprint('a.version', 'a.held_cents', 'e.newest')}) AS fingerprints
   FROM unnest($keys::text[]) AS k (key)
   CROSS JOIN marketplace m
   LEFT JOIN buyer b ON b.buyer_key = k.key
   LEFT JOIN account a ON a.account_key = 'buyer:' || k.key
   LEFT JOIN buyer_event_head h ON h.buyer_key = k.key
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.delivery_id, n.status), ',') AS newest FROM
     (SELECT delivery_id, status FROM delivery WHERE buyer_key = k.key
      ORDER BY delivered_at DESC, delivery_id DESC LIMIT 10) n) d
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.attempt_id, n.state), ',') AS newest FROM
     (SELECT attempt_id, state FROM attempt WHERE buyer_key = k.key ORDER BY attempt_id DESC LIMIT 5) n) t
   CROSS JOIN LATERAL (SELECT string_agg(n.audit_id::text, ',') AS newest FROM
     (SELECT audit_id FROM audit_event WHERE buyer_key = k.key ORDER BY audit_id DESC LIMIT 5) n) e
   CROSS JOIN LATERAL (SELECT string_agg(concat(channel, failures, opened_at), ',' ORDER BY channel) AS ailing
     FROM endpoint_health WHERE owner_kind = 'buyer' AND owner_key = k.key) p
   UNION ALL
   SELECT 'supplier', k.key, json_build_object(
     'submissions', ${fingerprint('l.newest', 'n.sums')},
     'account', ${fingerprint('m.config_version', 'e.newest')})
   FROM unnest($supplierKeys::text[]) AS k (key)
   CROSS JOIN marketplace m
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.lead_id, n.state, n.public_status), ',') AS newest FROM
     (SELECT lead_id, state, public_status FROM lead WHERE supplier_key = k.key ORDER BY lead_id DESC LIMIT 20) n) l
   -- Covers leads before the newest: any number of held leads may be decided later. Counts are folded continuously.
   CROSS JOIN LATERAL (SELECT concat(sum(leads), '/', sum(leads) FILTER (WHERE public_status = 'Pending')) AS sums
     FROM lead_count WHERE supplier_key = k.key AND day >= $since::date) n
   CROSS JOIN LATERAL (SELECT string_agg(n.audit_id::text, ',') AS newest FROM
     (SELECT audit_id FROM audit_event WHERE supplier_key = k.key ORDER BY audit_id DESC LIMIT 5) n) e
   UNION ALL
   -- Accounts and ailing endpoints are at most as many as partners, so all are read.
   SELECT 'operator', '', json_build_object(
     'leads', ${fingerprint('l.newest', 'r.newest')},
     'deliveries', ${fingerprint('a.sums', 't.newest', 'd.newest')},
     'claims', ${fingerprint('c.newest', 'h.sums', 'e.newest')},
     'endpoints', ${fingerprint('p.ailing', 'e.newest')},
     'jobs', ${fingerprint('j.newest', 'd.newest', 'e.newest')},
     'configuration', ${fingerprint('m.config_version', 'e.newest')},
     'money', ${fingerprint('a.sums', 'e.newest')},
     'audit', ${fingerprint('e.newest')})
   FROM marketplace m
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.lead_id, n.state), ',') AS newest FROM
     (SELECT lead_id, state FROM lead ORDER BY lead_id DESC LIMIT 30) n) l
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.lead_id, n.round), ',') AS newest FROM
     (SELECT lead_id, round FROM routing_decision ORDER BY decided_at DESC LIMIT 10) n) r
   CROSS JOIN LATERAL (SELECT concat(sum(version), '/', sum(held_cents)) AS sums FROM account WHERE kind = 'buyer') a
   CROSS JOIN LATERAL (SELECT sum(last_number) AS sums FROM buyer_event_head) h
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.attempt_id, n.state), ',') AS newest FROM
     (SELECT attempt_id, state FROM attempt ORDER BY attempt_id DESC LIMIT 10) n) t
   CROSS JOIN LATERAL (SELECT string_agg(n.delivery_id::text, ',') AS newest FROM
     (SELECT delivery_id FROM delivery WHERE failed_at IS NOT NULL
      ORDER BY failed_at DESC, delivery_id DESC LIMIT 5) n) d
   CROSS JOIN LATERAL (SELECT string_agg(concat(n.claim_id, n.status), ',') AS newest FROM
     (SELECT claim_id, status FROM claim ORDER BY filed_at DESC, claim_id DESC LIMIT 10) n) c
   CROSS JOIN LATERAL (SELECT string_agg(n.audit_id::text, ',') AS newest FROM
     (SELECT audit_id FROM audit_event ORDER BY audit_id DESC LIMIT 5) n) e
   CROSS JOIN LATERAL (SELECT string_agg(concat(owner_kind, owner_key, channel, failures, opened_at), ','
                                         ORDER BY owner_kind, owner_key, channel) AS ailing FROM endpoint_health) p
   CROSS JOIN LATERAL (SELECT string_agg(n.job_id::text, ',') AS newest FROM
     (SELECT job_id FROM dead_job ORDER BY failed_at DESC, job_id DESC LIMIT 5) n) j
   WHERE $isForOperators::boolean`,
);
