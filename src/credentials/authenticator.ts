// Decides whose a presented secret is, on nearly every request without asking the database (contract 2.2).
import { timingSafeEqual } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { CredentialId } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { CredentialKind } from './credential.ts';
import { type PresentedRow, selectPresented } from './credentials.sql.ts';
import { hashSecretAsText, parseSecret } from './secret-text.ts';
import { createUseLog, NOTE_EVERY_MS } from './use-log.ts';

export type Principal = { readonly credentialId: CredentialId; readonly ownerKey: string };

export type Authenticator = {
  /**
   * Null for whatever is malformed, unknown, revoked, expired or of another kind. Answers at once where it knows, else after a look-up;
   * a look-up that fails rejects with the database's OutsideError: storage that is away is no reason to let anyone in.
   */
  authenticate(kind: CredentialKind, presented: string): Principal | null | Promise<Principal | null>;
  /** Writes the last-used times; never rejects. Runs by itself every few seconds. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Known = {
  readonly kind: CredentialKind;
  readonly principal: Principal;
  readonly expiresMs: number | null;
  /** When the look-up began that found it. */
  readonly askedMs: number;
  /** The last use that was noted. */
  notedMs: number;
};

type Question = { readonly askedMs: number; readonly response: Promise<Known | null> };

// A revocation must act within 5 s. Age counts from the beginning of the look-up, so 2 s is all that a request can be behind.
const FRESH_MS = 2000;
// Bounds the memory (a few MB); far more credentials than are in use within two seconds.
const KNOWN_MAX = 10_000;

export function createAuthenticator(options: {
  readonly database: Database;
  readonly clock: Clock;
  /** Told why last-used times could not be written; nothing else depends on them. */
  readonly onFault: (error: unknown) => void;
}): Authenticator {
  const { database, clock } = options;
  // The keys are hashes: this memory holds no secret either. Refusals are not remembered, so a new credential works at once.
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX });
  const questions = new Map<string, Question>();
  const uses = createUseLog(database, options.onFault);

  const admit = (found: Known | null, now: Date): Principal | null => {
    if (found === null || (found.expiresMs !== null && found.expiresMs <= now.getTime())) return null;
    if (now.getTime() - found.notedMs >= NOTE_EVERY_MS) {
      found.notedMs = now.getTime();
      uses.note(found.principal.credentialId, now);
    }
    return found.principal;
  };

  const lookUp = async (kind: CredentialKind, id: string, askedMs: number): Promise<Known | null> => {
    const hash = Buffer.from(id, 'latin1');
    const [row] = await database.query(selectPresented, { hash });
    if (row === undefined || !timingSafeEqual(row.secretHash, hash)) {
      known.delete(id);
      return null;
    }
    const found = knownOf(row, { kind, askedMs, notedMs: known.get(id)?.notedMs });
    known.set(id, found);
    return found;
  };

  /** One look-up for all who ask at once; never one that is older than an answer may be. */
  const ask = (kind: CredentialKind, id: string, askedMs: number): Promise<Known | null> => {
    const running = questions.get(id);
    if (running !== undefined && isFresh(running.askedMs, askedMs)) return running.response;
    const response = lookUp(kind, id, askedMs).finally(() => {
      if (questions.get(id) === question) questions.delete(id);
    });
    const question: Question = { askedMs, response };
    questions.set(id, question);
    return response;
  };

  return {
    authenticate(kind, presented) {
      const id = hashSecretAsText(presented);
      const now = clock.now();
      const found = known.get(id);
      if (found !== undefined && isFresh(found.askedMs, now.getTime()))
        return found.kind === kind ? admit(found, now) : null;
      if (parseSecret(presented)?.kind !== kind) return null;
      return ask(kind, id, now.getTime()).then((response) => admit(response, clock.now()));
    },
    flush: uses.flush,
    close: uses.close,
  };
}

/** A clock that was set back makes everything stale rather than fresh for hours. */
function isFresh(askedMs: number, nowMs: number): boolean {
  return nowMs >= askedMs && nowMs - askedMs < FRESH_MS;
}

type Looked = { readonly kind: CredentialKind; readonly askedMs: number; readonly notedMs: number | undefined };

function knownOf(row: PresentedRow, { kind, askedMs, notedMs }: Looked): Known {
  return {
    kind,
    principal: { credentialId: row.credentialId, ownerKey: row.owner },
    expiresMs: row.expiresAt?.getTime() ?? null,
    askedMs,
    notedMs: Math.max(notedMs ?? -Infinity, row.lastUsedAt?.getTime() ?? -Infinity),
  };
}
