// The SQL that reads the latest appends to a partner's sheet.
import { statement } from '../../platform/database/database.ts';

// The literal channels match the predicate of the partial index.
const SHEETS = `buyer_key = $buyerKey AND channel IN ('sheets', 'sheets_script') AND channel = ANY($channels::text[])`;

export type LatestAppends = {
  readonly lastAppendAt: Date | null;
  readonly hasFailed: boolean | null;
  readonly responseCode: number | null;
  readonly error: string | null;
};

/** `responseCode` and `error` belong to the latest finished attempt. */
export const selectSheetState = statement<
  { readonly buyerKey: string; readonly channels: readonly string[] },
  LatestAppends
>(
  'attempts.sheet_standing',
  `SELECT (SELECT at FROM attempt WHERE ${SHEETS} AND state = 'succeeded' ORDER BY attempt_id DESC LIMIT 1) AS "lastAppendAt",
          last.state IN ('failed', 'exhausted') AS "hasFailed", last.response_code AS "responseCode", last.error
   FROM (VALUES (1)) AS one (row)
   LEFT JOIN LATERAL (SELECT * FROM attempt WHERE ${SHEETS} AND state <> 'scheduled' ORDER BY attempt_id DESC LIMIT 1) last ON true`,
);
