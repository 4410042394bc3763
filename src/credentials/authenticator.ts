// Authenticates a key or token, cached for two seconds so that most requests need no query (contract 2.2).
import { timingSafeEqual } from 'node:crypto';

import type { CredentialId } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createRecentCache } from '../platform/recent-cache.ts';
import type { CredentialKind } from './credential.ts';
import type { OperatorScope } from './operator-scopes.rules.ts';
import { type PresentedRow, selectPresented } from './credentials.sql.ts';
import { hashSecretAsText, parseSecret } from './secret-text.ts';
import { createUseLog, USE_RECORDED_EVERY_MS } from './use-log.ts';

export type Principal = {
  readonly credentialId: CredentialId;
  readonly ownerKey: string;
  readonly scopes?: readonly OperatorScope[];
};

export type Authenticator = {
  /**
   * Null for a secret that is malformed, unknown, revoked, expired or of another kind. Returns the value itself if it is cached, else a
   * promise. A failed look-up rejects with the database's OutsideError: without the database no request is admitted.
   */
  authenticate(kind: CredentialKind, presented: string): Principal | null | Promise<Principal | null>;
  /** Writes the last-used times; never rejects. Runs by itself every few seconds. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type CachedCredential = {
  readonly kind: CredentialKind;
  readonly principal: Principal;
  readonly expiresMs: number | null;
  /** When its look-up started. */
  readonly readMs: number;
  /** The last use that was recorded. */
  recordedMs: number;
};

type LookUp = { readonly readMs: number; readonly found: Promise<CachedCredential | null> };

// A revocation must take effect within 5 s. Age counts from the start of the look-up, so a request is at most 2 s behind.
const FRESH_MS = 2000;
// Bounds the memory (a few MB); far more than the credentials in use within two seconds.
const CACHED_MAX = 10_000;

export function createAuthenticator(options: {
  readonly database: Database;
  readonly clock: Clock;
  /** Called with the reason if last-used times could not be written; nothing else depends on them. */
  readonly onFault: (error: unknown) => void;
}): Authenticator {
  const { database, clock } = options;
  // The keys are hashes, so the cache holds no secret. Unknown secrets are not cached, so a new credential works at once.
  const cache = createRecentCache<CachedCredential>(CACHED_MAX);
  const lookUps = new Map<string, LookUp>();
  const uses = createUseLog(database, options.onFault);

  const admit = (found: CachedCredential | null, now: Date): Principal | null => {
    if (found === null || (found.expiresMs !== null && found.expiresMs <= now.getTime())) return null;
    if (now.getTime() - found.recordedMs >= USE_RECORDED_EVERY_MS) {
      found.recordedMs = now.getTime();
      uses.recordUse(found.principal.credentialId, now);
    }
    return found.principal;
  };

  const readCredential = async (kind: CredentialKind, id: string, readMs: number): Promise<CachedCredential | null> => {
    const hash = Buffer.from(id, 'latin1');
    const [row] = await database.query(selectPresented, { hash });
    if (row === undefined || !timingSafeEqual(row.secretHash, hash)) {
      cache.delete(id);
      return null;
    }
    const found = cachedCredential(row, { kind, readMs, recordedMs: cache.get(id)?.recordedMs });
    cache.set(id, found);
    return found;
  };

  /** Concurrent requests share one look-up, unless it is older than a cached credential may be. */
  const lookUp = (kind: CredentialKind, id: string, nowMs: number): Promise<CachedCredential | null> => {
    const running = lookUps.get(id);
    if (running !== undefined && isFresh(running.readMs, nowMs)) return running.found;
    const found = readCredential(kind, id, nowMs).finally(() => {
      if (lookUps.get(id) === started) lookUps.delete(id);
    });
    const started: LookUp = { readMs: nowMs, found };
    lookUps.set(id, started);
    return found;
  };

  return {
    authenticate(kind, presented) {
      const id = hashSecretAsText(presented);
      const now = clock.now();
      const found = cache.get(id);
      if (found !== undefined && isFresh(found.readMs, now.getTime()))
        return found.kind === kind ? admit(found, now) : null;
      if (parseSecret(presented)?.kind !== kind) return null;
      return lookUp(kind, id, now.getTime()).then((read) => admit(read, clock.now()));
    },
    flush: uses.flush,
    close: uses.close,
  };
}

/** A clock that was set back makes every entry stale, not fresh for hours. */
function isFresh(readMs: number, nowMs: number): boolean {
  return nowMs >= readMs && nowMs - readMs < FRESH_MS;
}

type ReadDetails = { readonly kind: CredentialKind; readonly readMs: number; readonly recordedMs: number | undefined };

function cachedCredential(row: PresentedRow, { kind, readMs, recordedMs }: ReadDetails): CachedCredential {
  return {
    kind,
    principal: {
      credentialId: row.credentialId,
      ownerKey: row.owner,
      ...(row.scopes === null ? {} : { scopes: row.scopes }),
    },
    expiresMs: row.expiresAt?.getTime() ?? null,
    readMs,
    recordedMs: Math.max(recordedMs ?? -Infinity, row.lastUsedAt?.getTime() ?? -Infinity),
  };
}
