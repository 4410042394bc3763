// Tells what has been changed since somebody looked, so that nobody writes over a change that he has not seen.
import type { Tx } from '../platform/database/database.ts';
import { changedAmongSql, changedSinceSql } from './marketplace.sql.ts';
import type { ConfigThing, ChangedThing } from './settings.ts';

export type Look = {
  /** The version at which it was looked. */
  readonly version: number;
  /** What it was looked at; null for everything. */
  readonly things: readonly ConfigThing[] | null;
};

/** What was changed last comes first; at most `limit` things. */
export async function changedSince(tx: Tx, { version, things }: Look, limit: number): Promise<ChangedThing[]> {
  if (things === null) return tx.query(changedSinceSql, { version, limit });
  return tx.query(changedAmongSql, {
    version,
    kinds: things.map(({ kind }) => kind),
    keys: things.map(({ key }) => key),
    limit,
  });
}
