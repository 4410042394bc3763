// Polls the configuration version in every process and reloads what changed, within 5 seconds (contract 7.5).
import { strict as assert } from 'node:assert';

import type { Database } from '../platform/database/database.ts';
import { readVersionSql } from './marketplace.sql.ts';

export type ConfigListener = (version: number) => void | Promise<void>;

export type ConfigWatch = {
  /** The version last read; 0 before the first read. */
  version(): number;
  /** Reads the version now, after any running read, and waits for the listeners. Rejects if the database or a listener fails. */
  refresh(): Promise<number>;
  /** The listener is called at the next read, and at each read that finds another version; after a failure it is called again. */
  onChange(listener: ConfigListener): void;
  /** Stops polling and waits for a running read. */
  close(): Promise<void>;
};

export type ConfigWatchOptions = {
  readonly database: Pick<Database, 'query'>;
  /** Called when a read fails; polling continues. */
  readonly onFault: (error: unknown) => void;
  /** One second leaves four of the five for a slow read and for the listeners. */
  readonly intervalMs?: number;
};

export function createConfigWatch({ database, onFault, intervalMs = 1000 }: ConfigWatchOptions): ConfigWatch {
  /** The version that each listener has applied; 0 is none. */
  const applied = new Map<ConfigListener, number>();
  let seen = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let lastRead: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<number> => {
    const [row] = await database.query(readVersionSql);
    assert(row !== undefined, 'the table marketplace has no row');
    seen = row.version;
    const faults: unknown[] = [];
    for (const [listener, version] of applied) {
      if (version === row.version) continue;
      try {
        await listener(row.version);
        applied.set(listener, row.version);
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length === 1) throw faults[0];
    if (faults.length > 1) throw new AggregateError(faults, 'several listeners failed to apply the configuration');
    return row.version;
  };

  // One after another: sharing a running read could miss a change committed just before this call.
  const refresh = (): Promise<number> => {
    const next = lastRead.then(read, read);
    lastRead = next.catch(() => null);
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
      applied.set(listener, 0);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await lastRead;
    },
  };
}

export type CurrentConfig<Value> = {
  /** The value last loaded; fails before the watch's first read. */
  current(): Value;
};

/** Keeps a part of the configuration in memory and reloads it when the version changes. */
export function keepCurrent<Value>(watch: ConfigWatch, load: () => Promise<Value>): CurrentConfig<Value> {
  let loaded: { value: Value } | null = null;
  watch.onChange(async () => {
    loaded = { value: await load() };
  });
  return {
    current() {
      assert(loaded !== null, 'the configuration was used before its first read');
      return loaded.value;
    },
  };
}
