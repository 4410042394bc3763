// The SQL of process reports and of the minutes that processes count.
import { statement } from '../database/database.ts';
import type { Uuid } from '../../base/ids.ts';
import type { CountedName } from './process-counts.ts';
import type { SeenProcess, Minute } from './process-row.ts';

const COUNTS =
  'accepted, refused, conflicts, api_answers, api_faults, page_answers, page_faults, confirmed, retried, failed';

/**
 * $minutes are those that changed, each with its total so far, so that repeating the statement changes nothing. Returns how many other
 * processes serve requests: those seen after $aliveSince by the database's clock.
 */
export const writeReport = statement<
  {
    readonly processId: Uuid;
    readonly role: string;
    readonly startedAt: Date;
    readonly now: Date;
    readonly clockAheadMs: number | null;
    readonly untrustedProxy: string | null;
    readonly aliveSince: Date;
    readonly minutes: readonly Date[];
  } & Readonly<Record<CountedName, readonly number[]>>,
  { others: number }
>(
  'processes.write',
  `WITH alive AS (
     INSERT INTO process_report (process_id, role, started_at, seen_at, clock_ahead_ms, untrusted_proxy)
     VALUES ($processId, $role, $startedAt, $now, $clockAheadMs, $untrustedProxy)
     ON CONFLICT (process_id) DO UPDATE SET seen_at = excluded.seen_at, clock_ahead_ms = excluded.clock_ahead_ms,
       untrusted_proxy = excluded.untrusted_proxy
   ), minutes AS (
     INSERT INTO process_minute (process_id, minute, ${COUNTS})
     SELECT $processId::uuid, u.*
     FROM unnest($minutes::timestamptz[], $accepted::bigint[], $refused::bigint[], $conflicts::bigint[], $apiAnswers::bigint[],
                 $apiFaults::bigint[], $pageAnswers::bigint[], $pageFaults::bigint[], $confirmed::bigint[], $retried::bigint[],
                 $failed::bigint[]) AS u
     ON CONFLICT (minute, process_id) DO UPDATE
       SET accepted = excluded.accepted, refused = excluded.refused, conflicts = excluded.conflicts,
           api_answers = excluded.api_answers, api_faults = excluded.api_faults, page_answers = excluded.page_answers,
           page_faults = excluded.page_faults, confirmed = excluded.confirmed, retried = excluded.retried, failed = excluded.failed
   )
   SELECT count(*)::integer AS others FROM process_report
   WHERE role <> 'worker' AND process_id <> $processId
     AND seen_at - coalesce(clock_ahead_ms, 0) * interval '1 millisecond' > $aliveSince`,
);

/** Deletes processes last seen before $seenAt and minutes before $minute. */
export const purgeReports = statement<{ readonly seenAt: Date; readonly minute: Date }>(
  'processes.purge',
  `WITH gone AS (DELETE FROM process_report WHERE seen_at < $seenAt)
   DELETE FROM process_minute WHERE minute < $minute`,
);

export const endReports = statement<{ readonly processIds: readonly Uuid[] }>(
  'processes.end',
  'DELETE FROM process_report WHERE process_id = ANY($processIds::uuid[])',
);

/** Servers are recognized by the application names under which they connect. */
export const connectedServers = statement<void, { servers: number }>(
  'processes.connected_servers',
  `SELECT count(*)::int AS servers FROM pg_stat_activity
   WHERE datname = current_database() AND application_name IN ('leadmarket all', 'leadmarket api', 'leadmarket worker')`,
);

export const selectProcesses = statement<{ readonly seenSince: Date }, Omit<SeenProcess, 'isLost'>>(
  'processes.select',
  `SELECT role, started_at AS "startedAt", seen_at AS "seenAt", clock_ahead_ms AS "clockAheadMs",
          untrusted_proxy AS "untrustedProxy" FROM process_report WHERE seen_at > $seenSince
   ORDER BY started_at, process_id LIMIT 200`,
);

export const selectMinutes = statement<{ readonly from: Date; readonly until: Date }, Minute>(
  'processes.minutes',
  `SELECT minute, sum(accepted)::bigint AS accepted, sum(refused)::bigint AS refused, sum(conflicts)::bigint AS conflicts,
          sum(api_answers)::bigint AS "apiAnswers", sum(api_faults)::bigint AS "apiFaults",
          sum(page_answers)::bigint AS "pageAnswers", sum(page_faults)::bigint AS "pageFaults",
          sum(confirmed)::bigint AS confirmed, sum(retried)::bigint AS retried, sum(failed)::bigint AS failed
   FROM process_minute WHERE minute >= $from AND minute <= $until GROUP BY minute ORDER BY minute`,
);
