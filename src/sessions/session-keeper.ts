// Finds the session that a cookie names, cached for two seconds so that most requests need no query (decision 022).
import { timingSafeEqual } from 'node:crypto';

import type { SessionId } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { UserRole } from '../platform/http/permission.rules.ts';
import { createRecentCache } from '../platform/recent-cache.ts';
import type { OperatorAccess } from './operator.rules.ts';
import { hashSession, lifetimes, USE_WRITTEN_EVERY_MS, type SessionOwner } from './session.ts';
import { selectPresentedSession, updateSessionUse } from './session.sql.ts';

export type OpenSession = SessionOwner & {
  readonly sessionId: SessionId;
  /** The current role and second factor, not those at sign-in; null for a partner. */
  readonly operator: OperatorAccess | null;
  /** The user of a partner or supplier who has signed in, as of now; null for a token or key. */
  readonly user: SessionUser | null;
};

export type SessionUser = {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly UserRole[];
  readonly hasSecondFactor: boolean;
};

export type SessionKeeper = {
  /**
   * Null for a session that is unknown, ended, idle for too long, or opened with a credential that is no longer valid. `attended` is
   * false for requests that a page makes by itself, so that an unattended screen becomes idle. A failed look-up rejects with the
   * database's OutsideError.
   */
  find(secret: string, use: { readonly attended: boolean }): OpenSession | null | Promise<OpenSession | null>;
  /** To call after sessions were ended or changed: takes effect in this process at once, in the others within two seconds. */
  discard(): void;
  /** Waits until all recorded uses are written. */
  close(): Promise<void>;
};

type CachedSession = {
  readonly session: OpenSession;
  /** Whether it belongs to the demo's operator. */
  readonly isDemo: boolean;
  readonly expiresMs: number;
  /** When its look-up started. */
  readonly readMs: number;
  usedMs: number;
  /** The last use that was written to the database. */
  writtenMs: number;
};

// Ending a session must take effect within 5 s. Age counts from the start of the look-up, so a request is at most 2 s behind.
const FRESH_MS = 2000;
// Bounds the memory; far more than the sessions in use within two seconds.
const CACHED_MAX = 10_000;

export function createSessionKeeper(options: {
  readonly database: Database;
  readonly clock: Clock;
  /** Called with the reason if a use could not be written. */
  readonly onFault: (error: unknown) => void;
  /** Whether the demo is running; only then may its operator use the console. */
  readonly isDemo: () => boolean;
}): SessionKeeper {
  const { database, clock, onFault, isDemo } = options;
  const cache = createRecentCache<CachedSession>(CACHED_MAX);
  const writing = new Set<Promise<void>>();
  /** Increases with each `discard`: a look-up that started before it must not be cached after it. */
  let generation = 0;

  const writeUse = (found: CachedSession, now: Date): void => {
    found.writtenMs = now.getTime();
    const written = database
      .query(updateSessionUse, { sessionId: found.session.sessionId, now })
      .then(() => undefined, onFault)
      .finally(() => writing.delete(written));
    writing.add(written);
  };

  const admit = (found: CachedSession | null, attended: boolean, now: Date): OpenSession | null => {
    const nowMs = now.getTime();
    if (found === null || found.expiresMs <= nowMs || (found.isDemo && !isDemo())) return null;
    if (nowMs - found.usedMs >= lifetimes[found.session.kind].idleMs) return null;
    if (!attended) return found.session;
    found.usedMs = Math.max(found.usedMs, nowMs);
    if (nowMs - found.writtenMs >= USE_WRITTEN_EVERY_MS) writeUse(found, now);
    return found.session;
  };

  const lookUp = async (hash: Buffer, id: string, readMs: number): Promise<CachedSession | null> => {
    const startedIn = generation;
    const [row] = await database.query(selectPresentedSession, { hash });
    if (row === undefined || !timingSafeEqual(row.secretHash, hash)) {
      cache.delete(id);
      return null;
    }
    const before = cache.get(id);
    const { sessionId, kind, ownerKey, openedWith, role, hasSecondFactor, userEmail: email, userName, userRoles } = row;
    const lastUsedMs = row.lastUsedAt.getTime();
    const found: CachedSession = {
      session: {
        ...{ sessionId, kind, ownerKey, openedWith },
        operator: role === null ? null : { role, hasSecondFactor },
        user: email === null ? null : { email, name: userName ?? email, roles: userRoles ?? [], hasSecondFactor },
      },
      isDemo: row.isDemo,
      expiresMs: row.expiresAt.getTime(),
      readMs,
      usedMs: Math.max(before?.usedMs ?? 0, lastUsedMs),
      writtenMs: Math.max(before?.writtenMs ?? 0, lastUsedMs),
    };
    if (startedIn === generation) cache.set(id, found);
    return found;
  };

  return {
    find(secret, { attended }) {
      const hash = hashSession(secret);
      const id = hash.toString('latin1');
      const now = clock.now();
      const found = cache.get(id);
      if (found !== undefined && isFresh(found.readMs, now.getTime())) return admit(found, attended, now);
      return lookUp(hash, id, now.getTime()).then((read) => admit(read, attended, clock.now()));
    },
    discard() {
      generation += 1;
      cache.clear();
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** A clock that was set back makes every entry stale, not fresh for hours. */
function isFresh(readMs: number, nowMs: number): boolean {
  return nowMs >= readMs && nowMs - readMs < FRESH_MS;
}
