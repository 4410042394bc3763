// Collects the last-used times of credentials and writes them in batches, outside of requests (contract 2.2).
import type { CredentialId } from '../base/ids.ts';
import type { Database } from '../platform/database/database.ts';
import { updateLastUsed } from './credentials.sql.ts';

/** A credential's last use is recorded at most once a minute: enough to see that it is in use, cheap at any request rate. */
export const USE_RECORDED_EVERY_MS = 60_000;
// How long a use may stay unwritten.
const FLUSH_EVERY_MS = 10_000;

export type UseLog = {
  readonly recordUse: (credentialId: CredentialId, at: Date) => void;
  /** Writes the recorded uses. A failure is reported to `onFault` and retried by the next flush. */
  readonly flush: () => Promise<void>;
  /** Stops the timer and flushes a last time. */
  readonly close: () => Promise<void>;
};

export function createUseLog(database: Database, onFault: (error: unknown) => void): UseLog {
  const recorded = new Map<CredentialId, Date>();

  const flush = async (): Promise<void> => {
    if (recorded.size === 0) return;
    const batch = new Map(recorded);
    recorded.clear();
    try {
      await database.query(updateLastUsed, { credentialIds: [...batch.keys()], times: [...batch.values()] });
    } catch (error) {
      for (const [credentialId, at] of batch) {
        // A use recorded in the meantime is later.
        if (!recorded.has(credentialId)) recorded.set(credentialId, at);
      }
      onFault(error);
    }
  };

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();

  return {
    recordUse: (credentialId, at) => void recorded.set(credentialId, at),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
