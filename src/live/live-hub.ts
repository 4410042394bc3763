// Tells those who look at a page that something has changed, wherever it was done: once a second, and only while somebody looks, it asks
// the database for all of them at once (decision 022).
import type { SessionId } from '../base/ids.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { sessionsStillOpen } from '../sessions/list-sessions.ts';
import { changedTopics, type Fingerprints } from './changed-topics.rules.ts';
import { selectFingerprints } from './fingerprints.sql.ts';
import { repeatLook } from './repeated-look.ts';

export type Watcher = {
  readonly kind: 'buyer' | 'supplier' | 'operator';
  /** The buyer's or supplier's key; empty for operators. */
  readonly key: string;
  readonly sessionId: SessionId;
  /** False as soon as the owner may no longer come in, whatever the session says. */
  readonly mayStay: () => boolean;
  readonly notify: (topics: readonly string[]) => void;
  /** So that nothing in between takes the line for dead. */
  readonly beat: () => void;
  readonly end: () => void;
};

export type Admittance = 'admitted' | 'session_full' | 'owner_full' | 'process_full';

export type LiveHub = {
  /** Resolves when what follows will be told; `leave` has to be called when the line is gone. Rejects where storage is away. */
  join(watcher: Watcher): Promise<Admittance>;
  leave(watcher: Watcher): void;
  /** Ends every line, and lets nobody in any more. */
  close(): void;
};

export type LiveHubOptions = {
  readonly database: Database;
  readonly clock: Clock;
  /** Told about a look that failed; the next one follows all the same. */
  readonly onFault: (error: unknown) => void;
  /** For tests. */
  readonly limits?: LiveLimits;
};

export type LiveLimits = {
  readonly perSession: number;
  /** Of one partner or supplier, over all its sessions. */
  readonly perOwner: number;
  /** Of all partners and suppliers together; operators may use what is above it. */
  readonly perProcess: number;
  readonly forOperators: number;
};

const LOOK_EVERY_MS = 1000;
/** Proxies drop a line on which nothing has come for half a minute, some sooner. */
const BEAT_EVERY_MS = 15_000;
/**
 * Over HTTP/1.1 a browser opens six connections to a host, for all of its tabs: two are left for asking. A process holds a thousand, some
 * 20 MB of buffers, and as many keys in one statement. Sessions cost nothing, so an owner has a share of its own, and a hundred lines are
 * for operators, whom partners must not shut out.
 */
const LIMITS: LiveLimits = { perSession: 4, perOwner: 60, perProcess: 1000, forOperators: 100 };

/** All operators see the same, so they are one. */
const OPERATORS = idOf({ kind: 'operator', key: '' });

export function createLiveHub({ database, clock, onFault, limits = LIMITS }: LiveHubOptions): LiveHub {
  const owners = new Map<string, Owner>();
  let isClosed = false;
  let beats: NodeJS.Timeout | undefined;
  const everybody = (): Watcher[] => [...owners.values()].flatMap(({ watchers }) => [...watchers]);
  const looks = repeatLook({ look: () => look({ database, clock, owners }), everyMs: LOOK_EVERY_MS, onFault });

  const enter = (watcher: Watcher): void => {
    const owner = owners.get(idOf(watcher)) ?? newOwner(watcher);
    owner.watchers.add(watcher);
    owners.set(idOf(watcher), owner);
    looks.start();
    beats ??= setInterval(() => {
      for (const each of everybody()) each.beat();
    }, BEAT_EVERY_MS);
  };

  const leave = (watcher: Watcher): void => {
    const owner = owners.get(idOf(watcher));
    if (owner?.watchers.delete(watcher) !== true) return;
    if (owner.watchers.size === 0) owners.delete(idOf(watcher));
    if (owners.size > 0) return;
    looks.stop();
    clearInterval(beats);
    beats = undefined;
  };

  return {
    async join(watcher) {
      const present = everybody();
      const own = present.filter(({ sessionId }) => sessionId === watcher.sessionId).length;
      if (own >= limits.perSession) return 'session_full';
      const isOperator = watcher.kind === 'operator';
      const ofOwner = owners.get(idOf(watcher))?.watchers.size ?? 0;
      if (!isOperator && ofOwner >= limits.perOwner) return 'owner_full';
      const ofProcess = isOperator ? limits.perProcess + limits.forOperators : limits.perProcess;
      if (isClosed || present.length >= ofProcess) return 'process_full';
      enter(watcher);
      try {
        await looks.soon();
      } catch (error) {
        leave(watcher);
        throw error;
      }
      return 'admitted';
    },
    leave,
    close() {
      isClosed = true;
      for (const watcher of everybody()) watcher.end();
    },
  };
}

/** Somebody of whom at least one page is open. */
type Owner = Pick<Watcher, 'kind' | 'key'> & {
  readonly watchers: Set<Watcher>;
  /** Null until the first look. */
  fingerprints: Fingerprints | null;
};

function newOwner({ kind, key }: Watcher): Owner {
  return { kind, key, watchers: new Set(), fingerprints: null };
}

function idOf({ kind, key }: Pick<Watcher, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

type Sight = Pick<LiveHubOptions, 'database' | 'clock'> & { readonly owners: ReadonlyMap<string, Owner> };

async function look({ database, clock, owners }: Sight): Promise<void> {
  const keysOf = (kind: Watcher['kind']): string[] =>
    [...owners.values()].filter((owner) => owner.kind === kind).map(({ key }) => key);
  // Who comes while it is asked is looked at by the next look.
  const present = [...owners.values()].flatMap(({ watchers }) => [...watchers]);
  if (present.length === 0) return;
  const sessionIds = [...new Set(present.map(({ sessionId }) => sessionId))];
  const now = clock.now();
  const since = utcDay(new Date(now.getTime() - DAY_MS));
  const [rows, open] = await Promise.all([
    database.query(selectFingerprints, {
      keys: keysOf('buyer'),
      supplierKeys: keysOf('supplier'),
      isForOperators: owners.has(OPERATORS),
      since,
    }),
    sessionsStillOpen(database, sessionIds, now),
  ]);
  for (const watcher of present) if (!open.has(watcher.sessionId) || !watcher.mayStay()) watcher.end();
  for (const row of rows) {
    const owner = owners.get(idOf(row));
    if (owner === undefined) continue;
    const topics = owner.fingerprints === null ? [] : changedTopics(owner.fingerprints, row.fingerprints);
    owner.fingerprints = row.fingerprints;
    if (topics.length > 0) for (const watcher of owner.watchers) watcher.notify(topics);
  }
}
