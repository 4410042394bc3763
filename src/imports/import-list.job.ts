// Loads a list from a CSV file of any length in constant memory: parts of some thousand rows, which count once the last is written
// (contract 15.4).
import type { AuditAuthor } from '../audit/audit-event.ts';
import { addPart, beginLoad, discardLoad, finishLoad, type PartRefusal } from '../lists/load-list.ts';
import type { List, ListLoad, LoadOptions, NewEntry } from '../lists/list.ts';
import { type Outcome, refuse } from '../base/outcome.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import type { Findings } from './findings.ts';
import type { ImportInput } from './open-input.ts';
import { readListRows } from './read-list-rows.ts';
import { countRecentMatches } from './recent-matches.ts';

export type ListImport = {
  readonly database: Database;
  readonly clock: Clock;
  readonly input: Pick<ImportInput, 'open'>;
  readonly list: List;
  readonly options: LoadOptions;
  /** Of a file without a header: its columns by position, or none where they show by themselves. */
  readonly positions?: readonly string[] | null;
  readonly author: AuditAuthor;
  readonly findings: Findings;
  readonly progress: (rows: number) => void;
};

export type ListImportRefusal = PartRefusal | 'list_removed' | 'list_has_errors';

/** Larger parts only take more memory: a commit is a small share of the time from some thousand rows on. */
const ENTRIES_PER_PART = 10_000;

/**
 * Reads on after an error, so that all errors of the file are reported, but writes no more. An import that fails discards its load; one whose
 * process is killed leaves it for the clean-up, and it never counts.
 */
export async function importList(run: ListImport): Promise<Outcome<ListLoad, ListImportRefusal>> {
  const { database, clock, list, options, author } = run;
  const begun = await database.tx((tx) => beginLoad(tx, { list, options, author }, clock.now()));
  if (!begun.ok) return begun;
  const { loadId } = begun.value;
  let isFinished = false;
  try {
    const written = await writeParts(run, loadId);
    if (!written.ok) return written;
    const recent = await countRecentMatches({ database, list, loadId, now: clock.now() });
    const finish = { list, loadId, parts: written.value, author, recent };
    const finished = await repeatTransient(() => database.tx((tx) => finishLoad(tx, finish, clock.now())));
    isFinished = finished.ok;
    return finished;
  } finally {
    if (!isFinished) await database.tx((tx) => discardLoad(tx, loadId, clock.now()));
  }
}

/** The number of parts. */
async function writeParts(run: ListImport, loadId: number): Promise<Outcome<number, ListImportRefusal>> {
  const { database, clock, input, list, options, findings, progress } = run;
  const isRejected = (): boolean => findings.faultsOfFile > 0 || (findings.rejected > 0 && !options.skipInvalid);
  const source = input.open();
  let number = 0;
  let counted = 0;
  try {
    const parts = inParts(readListRows(source, { ...list, ...options, positions: run.positions ?? null }, findings));
    let next = await parts.next();
    while (next.done !== true) {
      const entries = next.value;
      progress(findings.rows);
      if (isRejected()) {
        next = await parts.next();
        continue;
      }
      number += 1;
      const part = { number, entries, rejected: findings.rejected - counted };
      counted = findings.rejected;
      const write = () => database.tx((tx) => addPart(tx, { list, loadId, part }, clock.now()));
      // The next rows are read while these are written.
      const [added, following] = await Promise.all([repeatTransient(write), parts.next()]);
      if (!added.ok) return added;
      next = following;
    }
  } finally {
    source.destroy();
  }
  return isRejected() ? refuse('list_has_errors') : { ok: true, value: number };
}

async function* inParts(batches: AsyncIterable<readonly NewEntry[]>): AsyncGenerator<NewEntry[]> {
  let waiting: NewEntry[] = [];
  for await (const entries of batches) {
    waiting.push(...entries);
    if (waiting.length < ENTRIES_PER_PART) continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}
