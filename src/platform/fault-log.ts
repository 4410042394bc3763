// Logs repeated errors: each kind at once, then at most every ten seconds with the count, so that an outage of an hour
// writes a few hundred lines and not a few hundred thousand.
import type { Logger } from 'pino';

import type { Clock } from './clock.ts';

const QUIET_MS = 10_000;
/** There are few kinds; this bounds the memory in any case. */
const KINDS_AT_MOST = 200;

/** `context` says where the error happened; it is logged with the errors that are logged and dropped with those that are counted. */
export type FaultLog = (error: unknown, context?: Readonly<Record<string, unknown>>) => void;

export function createFaultLog(log: Logger, clock: Clock, message = 'background work failed'): FaultLog {
  const kinds = new Map<string, { loggedAt: number; skipped: number }>();
  return (error, context = {}) => {
    const kind = kindOf(error);
    const now = clock.now().getTime();
    const known = kinds.get(kind);
    if (known !== undefined && now - known.loggedAt < QUIET_MS) {
      known.skipped += 1;
      return;
    }
    if (kinds.size >= KINDS_AT_MOST) kinds.clear();
    kinds.set(kind, { loggedAt: now, skipped: 0 });
    log.error({ err: error, ...context, ...(known === undefined ? {} : { repeated: known.skipped }) }, message);
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const codeOf = (of: Error): string => ('code' in of ? String(of.code) : '');
  return `${error.name} ${codeOf(error)} ${error.cause instanceof Error ? codeOf(error.cause) : ''}`;
}
