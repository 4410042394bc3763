// The SQL of warnings: since when each holds, and which operators have acknowledged (contract 12.4).
import { statement } from '../platform/database/database.ts';

export type WarningRow = {
  kind: string;
  subject: string;
  since: Date;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
};

export const selectWarnings = statement<void, WarningRow>(
  'warnings.select',
  `SELECT kind, subject, since, acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy" FROM warning`,
);

type Named = { readonly kinds: readonly string[]; readonly subjects: readonly string[] };

/** Warnings that hold already keep their time and who acknowledged them. */
export const beginWarnings = statement<Named & { readonly sinces: readonly Date[] }>(
  'warnings.begin',
  `INSERT INTO warning (kind, subject, since)
   SELECT kind, subject, since FROM unnest($kinds::text[], $subjects::text[], $sinces::timestamptz[]) AS u (kind, subject, since)
   ORDER BY kind, subject ON CONFLICT DO NOTHING`,
);

/** Deletes all but the given ones, which still hold, and with them who acknowledged them. */
export const endWarnings = statement<Named>(
  'warnings.end',
  `DELETE FROM warning w WHERE NOT EXISTS (
     SELECT FROM unnest($kinds::text[], $subjects::text[]) AS u (kind, subject) WHERE u.kind = w.kind AND u.subject = w.subject)`,
);

/** Returns nothing for a warning that is acknowledged already. */
export const acknowledgeWarningSql = statement<
  { readonly kind: string; readonly subject: string; readonly since: Date; readonly by: string; readonly now: Date },
  { since: Date }
>(
  'warnings.acknowledge',
  `INSERT INTO warning AS w (kind, subject, since, acknowledged_at, acknowledged_by) VALUES ($kind, $subject, $since, $now, $by)
   ON CONFLICT (kind, subject) DO UPDATE SET acknowledged_at = $now, acknowledged_by = $by WHERE w.acknowledged_at IS NULL
   RETURNING since`,
);

export const reopenWarningSql = statement<{ readonly kind: string; readonly subject: string }, { since: Date }>(
  'warnings.reopen',
  `UPDATE warning SET acknowledged_at = NULL, acknowledged_by = NULL
   WHERE kind = $kind AND subject = $subject AND acknowledged_at IS NOT NULL RETURNING since`,
);
