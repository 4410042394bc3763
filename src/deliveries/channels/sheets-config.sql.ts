// The SQL of what a partner's sheet last took or refused.
import { statement } from '../../platform/database/database.ts';

// As the index has it, which knows no parameters.
const SHEETS = `buyer_key = $1 AND channel IN ('sheets', 'sheets_script') AND channel = ANY($2::text[])`;

/** `responseCode` and `error` are of the latest attempt that has ended, if it failed. */
export const selectSheetStanding = statement(
  'attempts.sheet_standing',
  `SELECT (SELECT at FROM attempt WHERE ${SHEETS} AND state = 'succeeded' ORDER BY attempt_id DESC LIMIT 1) AS "lastAppendAt",
          last.state IN ('failed', 'exhausted') AS "hasFailed", last.response_code AS "responseCode", last.error
   FROM (VALUES (1)) AS one (row)
   LEFT JOIN LATERAL (SELECT * FROM attempt WHERE ${SHEETS} AND state <> 'scheduled' ORDER BY attempt_id DESC LIMIT 1) last ON true`,
);
