// SQL that counts what partners' systems said about deliveries, from the facts of reports and the changes that are not folded yet.
import { statement } from '../platform/database/database.ts';
import { WITH_CHANGES } from './report-cells.sql.ts';
import { FACTS } from './report-facts.sql.ts';

const SUMS = 'offer, at, settled, failed, rejected, duplicates';

/** Each offer from a time of its own on; $earliest is the first of them. Offers without responses are left out. */
export const countResponses = statement<
  {
    readonly offerKeys: readonly string[];
    readonly fromTimes: readonly Date[];
    readonly earliest: Date;
    readonly withRest: boolean;
  },
  { offerKey: string; accepted: number; rejected: number; duplicates: number }
>(
  'reports.count_responses',
  `WITH waiting AS MATERIALIZED (SELECT * FROM report_change WHERE $withRest::boolean AND kind = 'delivery'), ${WITH_CHANGES('waiting')}
   SELECT u.offer AS "offerKey", coalesce(sum(coalesce(f.settled, 0) - coalesce(f.failed, 0)), 0)::bigint AS accepted,
          coalesce(sum(f.rejected), 0)::bigint AS rejected, coalesce(sum(f.duplicates), 0)::bigint AS duplicates
   FROM unnest($offerKeys::text[], $fromTimes::timestamptz[]) AS u (offer, counted_from)
   JOIN (
     SELECT ${SUMS} FROM report_fact WHERE at >= $earliest
     UNION ALL
     SELECT ${SUMS} FROM (${FACTS}) AS fresh WHERE at >= $earliest
   ) AS f ON f.offer = u.offer AND f.at >= u.counted_from
   GROUP BY 1`,
);
