// Notifies the operators of accounts that a work had to leave out, because a value of theirs could not be used (contract 12.3).
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { errorKind } from '../base/apart.ts';
import { utcDay } from '../base/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { PartlyDoneError } from '../platform/work-apart.ts';
import type { NoticeData } from './notice.ts';
import { raiseNotices } from './raise-notices.ts';

export type LeftOut = Pick<NoticeData['account.left_out'], 'account' | 'key' | 'partner' | 'work'> & {
  readonly error: unknown;
};

const ERROR_LENGTH_MAX = 300;

/** One notice a day for each account and work. */
export async function raiseLeftOut(tx: Tx, leftOut: readonly LeftOut[], now: Date): Promise<void> {
  await raiseNotices(
    tx,
    leftOut.map(({ error, ...one }) => ({
      kind: 'account.left_out',
      recipient: 'operator',
      occurrence: `account.left_out:${one.work}:${one.account}:${one.key}:${utcDay(now)}`,
      data: { ...one, error: textOf(one, error) },
    })),
    now,
  );
}

/** At the end of a job that has worked on all others. Throws `PartlyDoneError` if some were left out. */
export async function reportLeftOut(database: Database, clock: Clock, leftOut: readonly LeftOut[]): Promise<void> {
  if (leftOut.length === 0) return;
  await raiseLeftOut(database, leftOut, clock.now());
  throw partlyDone(leftOut);
}

export function partlyDone(leftOut: readonly LeftOut[]): PartlyDoneError {
  const names = leftOut.map(({ account, key, work }) => `${account} ${key} (${work})`);
  return new PartlyDoneError(
    leftOut.map(({ error }) => error),
    `left out: ${[...new Set(names)].join(', ')}`,
  );
}

/** Routing reads leads, whose values an error may quote; the log has all of it. */
function textOf({ work }: Pick<LeftOut, 'work'>, error: unknown): string {
  const kind = errorKind(error);
  if (work === 'routing' || !(error instanceof Error)) return kind;
  return maskSecrets(`${kind}: ${error.message}`).slice(0, ERROR_LENGTH_MAX);
}
