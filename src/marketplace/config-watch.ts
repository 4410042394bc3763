// Notices a changed configuration in every process, so that it acts everywhere within 5 seconds (contract 7.5).
import { strict as assert } from 'node:assert';

import type { Database } from '../platform/database/database.ts';
import { readVersionSql } from './marketplace.sql.ts';

export type ConfigListener = (version: number) => void | Promise<void>;

export type ConfigWatch = {
  /** The version last seen; 0 before the first look. */
  version(): number;
  /** Looks now, after any look under way, and waits for the listeners. Rejects where storage or a listener fails. */
  refresh(): Promise<number>;
  /** Called with the version at the next look, and at each look that finds another one; a listener that fails is called again at the next. */
  onChange(listener: ConfigListener): void;
  /** Ends the looking and waits for the look under way. */
  close(): Promise<void>;
};

export type ConfigWatchOptions = {
  readonly database: Pick<Database, 'query'>;
  /** Told about a look that failed; the next one follows all the same. */
  readonly onFault: (error: unknown) => void;
  /** A second leaves four of the five for a slow look and for the listeners. */
  readonly intervalMs?: number;
};

export function createConfigWatch({ database, onFault, intervalMs = 1000 }: ConfigWatchOptions): ConfigWatch {
  /** The version that each listener has taken in; 0 is none. */
  const taken = new Map<ConfigListener, number>();
  let seen = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let lastLook: Promise<unknown> = Promise.resolve();

  const look = async (): Promise<number> => {
    const [row] = await database.query(readVersionSql);
    assert(row !== undefined, 'the marketplace has no settings');
    seen = row.version;
    const faults: unknown[] = [];
    for (const [listener, version] of taken) {
      if (version === row.version) continue;
      try {
        await listener(row.version);
        taken.set(listener, row.version);
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length === 1) throw faults[0];
    if (faults.length > 1) throw new AggregateError(faults, 'several listeners failed to take in the configuration');
    return row.version;
  };

  // One after the other: a look that joined an earlier one could miss what was committed just before it was asked for.
  const refresh = (): Promise<number> => {
    const next = lastLook.then(look, look);
    lastLook = next.catch(() => null);
    return next;
  };

  const tick = async (): Promise<void> => {
    try {
      await refresh();
    } catch (error) {
      onFault(error);
    }
    schedule();
  };
  const schedule = (): void => {
    if (!isClosed) timer = setTimeout(() => void tick(), intervalMs).unref();
  };
  schedule();

  return {
    version: () => seen,
    refresh,
    onChange(listener) {
      taken.set(listener, 0);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await lastLook;
    },
  };
}
