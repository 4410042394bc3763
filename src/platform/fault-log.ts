// Logs repeated errors: each kind at once and then at most every ten seconds with their number, so that an outage of an
// hour is some hundred lines and not some hundred thousand.
import type { Logger } from 'pino';

import type { Clock } from './clock.ts';

const QUIET_MS = 10_000;
/** Kinds are few; should something make up new ones, the memory stays bounded. */
const KINDS_AT_MOST = 200;

/** `context` says where this one happened; it is written with the errors that are logged and lost with those that are counted. */
export type FaultLog = (error: unknown, context?: Readonly<Record<string, unknown>>) => void;

export function createFaultLog(log: Logger, clock: Clock, message = 'background work failed'): FaultLog {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>();
  return (error, context = {}) => {
    const kind = kindOf(error);
    const now = clock.now().getTime();
    const known = kinds.get(kind);
    if (known !== undefined && now - known.saidAt < QUIET_MS) {
      known.unsaid += 1;
      return;
    }
    if (kinds.size >= KINDS_AT_MOST) kinds.clear();
    kinds.set(kind, { saidAt: now, unsaid: 0 });
    log.error({ err: error, ...context, ...(known === undefined ? {} : { repeated: known.unsaid }) }, message);
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const codeOf = (of: Error): string => ('code' in of ? String(of.code) : '');
  return `${error.name} ${codeOf(error)} ${error.cause instanceof Error ? codeOf(error.cause) : ''}`;
}
