// Notifies open pages of changes made by any process: polls the database for all of them once a second, and only while pages are open
// (decision 022).
import type { SessionId } from '../base/ids.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { sessionsStillOpen } from '../sessions/list-sessions.ts';
import { changedTopics, type Fingerprints } from './changed-topics.rules.ts';
import { selectFingerprints } from './fingerprints.sql.ts';
import { createPoller } from './poller.ts';

export type Watcher = {
  readonly kind: 'buyer' | 'supplier' | 'operator';
  /** The buyer's or supplier's key; empty for operators. */
  readonly key: string;
  readonly sessionId: SessionId;
  /** False as soon as the owner may no longer sign in, even with an open session. */
  readonly mayStay: () => boolean;
  readonly notify: (topics: readonly string[]) => void;
  /** Keeps proxies from closing an idle stream. */
  readonly beat: () => void;
  readonly end: () => void;
};

export type Admittance = 'admitted' | 'session_full' | 'owner_full' | 'process_full';

export type LiveHub = {
  /** Resolves when later changes will be notified. Call `leave` when the stream closes. Rejects when storage is unavailable. */
  join(watcher: Watcher): Promise<Admittance>;
  leave(watcher: Watcher): void;
  /** Ends every stream and admits no more. */
  close(): void;
};

export type LiveHubOptions = {
  readonly database: Database;
  /** Where the pages read: a page that is notified of a change must find it. */
  readonly reads: Database;
  readonly clock: Clock;
  /** Called when a poll fails; polling continues. */
  readonly onFault: (error: unknown) => void;
  /** For tests. */
  readonly limits?: LiveLimits;
};

export type LiveLimits = {
  readonly perSession: number;
  /** Per partner or supplier, over all its sessions. */
  readonly perOwner: number;
  /** For all partners and suppliers together. */
  readonly perProcess: number;
  /** Reserved for operators, beyond `perProcess`. */
  readonly forOperators: number;
};

const POLL_EVERY_MS = 1000;
/** Proxies close a stream after half a minute without data, some sooner. */
const BEAT_EVERY_MS = 15_000;
/**
 * Over HTTP/1.1 a browser opens six connections to a host for all its tabs: two are left for requests. A process holds a thousand streams,
 * some 20 MB of buffers, and as many keys in one statement. Sessions cost nothing, so there is a limit per owner as well, and a hundred
 * streams are reserved for operators, whom partners must not shut out.
 */
const LIMITS: LiveLimits = { perSession: 4, perOwner: 60, perProcess: 1000, forOperators: 100 };

/** All operators see the same data, so they count as one owner. */
const OPERATORS = idOf({ kind: 'operator', key: '' });

export function createLiveHub({ database, reads, clock, onFault, limits = LIMITS }: LiveHubOptions): LiveHub {
  const owners = new Map<string, Owner>();
  let isClosed = false;
  let beats: NodeJS.Timeout | undefined;
  const allWatchers = (): Watcher[] => [...owners.values()].flatMap(({ watchers }) => [...watchers]);
  const poller = createPoller({
    poll: () => poll({ database, reads, clock, owners }),
    everyMs: POLL_EVERY_MS,
    onFault,
  });

  const enter = (watcher: Watcher): void => {
    const owner = owners.get(idOf(watcher)) ?? newOwner(watcher);
    owner.watchers.add(watcher);
    owners.set(idOf(watcher), owner);
    poller.start();
    beats ??= setInterval(() => {
      for (const each of allWatchers()) each.beat();
    }, BEAT_EVERY_MS);
  };

  const leave = (watcher: Watcher): void => {
    const owner = owners.get(idOf(watcher));
    if (owner?.watchers.delete(watcher) !== true) return;
    if (owner.watchers.size === 0) owners.delete(idOf(watcher));
    if (owners.size > 0) return;
    poller.stop();
    clearInterval(beats);
    beats = undefined;
  };

  return {
    async join(watcher) {
      const present = allWatchers();
      const own = present.filter(({ sessionId }) => sessionId === watcher.sessionId).length;
      if (own >= limits.perSession) return 'session_full';
      const isOperator = watcher.kind === 'operator';
      const ofOwner = owners.get(idOf(watcher))?.watchers.size ?? 0;
      if (!isOperator && ofOwner >= limits.perOwner) return 'owner_full';
      const ofProcess = isOperator ? limits.perProcess + limits.forOperators : limits.perProcess;
      if (isClosed || present.length >= ofProcess) return 'process_full';
      enter(watcher);
      try {
        await poller.pollNow();
      } catch (error) {
        leave(watcher);
        throw error;
      }
      return 'admitted';
    },
    leave,
    close() {
      isClosed = true;
      for (const watcher of allWatchers()) watcher.end();
    },
  };
}

/** A partner, a supplier or the operators, with at least one open page. */
type Owner = Pick<Watcher, 'kind' | 'key'> & {
  readonly watchers: Set<Watcher>;
  /** Null until the first poll. */
  fingerprints: Fingerprints | null;
};

function newOwner({ kind, key }: Watcher): Owner {
  return { kind, key, watchers: new Set(), fingerprints: null };
}

function idOf({ kind, key }: Pick<Watcher, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

type PollOptions = Pick<LiveHubOptions, 'database' | 'reads' | 'clock'> & {
  readonly owners: ReadonlyMap<string, Owner>;
};

async function poll({ database, reads, clock, owners }: PollOptions): Promise<void> {
  const keysOf = (kind: Watcher['kind']): string[] =>
    [...owners.values()].filter((owner) => owner.kind === kind).map(({ key }) => key);
  // Watchers that join during the query are covered by the next poll.
  const present = [...owners.values()].flatMap(({ watchers }) => [...watchers]);
  if (present.length === 0) return;
  const sessionIds = [...new Set(present.map(({ sessionId }) => sessionId))];
  const now = clock.now();
  const since = utcDay(new Date(now.getTime() - DAY_MS));
  const [rows, open] = await Promise.all([
    reads.query(selectFingerprints, {
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
