// Decides whose session a cookie names, on nearly every request without asking the database (decision 022).
import { timingSafeEqual } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { SessionId } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { OperatorAccess } from './operator-roles.rules.ts';
import { hashSession, lifetimes, NOTE_EVERY_MS, type SessionOwner } from './session.ts';
import { selectPresentedSession, updateSessionUse } from './session.sql.ts';

export type OpenSession = SessionOwner & {
  readonly sessionId: SessionId;
  /** As they now are, not as they were at signing in; null of a partner. */
  readonly operator: OperatorAccess | null;
};

export type SessionKeeper = {
  /**
   * Null for whatever is unknown, ended, idle for too long, or opened with what is no longer valid. `attended` is false for what a page
   * asks by itself: a screen that nobody looks at shall fall idle. A look-up that fails rejects with the database's OutsideError.
   */
  find(secret: string, use: { readonly attended: boolean }): OpenSession | null | Promise<OpenSession | null>;
  /** After something ended sessions: this process then knows it at once, the others within two seconds. */
  discard(): void;
  /** Waits until the uses so far are written. */
  close(): Promise<void>;
};

type Known = {
  readonly session: OpenSession;
  /** Whether it is that of the demo's operator. */
  readonly isDemo: boolean;
  readonly expiresMs: number;
  /** When the look-up began that found it. */
  readonly askedMs: number;
  usedMs: number;
  /** The last use that was written. */
  notedMs: number;
};

// What ends a session must act within 5 s. Age counts from the beginning of the look-up, so 2 s is all that a request can be behind.
const FRESH_MS = 2000;
// Bounds the memory; far more people than look at their pages within two seconds.
const KNOWN_MAX = 10_000;

export function createSessionKeeper(options: {
  readonly database: Database;
  readonly clock: Clock;
  /** Told why a use could not be written. */
  readonly onFault: (error: unknown) => void;
  /** Whether there is a demo, whose operator may then use the console. */
  readonly isDemo: () => boolean;
}): SessionKeeper {
  const { database, clock, onFault, isDemo } = options;
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX });
  const writing = new Set<Promise<void>>();
  /** Rises when something ended: what was asked before may not be remembered after. */
  let era = 0;

  const note = (found: Known, now: Date): void => {
    found.notedMs = now.getTime();
    const written = database
      .query(updateSessionUse, { sessionId: found.session.sessionId, now })
      .then(() => undefined, onFault)
      .finally(() => writing.delete(written));
    writing.add(written);
  };

  const admit = (found: Known | null, attended: boolean, now: Date): OpenSession | null => {
    const nowMs = now.getTime();
    if (found === null || found.expiresMs <= nowMs || (found.isDemo && !isDemo())) return null;
    if (nowMs - found.usedMs >= lifetimes[found.session.kind].idleMs) return null;
    if (!attended) return found.session;
    found.usedMs = Math.max(found.usedMs, nowMs);
    if (nowMs - found.notedMs >= NOTE_EVERY_MS) note(found, now);
    return found.session;
  };

  const lookUp = async (hash: Buffer, id: string, askedMs: number): Promise<Known | null> => {
    const asked = era;
    const [row] = await database.query(selectPresentedSession, { hash });
    if (row === undefined || !timingSafeEqual(row.secretHash, hash)) {
      known.delete(id);
      return null;
    }
    const before = known.get(id);
    const { sessionId, kind, ownerKey, openedWith, role, hasSecondFactor } = row;
    const writtenMs = row.lastUsedAt.getTime();
    const found: Known = {
      session: { sessionId, kind, ownerKey, openedWith, operator: role === null ? null : { role, hasSecondFactor } },
      isDemo: row.isDemo,
      expiresMs: row.expiresAt.getTime(),
      askedMs,
      usedMs: Math.max(before?.usedMs ?? 0, writtenMs),
      notedMs: Math.max(before?.notedMs ?? 0, writtenMs),
    };
    if (asked === era) known.set(id, found);
    return found;
  };

  return {
    find(secret, { attended }) {
      const hash = hashSession(secret);
      const id = hash.toString('latin1');
      const now = clock.now();
      const found = known.get(id);
      if (found !== undefined && isFresh(found.askedMs, now.getTime())) return admit(found, attended, now);
      return lookUp(hash, id, now.getTime()).then((response) => admit(response, attended, clock.now()));
    },
    discard() {
      era += 1;
      known.clear();
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** A clock that was set back makes everything stale rather than fresh for hours. */
function isFresh(askedMs: number, nowMs: number): boolean {
  return nowMs >= askedMs && nowMs - askedMs < FRESH_MS;
}
