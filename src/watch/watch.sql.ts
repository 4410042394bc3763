// The SQL that looks for what notices are about: on daily counts, on the ends of indexes, and on tables with a row per configured thing.
import type { ClaimId, CredentialId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { DayCounts } from './usual.rules.ts';

/** Reads the failures of the span only. */
export const countDeadLetters = statement<
  { readonly since: Date; readonly until: Date },
  { deliveries: number; jobs: number }
>(
  'watch.dead_letters',
  `SELECT (SELECT count(*) FROM delivery WHERE failed_at >= $since AND failed_at < $until)::bigint AS deliveries,
          (SELECT count(*) FROM dead_job WHERE failed_at >= $since AND failed_at < $until)::bigint AS jobs`,
);

export type SupplierDays = DayCounts & {
  supplierKey: string;
  /** Of the last day, and of the days before it. */
  isLast: boolean;
};

export const countSupplierDays = statement<
  { readonly supplierKeys: readonly string[]; readonly firstDay: string; readonly lastDay: string },
  SupplierDays
>(
  'watch.supplier_days',
  `SELECT supplier_key AS "supplierKey", day = $lastDay::date AS "isLast", sum(leads)::bigint AS submitted,
          coalesce(sum(leads) FILTER (WHERE public_status = 'Invalid'), 0)::bigint AS invalid,
          coalesce(sum(leads) FILTER (WHERE public_status IN ('Lead Sale', 'Calendar Assigned')), 0)::bigint AS sold,
          coalesce(sum(leads) FILTER (WHERE public_status IN ('No Buyer', 'Duplicate', 'Suppressed')), 0)::bigint AS unsold
   FROM lead_count WHERE supplier_key = ANY($supplierKeys::text[]) AND day BETWEEN $firstDay::date AND $lastDay::date
   GROUP BY 1, 2`,
);

/** More are as good as this many. */
const COUNTED_MAX = 1000;

export type SupplierPulse = {
  supplierKey: string;
  /** Null before the first submission. */
  lastLeadId: Uuid | null;
  /** Submissions in the same hours a week ago, and two weeks ago; at most 1000 each. */
  weekAgo: number;
  twoWeeksAgo: number;
};

const between = (from: string, until: string): string =>
  `(SELECT count(*) FROM (SELECT FROM lead WHERE supplier_key = u.key AND lead_id >= ${from} AND lead_id < ${until} LIMIT ${COUNTED_MAX}) AS l)`;

/** Reads the end of each supplier's index, and at most 2000 entries further back. */
export const readPulses = statement<
  {
    readonly supplierKeys: readonly string[];
    readonly weekFrom: Uuid;
    readonly weekUntil: Uuid;
    readonly twoWeeksFrom: Uuid;
    readonly twoWeeksUntil: Uuid;
  },
  SupplierPulse
>(
  'watch.pulses',
  `SELECT u.key AS "supplierKey", (SELECT lead_id FROM lead WHERE supplier_key = u.key ORDER BY lead_id DESC LIMIT 1) AS "lastLeadId",
          ${between('$weekFrom', '$weekUntil')}::int AS "weekAgo", ${between('$twoWeeksFrom', '$twoWeeksUntil')}::int AS "twoWeeksAgo"
   FROM unnest($supplierKeys::text[]) AS u (key)`,
);

export const countPartnersDay = statement<
  { readonly buyerKeys: readonly string[]; readonly day: string },
  { buyerKey: string; failed: number; others: number }
>(
  'watch.partners_day',
  `SELECT buyer_key AS "buyerKey", coalesce(sum(deliveries) FILTER (WHERE status = 'Failed'), 0)::bigint AS failed,
          coalesce(sum(deliveries) FILTER (WHERE status IN ('Confirmed', 'Returned')), 0)::bigint AS others
   FROM delivery_count WHERE buyer_key = ANY($buyerKeys::text[]) AND day = $day::date GROUP BY buyer_key`,
);

/** At most 500: they stand in the order in which they are due, and one that has its notice gets no other. */
export const selectDueClaims = statement<
  { readonly from: Date; readonly until: Date },
  { claimId: ClaimId; kind: 'return' | 'dispute'; buyerKey: string; dueAt: Date }
>(
  'watch.due_claims',
  `SELECT claim_id AS "claimId", kind, buyer_key AS "buyerKey", decision_due_at AS "dueAt" FROM claim
   WHERE status IN ('submitted', 'under_review') AND decision_due_at > $from AND decision_due_at <= $until
   ORDER BY decision_due_at, claim_id LIMIT 500`,
);

/** By the database's clock, so that a process whose own clock is behind does not count as gone. */
export const selectGoneProcesses = statement<
  { readonly before: Date },
  { processId: Uuid; role: string; seenAt: Date }
>(
  'watch.gone_processes',
  `SELECT process_id AS "processId", role, seen_at AS "seenAt" FROM process_report
   WHERE seen_at - coalesce(clock_ahead_ms, 0) * interval '1 millisecond' < $before`,
);

export type ExpiringRow = {
  credentialId: CredentialId;
  kind: 'supplier_key' | 'buyer_token';
  ownerKey: string;
  label: string | null;
  last4: string;
  expiresAt: Date;
};

export const selectExpiring = statement<{ readonly now: Date; readonly until: Date }, ExpiringRow>(
  'watch.expiring',
  `SELECT credential_id AS "credentialId", kind, owner_key AS "ownerKey", label, last4, expires_at AS "expiresAt" FROM credential
   WHERE kind IN ('supplier_key', 'buyer_token') AND revoked_at IS NULL AND expires_at > $now AND expires_at <= $until`,
);
