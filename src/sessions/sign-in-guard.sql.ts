// SQL on the table sign_in_guard.
import { statement } from '../platform/database/database.ts';

export type GuardRow = {
  readonly subject: Buffer;
  readonly failures: number;
  readonly blockedUntil: Date;
  readonly expiresAt: Date;
  readonly trustedUntil: Date | null;
};

/**
 * Inserts missing rows and locks all, ordered by subject, so that two concurrent attempts wait for each other instead of deadlocking.
 * One statement, because a row found by a first one could be purged before the second.
 */
export const lockGuards = statement<{ readonly hashes: readonly Buffer[]; readonly now: Date }, GuardRow>(
  'sign-in-guard.lock',
  `INSERT INTO sign_in_guard AS g (subject, failures, blocked_until, forgotten_at)
   SELECT subject, 0, $now, $now FROM unnest($hashes::bytea[]) AS u (subject) ORDER BY subject
   ON CONFLICT (subject) DO UPDATE SET failures = g.failures
   RETURNING subject, failures, blocked_until AS "blockedUntil", forgotten_at AS "expiresAt",
             trusted_until AS "trustedUntil"`,
);

export const updateGuards = statement<{
  readonly subjects: readonly Buffer[];
  readonly failures: readonly number[];
  readonly blockedUntils: readonly Date[];
  readonly expiredTimes: readonly Date[];
  readonly trustedUntils: ReadonlyArray<Date | null>;
}>(
  'sign-in-guard.update',
  `UPDATE sign_in_guard g
   SET failures = u.failures, blocked_until = u.blocked_until, forgotten_at = u.forgotten_at, trusted_until = u.trusted_until
   FROM unnest($subjects::bytea[], $failures::integer[], $blockedUntils::timestamptz[], $expiredTimes::timestamptz[], $trustedUntils::timestamptz[])
     AS u (subject, failures, blocked_until, forgotten_at, trusted_until)
   WHERE g.subject = u.subject`,
);

/** At most a hundred rows at each attempt, which keeps up with any number of attempts. */
export const purgeGuards = statement<{ readonly now: Date }>(
  'sign-in-guard.purge',
  `DELETE FROM sign_in_guard WHERE subject IN
     (SELECT subject FROM sign_in_guard WHERE greatest(forgotten_at, trusted_until) < $now
      ORDER BY greatest(forgotten_at, trusted_until) LIMIT 100 FOR UPDATE SKIP LOCKED)`,
);

export const deleteGuard = statement<{ readonly subject: Buffer }>(
  'sign-in-guard.forget-one',
  `DELETE FROM sign_in_guard WHERE subject = $subject`,
);
