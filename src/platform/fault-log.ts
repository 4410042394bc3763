// Logs faults of background work: each kind at once and then at most every ten seconds with their number, so that an outage of an
// hour is some hundred lines and not some hundred thousand.
import type { Logger } from 'pino';

import type { Clock } from './clock.ts';

const QUIET_MS = 10_000;
/** Kinds are few; should something make up new ones, the memory stays bounded. */
const KINDS_AT_MOST = 200;

export function createFaultLog(log: Logger, clock: Clock): (error: unknown) => void {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>();
  return (error) => {
    const kind = kindOf(error);
    const now = clock.now().getTime();
    const known = kinds.get(kind);
    if (known !== undefined && now - known.saidAt < QUIET_MS) {
      known.unsaid += 1;
      return;
    }
    if (kinds.size >= KINDS_AT_MOST) kinds.clear();
    kinds.set(kind, { saidAt: now, unsaid: 0 });
    log.error({ err: error, ...(known === undefined ? {} : { repeated: known.unsaid }) }, 'background work failed');
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? String(error.code) : '';
  return `${error.name} ${code}`;
}
