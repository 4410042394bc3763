// Chooses the part of the long suites that one run tries: by the commit, so that successive commits try all of it. What the change touches
// is always in, and `DRAW=all` runs everything. `DRAW=3de17aee` repeats the choice of that commit.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A change is what a branch adds to main, and on main what the hours before its last commit added: about one piece of work. */
const HOURS_OF_A_CHANGE = 4;

/**
 * The files whose change draws an item: by the item's name, or by the group before its first slash. Without a row only the commit decides.
 * Narrow on purpose: a row that every change touches would run everything each time.
 */
export const TOUCHED_BY: Readonly<Record<string, RegExp>> = {
  'drills/backup-under-load': /^src\/platform\/(?:backup|database\/backup\/)/,
  'drills/database-failover': /^src\/platform\/database\/(?:connect|retry-transaction|server-list|replica)/,
  'drills/kill': /^src\/(?:leads\/store-submissions|platform\/queue\/dispatcher)/,
  'drills/roles': /^(?:bin\/leadmarket|src\/entry\/serve|src\/platform\/database\/embedded)/,
  'drills/rolling-upgrade': /^migrations\//,
  'drills/silent-database': /^src\/platform\/database\/(?:connect|response-watch)/,
  'drills/storm': /^src\/routing\/(?:route-leads|routing\.sql|reserve-capacity)/,
  'drills/no-oversell': /^src\/(?:caps\/|routing\/reserve-capacity)/,
  'drills/two-workers': /^src\/routing\/(?:route-leads|reserve-capacity)/,
  'drills/money': /^src\/ledger\//,
  'drills/pages-twice': /^web\/(?:build|put-in-place|vite\.config)/,
  'drills/second-wall': /^(?:src\/entry\/serve|src\/platform\/database\/tenant|ops\/roles\.sql)/,
  'drills/trace-loading': /^src\/platform\/tracing\//,
  'drills/places': /^src\/demo\//,
  'drills/ten-thousand': /^src\/deliveries\/sending\//,
  'drills/frozen': /^web\/ui\/(?:live|connection)/,
  'drills/outage': /^web\/ui\/(?:outage|connection)/,
  'drills/two-releases': /^web\/(?:build|put-in-place|ui\/(?:left-pages|error-boundary))/,
  'drills/update': /^web\/ui\/(?:live|held-rows)/,
  pages: /^web\/ui\/(?:theme|shell|page|data-table|base\.css)/,
  tasks: /^web\/ui\/(?:data-table|filter-|select-rows|open-row|confirm)/,
};

/** What is drawn for, in a few letters: a commit, a day, or `all`. */
export const DRAWN_BY =
  process.env['DRAW'] ?? git('rev-parse', 'HEAD')?.slice(0, 8) ?? new Date().toISOString().slice(0, 10);
// The workers and the processes of tests draw as this one does, also when a commit is made meanwhile.
process.env['DRAW'] = DRAWN_BY;

/** A whole number of 0 or more and below 2³¹ for tests that draw values: the same for the same commit. */
export const DRAW_SEED = hash(DRAWN_BY) >>> 1;

/** Where the processes of one run write what they asked for; vitest.config.ts names it. */
const LOG = 'DRAWN_LOG';

/**
 * Whether this run tries `what` (`tasks/file a return by pointer`), which takes turns with the others of its group: one of `turns` is tried.
 * Always where the change touches the files of its row above, or one that begins with one of `paths`.
 */
export function isDrawn(what: string, turns: number, ...paths: readonly string[]): boolean {
  const isIn = DRAWN_BY === 'all' || drawnTurn(what, turns) === 0 || isTouched(what, paths);
  note(what, isIn);
  return isIn;
}

/** Which of `turns` turns `what` has in this run: 0 or more and below `turns`. */
export function drawnTurn(what: string, turns: number): number {
  return ((hash(what) >>> 1) + DRAW_SEED) % turns;
}

/**
 * `count` of `items`, other ones for other commits, and those that the change touches: by their rows above, or by `pathOf`, with what their
 * files begin; all with `DRAW=all`.
 */
export function drawItems(
  group: string,
  items: readonly string[],
  count: number,
  pathOf?: (item: string) => string,
): string[] {
  const first = DRAW_SEED % Math.max(1, items.length);
  return items.filter((item, index) => {
    const turn = (index - first + items.length) % items.length;
    const isIn =
      DRAWN_BY === 'all' || turn < count || isTouched(`${group}/${item}`, pathOf === undefined ? [] : [pathOf(item)]);
    note(`${group}/${item}`, isIn);
    return isIn;
  });
}

function note(what: string, isIn: boolean): void {
  const log = process.env[LOG];
  if (log !== undefined) appendFileSync(log, `${what}\t${isIn}\n`);
}

/** One line: by what was drawn, and what of each group. Null if nothing took turns. */
export function describeDrawn(): string | null {
  const log = process.env[LOG];
  if (log === undefined || !existsSync(log)) return null;
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  rmSync(log);
  const groups = new Map<string, Map<string, boolean>>();
  for (const line of lines) {
    const [what = '', isIn] = line.split('\t');
    const [group = ''] = what.split('/', 1);
    const items = groups.get(group) ?? new Map<string, boolean>();
    items.set(what.slice(group.length + 1), isIn === 'true');
    groups.set(group, items);
  }
  const parts = [...groups].map(([group, items]) => {
    const inside = [...items].filter(([, isIn]) => isIn).map(([item]) => item);
    const names = inside.length > 0 && inside.length < 9 && group === 'drills' ? ` (${inside.join(', ')})` : '';
    return `${group} ${inside.length} of ${items.size}${names}`;
  });
  return `Drawn by ${DRAWN_BY}: ${parts.join('; ')}. All: DRAW=all npm test`;
}

function isTouched(what: string, paths: readonly string[]): boolean {
  const row = TOUCHED_BY[what] ?? TOUCHED_BY[what.split('/', 1)[0] ?? ''];
  if (row === undefined && paths.length === 0) return false;
  return changedFiles().some((file) => row?.test(file) === true || paths.some((path) => file.startsWith(path)));
}

let changed: readonly string[] | null = null;

/** Committed or not. Empty without Git or without its history. */
function changedFiles(): readonly string[] {
  if (changed !== null) return changed;
  const head = git('rev-parse', 'HEAD');
  const branched = git('merge-base', 'HEAD', 'origin/HEAD') ?? git('merge-base', 'HEAD', 'main');
  const before = Number(git('log', '-1', '--format=%ct') ?? 0) - HOURS_OF_A_CHANGE * 3600;
  const base = branched === null || branched === head ? git('rev-list', '-1', `--before=${before}`, 'HEAD') : branched;
  const named = (text: string | null): string[] => (text ?? '').split('\n').filter((name) => name !== '');
  changed = [
    ...(base === null || base === '' ? [] : named(git('diff', '--name-only', base, 'HEAD'))),
    ...named(git('status', '--porcelain', '--untracked-files=normal')).map((line) => line.slice(3)),
  ];
  return changed;
}

/** Null where there is no Git, no checkout, or one that belongs to another user. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** FNV-1a of 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}
