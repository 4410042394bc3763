// Waits until the machine is idle, which makes measurements on a shared machine more reliable.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 500;
// What the idle service and the system's own work take.
const BUSY_AT_MOST = 0.08;

/** Returns when the processors were nearly idle for half a second, or after `seconds`. No part of the benchmark may be running. */
export async function untilQuiet(seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (performance.now() < deadline) {
    const before = ticks();
    await sleep(LOOK_MS);
    const after = ticks();
    if ((after.busy - before.busy) / (after.all - before.all) <= BUSY_AT_MOST) return;
  }
}

function ticks(): { busy: number; all: number } {
  // user, nice, system, idle, iowait, irq, softirq, steal
  const fields =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const all = fields.reduce((sum, field) => sum + field, 0);
  return { all, busy: all - (fields[3] ?? 0) - (fields[4] ?? 0) };
}
