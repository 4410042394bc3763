// Reads from a replica while it works and is recent enough, and from the primary otherwise (contract 8.8; decision 055).
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import type pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { type Database, openDatabase, StandbyBehind, type Statement, type Tx, type TxOptions } from './database.ts';
import { hasReached, lagOf, recentSamples, replicaFault, type Sample, type ServerFacts } from './replica.rules.ts';
import { saveOwnChange, selectOwnChange, selectPrimary, selectStandby } from './replica.sql.ts';
import { isConnectionFailure, isTransient } from './sql-state.ts';
import { readWall } from './tenant.ts';

export type Replica = { readonly connection: pg.ClientConfig; readonly lagSeconds: number };

/** Where a read went. On the primary: the replica is away or failed, is too far behind, or lacks a change that the reader has just made. */
export type ReadFrom = 'replica' | 'primary: away' | 'primary: behind' | 'primary: own change';

export type Reads = {
  /**
   * For reading only: each transaction is a snapshot, and so is each single statement. A read that fails because of the replica is
   * repeated on the primary, unless it is under way.
   */
  readonly database: Database;
  /** Call it when the owner has changed something, before it gets the response; null without a replica. */
  readonly noteChange: ((owner: string) => Promise<void>) | null;
  /** Milliseconds by which the replica's data was behind at most at the last check; null if unknown, or without a replica. */
  lagMs(): number | null;
  /** Resolves after the first check. Until then the primary is read. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

export type ReadsOptions = {
  readonly database: Database;
  readonly replica: Replica | null;
  readonly onRead?: (from: ReadFrom) => void;
  /** Called when reads begin to go to the replica (null), and when they no longer do, with the reason. */
  readonly onChange?: (fault: string | null) => void;
};

const readers = new AsyncLocalStorage<string>();

/** Runs `work` for this owner, whose reads in it contain the owner's own changes. */
export function forReader<Value>(owner: string, work: () => Value): Value {
  return readers.run(owner, work);
}

const CHECK_EVERY_MS = 1000;
const CHECK_WITHIN_MS = 2000;
/** A standby without load is some milliseconds behind. */
const RECHECKS_AFTER_MS = [10, 50, 200];
/** The connection is cut then, and the read repeated on the primary. */
const RESPONSE_WITHIN_MS = 5000;
const RETRY_MS = 200;
const EXAMINE_EVERY_MS = 20;
/** For the lag of a replica that is further behind than it may be. */
const HISTORY_MS = 15 * 60_000;
/** Reports wait longer for the standby than for the primary, so more of them run at a time. */
const CONNECTIONS = 10;

export function openReads(options: ReadsOptions): Reads {
  const { database, replica } = options;
  if (replica === null) {
    return {
      // A single statement needs no transaction around it.
      database: { ...readOnly(database, (work, begin) => database.tx(work, begin)), query: database.query },
      noteChange: null,
      lagMs: () => null,
      ready: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  const standby = openDatabase({
    connection: replica.connection,
    connections: CONNECTIONS,
    applicationName: 'leadmarket replica',
    responseWithinMs: RESPONSE_WITHIN_MS,
    isStandby: true,
  });
  const boundMs = replica.lagSeconds * 1000;
  const watch = watchReplica({ ...options, standby, boundMs });
  return {
    database: readOnly(database, (work, begin) => readAnywhere({ ...options, standby, watch, boundMs }, work, begin)),
    async noteChange(owner) {
      await database.query(saveOwnChange, { owner });
    },
    lagMs: watch.lagMs,
    ready: () => watch.firstCheck,
    async close() {
      watch.stop();
      await standby.close();
    },
  };
}

type RunTx = <Value>(work: (tx: Tx) => Promise<Value> | Value, begin: TxOptions) => Promise<Value>;

function readOnly(database: Database, run: RunTx): Database {
  const tx: Database['tx'] = (work, options) => run(work, { ...options, snapshot: true });
  return {
    ...database,
    tx,
    query: (statementToRun, ...params) => tx((inside) => inside.query(statementToRun, ...params)),
  };
}

type Watch = {
  /** The position that a replica has to have replayed for a read now; null while the primary is to be read. */
  required(): string | null;
  /** No reads go to the replica until a check has succeeded. */
  suspend(fault: string): void;
  readonly firstCheck: Promise<void>;
  lagMs(): number | null;
  stop(): void;
};

type WatchOptions = ReadsOptions & { readonly standby: Database; readonly boundMs: number };

/** Checks the replica once a second. */
function watchReplica({ database, standby, boundMs, onChange }: WatchOptions): Watch {
  let samples: readonly Sample[] = [];
  /** Undefined before the first check. */
  let fault: string | null | undefined;
  let lagMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const become = (found: string | null): void => {
    const isNews = fault === undefined || (found === null) !== (fault === null);
    fault = found;
    if (isNews && !isStopped) onChange?.(found);
  };
  const check = async (): Promise<string | null> => {
    const at = performance.now();
    const primary = await ask(database, selectPrimary);
    const newest = { at, position: primary.position ?? '0/0' };
    samples = [...recentSamples(samples, at, HISTORY_MS), newest];
    let facts = await ask(standby, selectStandby);
    const found = replicaFault(primary, facts) ?? (fault === null ? null : await wallFault(database, standby));
    if (found !== null) return found;
    for (const ms of RECHECKS_AFTER_MS) {
      if (hasReached(facts.position, newest.position)) break;
      await sleep(ms, undefined, { ref: false });
      facts = await ask(standby, selectStandby);
    }
    lagMs = lagOf(samples, facts.position, performance.now());
    return lagMs === null || lagMs > boundMs ? `it is more than ${boundMs / 1000} s behind` : null;
  };
  const loop = async (): Promise<void> => {
    try {
      become(await check());
    } catch (error) {
      lagMs = null;
      become(`it cannot be asked: ${messageOf(error)}`);
    }
    if (!isStopped) timer = setTimeout(() => void loop(), CHECK_EVERY_MS).unref();
  };
  return {
    firstCheck: loop(),
    // The oldest one that is recent enough: the replica may be behind by as much.
    required: () => (fault === null ? (recentSamples(samples, performance.now(), boundMs)[0]?.position ?? null) : null),
    suspend: become,
    lagMs: () => lagMs,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function ask(database: Database, of: Statement<void, ServerFacts>): Promise<ServerFacts> {
  const late = sleep(CHECK_WITHIN_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no response')));
  const [facts] = await Promise.race([database.query(of), late]);
  if (facts === undefined) throw new Error('an empty response');
  return facts;
}

/** The restricted role is copied with everything else; the user that the URL names may not be a member of it. */
async function wallFault(database: Database, standby: Database): Promise<string | null> {
  const [there, here] = await Promise.all([readWall(database), readWall(standby)]);
  return there.stands && !here.stands ? 'its user cannot take the role of partners (the second wall)' : null;
}

type ReadOptions = ReadsOptions & { readonly standby: Database; readonly watch: Watch; readonly boundMs: number };

async function readAnywhere<Value>(
  { database, standby, watch, boundMs, onRead }: ReadOptions,
  work: (tx: Tx) => Promise<Value> | Value,
  begin: TxOptions,
): Promise<Value> {
  const fromPrimary = (from: ReadFrom): Promise<Value> => {
    onRead?.(from);
    return database.tx(work, begin);
  };
  const bound = watch.required();
  if (bound === null) return fromPrimary('primary: away');
  const owner = readers.getStore();
  const [own] = owner === undefined ? [] : await database.query(selectOwnChange, { owner });
  const isOwn = own !== undefined && !hasReached(bound, own.position);
  const position = isOwn ? own.position : bound;
  // A long read costs the primary more than the wait.
  const deadline = performance.now() + (begin.patient === true ? boundMs : 0);
  for (;;) {
    const attempt = observe(work);
    try {
      const value = await standby.tx(attempt.work, { ...begin, replayedTo: position });
      onRead?.('replica');
      return value;
    } catch (error) {
      if (error instanceof StandbyBehind) {
        if (performance.now() >= deadline) return fromPrimary(isOwn ? 'primary: own change' : 'primary: behind');
        await sleep(RETRY_MS);
        continue;
      }
      const cause = attempt.replicaFault(error);
      if (cause === null) throw error;
      if (!isTransient(cause)) watch.suspend(messageOf(cause));
      if (begin.isUnderWay?.() === true) throw error;
      return fromPrimary('primary: away');
    }
  }
}

type Attempt<Value> = {
  readonly work: (tx: Tx) => Promise<Value>;
  /** The error if the replica caused it: out of reach, cut off, or a statement cancelled for what it replays. Null for one of `work`. */
  replicaFault(error: unknown): unknown;
};

function observe<Value>(work: (tx: Tx) => Promise<Value> | Value): Attempt<Value> {
  let state: 'not begun' | 'at work' | 'finished' = 'not begun';
  let fault: unknown = null;
  return {
    async work(tx) {
      state = 'at work';
      const value = await work({
        async query(statementToRun, ...params) {
          try {
            return await tx.query(statementToRun, ...params);
          } catch (error) {
            // Noted here, because the client that a file is sent to may fail with the same codes as a server.
            fault ??= error;
            throw error;
          }
        },
      });
      state = 'finished';
      return value;
    },
    replicaFault(error) {
      if (state !== 'at work') return error;
      return fault !== null && (isConnectionFailure(fault) || isTransient(fault)) ? fault : null;
    },
  };
}

function messageOf(error: unknown): string {
  const cause = error instanceof OutsideError ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** For `leadmarket doctor`: how far the replica is behind; rejects with the reason why it cannot be used. */
export async function examineReplica(database: Database, { connection, lagSeconds }: Replica): Promise<string> {
  const standby = openDatabase({ connection, connections: 1, responseWithinMs: RESPONSE_WITHIN_MS, isStandby: true });
  try {
    const primary = await ask(database, selectPrimary);
    const began = performance.now();
    let facts = await ask(standby, selectStandby);
    const fault = replicaFault(primary, facts) ?? (await wallFault(database, standby));
    if (fault !== null) throw new Error(`not used: ${fault}`);
    while (!hasReached(facts.position, primary.position ?? '0/0')) {
      if (performance.now() - began > lagSeconds * 1000)
        throw new Error(`not used: it is more than ${lagSeconds} s behind`);
      await sleep(EXAMINE_EVERY_MS);
      facts = await ask(standby, selectStandby);
    }
    return `works, at most ${Math.ceil(performance.now() - began)} ms behind; up to ${lagSeconds} s are accepted`;
  } finally {
    await standby.close();
  }
}
