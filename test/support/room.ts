// How long tests wait: one factor for all limits, and a clock that runs slower where the processors are shared.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Multiplies every limit of waiting: `ROOM=10 npm test` on a machine that has much else to do. */
export const ROOM = Number(process.env['ROOM'] ?? 1);
if (!(ROOM >= 1)) throw new Error(`ROOM is a factor of 1 or more, and this is ${process.env['ROOM']}`);

const CORES = availableParallelism();
/** A load beyond this looks like a machine that never gets anywhere; waiting ends then, too. */
const SLOWEST = 1 / 12;

/** A stopwatch in milliseconds that runs at the share of a processor that a process gets now: with 30 processes on two cores, at 1/15. */
export function startSharedStopwatch(): () => number {
  let counted = 0;
  let last = performance.now();
  return () => {
    const now = performance.now();
    counted += (now - last) * Math.max(SLOWEST, Math.min(1, CORES / runnable()));
    last = now;
    return counted;
  };
}

/** The processes and threads that run or wait for a processor, this one among them. Linux only: elsewhere the machine counts as free. */
function runnable(): number {
  try {
    return Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 1);
  } catch {
    return 1;
  }
}
