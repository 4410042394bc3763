// Reads the processor time of a process and of everything that it has started, living or ended. From /proc, so Linux only: 0 elsewhere.
import { readFileSync } from 'node:fs';

import { descendantsOf } from './processes.ts';

/** Linux counts in hundredths of a second wherever Node runs. */
const TICKS_PER_SECOND = 100;

/** Seconds, user and system together, of a process and its descendants. An ended one counts once its parent has reaped it. */
export function processorSeconds(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + ticksOf(one), 0) / TICKS_PER_SECOND;
}

/** Of one process and its reaped children; 0 if it has just ended. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name in parentheses, from the state on: the fields 3 and following of proc(5), of which 14 to 17 are times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}
