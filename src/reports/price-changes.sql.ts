// SQL on the prices that an offer had.
import { statement } from '../platform/database/database.ts';

export type PriceChangeRow = {
  at: Date;
  fromCents: number;
  toCents: number;
  /** Null where the audit trail has no record. */
  actorType: string | null;
  actorName: string | null;
};

/** The latest changes, the last first. The first definition of an offer is none. */
export const priceChangesSql = statement<{ readonly offerKey: string; readonly limit: number }, PriceChangeRow>(
  'reports.priceChanges',
  `SELECT changed.recorded_at AS at, changed.before AS "fromCents", changed.after AS "toCents", author.actor_type AS "actorType",
          author.actor_name AS "actorName"
     FROM (SELECT recorded_at, version, after, before
             FROM (SELECT recorded_at, version, after, lag(after) OVER (ORDER BY version) AS before
                     FROM (SELECT recorded_at, version, (definition ->> 'payoutCents')::bigint AS after
                             FROM config_history WHERE kind = 'offer' AND key = $offerKey) AS known) AS compared
            WHERE after <> before ORDER BY version DESC LIMIT $limit) AS changed
     LEFT JOIN LATERAL (SELECT actor_type, actor_name FROM audit_event
                         WHERE target = $offerKey AND action = 'offer.updated' AND at = changed.recorded_at
                           AND (changes #>> '{payout,to}')::numeric * 100 = changed.after
                         ORDER BY audit_id DESC LIMIT 1) AS author ON true
    ORDER BY changed.version DESC`,
);
