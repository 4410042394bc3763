// Prints the processor time of a test run, its dearest files and those that have grown, and fails a whole run in which a file has become
// much dearer than `test/seconds.json` says. `npm run test:seconds` writes that file with everything drawn, so that growth is seen in a review.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Reporter, TestModule } from 'vitest/node';

import { OLDEST_PROJECT } from './oldest-engine.ts';
import { processorSeconds } from './processor-time.ts';

/** Processor seconds by path. */
type Seconds = Readonly<Record<string, number>>;

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'test/seconds.json');
const PRINTED = 10;

/** What any file may use; a browser and the server for it take longer to start. */
const ANY_FILE = 3;
const ANY_BROWSER_FILE = 15;
/** More than its written figure by both is growth, which is said: 2 s are more than a small file varies. */
const GROWTH = 1.5;
const GROWTH_SECONDS = 2;
/** By both it fails the run: more than neighbours on the machine, which share its caches and cores, have added to any file. */
const MUCH = 2.5;
const MUCH_SECONDS = 20;
/** Shorter files vary too much to say how fast a machine is. */
const TELLING_SECONDS = 1;

export function readSeconds(): Seconds {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Seconds;
}

/** A few files alone do not tell how fast the machine is, so only a whole run is judged. */
export function processorBudgets({ isWhole }: { isWhole: boolean }): Reporter {
  return {
    onTestRunEnd(modules) {
      const measured = secondsOf(modules);
      const dearest = Object.entries(measured).toSorted(([, one], [, other]) => other - one);
      if (dearest.length === 0) return;
      const all = processorSeconds(process.pid).toFixed(0);
      console.log(`\nProcessor time: ${all} s, with PostgreSQL and browsers. The dearest files:`);
      for (const [path, seconds] of dearest.slice(0, PRINTED))
        console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
      if (process.env['TEST_SECONDS'] === 'write') return writeSeconds({ ...readSeconds(), ...measured });
      const dearer = isWhole ? dearerFiles(measured, readSeconds()) : [];
      for (const { text } of dearer) console.error(text);
      if (dearer.some(({ isMuch }) => isMuch)) process.exitCode = 1;
    },
  };
}

/**
 * The files that use more than any file may and more than their written figure, on a machine that may be slower or busier than the one that
 * wrote the figures: by as much as most files are. `isMuch`: it fails the run.
 */
export function dearerFiles(measured: Seconds, written: Seconds): { text: string; isMuch: boolean }[] {
  const slowness = Math.max(1, medianRatio(measured, written));
  return Object.entries(measured).flatMap(([path, seconds]) => {
    const known = written[path];
    const any = path.startsWith('test/browser/') ? ANY_BROWSER_FILE : ANY_FILE;
    const base = known ?? any;
    const allowed = known === undefined ? any : Math.max(any, known * GROWTH, known + GROWTH_SECONDS);
    if (seconds <= allowed * slowness) return [];
    const figure = known === undefined ? 'has no written figure' : `used ${known} s when test/seconds.json was written`;
    const text =
      `${path} uses ${seconds} s of processor time and ${figure}, on a machine that needs ${slowness.toFixed(2)} times as much. ` +
      'Make it cheaper, or write the new figure with npm run test:seconds and say why.';
    return [{ text, isMuch: seconds > Math.max(base * MUCH, base + MUCH_SECONDS) * slowness }];
  });
}

/** 1 if no file tells. */
function medianRatio(measured: Seconds, written: Seconds): number {
  const ratios = Object.entries(measured).flatMap(([path, seconds]) => {
    const known = written[path] ?? 0;
    return known < TELLING_SECONDS ? [] : [seconds / known];
  });
  return ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 1;
}

function secondsOf(modules: readonly TestModule[]): Seconds {
  // A file that runs a second time, on the oldest PostgreSQL, has its figure of the first.
  const first = modules.filter(({ project }) => project.name !== OLDEST_PROJECT);
  const found = first.flatMap((module) => {
    const seconds = module.meta().processorSeconds;
    return seconds === undefined ? [] : [[relative(ROOT, module.moduleId), Math.round(seconds * 10) / 10] as const];
  });
  return Object.fromEntries(found);
}

/** The dearest first. Without files that have gone, and without the many that take next to nothing. */
function writeSeconds(seconds: Seconds): void {
  const kept = Object.entries(seconds).filter(
    ([path, one]) => one >= TELLING_SECONDS / 2 && existsSync(join(ROOT, path)),
  );
  const sorted = kept.toSorted(([, one], [, other]) => other - one);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
