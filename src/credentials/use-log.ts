// Remembers when credentials were used and writes it in batches, so that no request pays for it (contract 2.2).
import type { CredentialId } from '../base/ids.ts';
import type { Database } from '../platform/database/database.ts';
import { updateLastUsed } from './credentials.sql.ts';

/** A credential's last use is written once per minute at most: enough to see that it is in use, cheap at any rate of requests. */
export const NOTE_EVERY_MS = 60_000;
// How long a first use may stay unseen.
const FLUSH_EVERY_MS = 10_000;

export type UseLog = {
  readonly note: (credentialId: CredentialId, at: Date) => void;
  /** Writes what was noted. A failure goes to `onFault`, and the next flush tries again. */
  readonly flush: () => Promise<void>;
  /** Stops the timer and flushes a last time. */
  readonly close: () => Promise<void>;
};

export function createUseLog(database: Database, onFault: (error: unknown) => void): UseLog {
  const noted = new Map<CredentialId, Date>();

  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const batch = new Map(noted);
    noted.clear();
    try {
      await database.query(updateLastUsed, { credentialIds: [...batch.keys()], times: [...batch.values()] });
    } catch (error) {
      for (const [credentialId, at] of batch) {
        // A use that was noted meanwhile is the later one.
        if (!noted.has(credentialId)) noted.set(credentialId, at);
      }
      onFault(error);
    }
  };

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();

  return {
    note: (credentialId, at) => void noted.set(credentialId, at),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
