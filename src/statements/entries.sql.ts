// The part of SQL that all reads of a supplier's account share: its entries with the kind of line and the day on which their hold ends.
import type { LineKind } from './statement.ts';

const KINDS = { cost: 'earned', clawback: 'clawed_back', payout: 'paid_out' } as const satisfies Record<
  string,
  LineKind
>;
const OTHER: LineKind = 'adjusted';

/** The kind of line of `transfer`. */
export const LINE_KIND = `CASE transfer.type ${Object.entries(KINDS)
  .map(([type, kind]) => `WHEN '${type}' THEN '${kind}'`)
  .join(' ')} ELSE '${OTHER}' END`;

// The day after the hold of a cost, whose terms were fixed when its lead was routed.
const holdEnds = (
  transfer: string,
  timeZone: string,
): string => `(${transfer}.created_at AT TIME ZONE ${timeZone})::date
    + coalesce((SELECT hold_days FROM delivery_cost WHERE delivery_cost.delivery_id = ${transfer}.delivery_id), 0)`;

export type AccountZone = { readonly accountKey: string; readonly timeZone: string };

const OF_PARAMETERS: AccountZone = { accountKey: '$accountKey', timeZone: '$timeZone::text' };

/**
 * Entries of an account with `after` < version ≤ `upTo`. All arguments are SQL. `payable_on`: the day in the time zone on which an earning can be paid out; of a
 * claw-back that of the earning that it takes back, because the two cancel each other; null for all others. What is owed once for a lead may
 * have been earned with another of its sales.
 */
export const linesBetween = (
  after: string,
  upTo: string,
  { accountKey, timeZone } = OF_PARAMETERS,
): string => `SELECT entry.account_version, entry.created_at, entry.amount_cents,
     (entry.created_at AT TIME ZONE ${timeZone})::date AS day, ${LINE_KIND} AS kind,
     CASE transfer.type WHEN 'cost' THEN ${holdEnds('transfer', timeZone)}
       WHEN 'clawback' THEN (SELECT ${holdEnds('cost', timeZone)} FROM transfer AS cost WHERE cost.type = 'cost' AND cost.delivery_id IN (
         SELECT transfer.delivery_id UNION ALL SELECT other.delivery_id FROM delivery AS own JOIN delivery AS other USING (lead_id)
         WHERE own.delivery_id = transfer.delivery_id) ORDER BY cost.delivery_id <> transfer.delivery_id LIMIT 1)
     END AS payable_on
   FROM entry JOIN transfer USING (transfer_id)
   WHERE entry.account_key = ${accountKey} AND entry.account_version > ${after} AND entry.account_version <= ${upTo}`;
