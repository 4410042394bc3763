// Folds changes into the facts and roll-ups of reports, each exactly once (contract 12.1, decision 061).
import { computedTimeZone, storedTimeZone } from '../base/time-zone.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  areCellsDue,
  clearCells,
  foldCells,
  foldChangesSql,
  foldHistorySql,
  type HistoryKind,
  isFoldDueSql,
  lockProgressSql,
} from './fold-reports.sql.ts';

/** How much one transaction folds. */
type Parts = { readonly changes: number; readonly rows: number; readonly facts: number };

/** Transactions of some tenths of a second. */
const PARTS: Parts = { changes: 10_000, rows: 5000, facts: 50_000 };
const NONE_LEFT = '00000000-0000-0000-0000-000000000000';

/** What partners see is as of the last fold, so there is one each minute even if nothing has changed. */
const FOLD_AT_LEAST_EVERY_MS = 60_000;

/** Whether there is something to fold, or the last fold was long ago. */
export async function isFoldDue(tx: Tx, now: Date): Promise<boolean> {
  const [row] = await tx.query(isFoldDueSql, { before: new Date(now.getTime() - FOLD_AT_LEAST_EVERY_MS) });
  return row === undefined || row.isDue || !hasCellsOf(row);
}

/** Whether the cells have the days of the zone that is wanted: a zone has several names, and keeps its cells under each. */
function hasCellsOf({ cellZone, wantedZone }: { readonly cellZone: string; readonly wantedZone: string }): boolean {
  return computedTimeZone(cellZone) === storedTimeZone(wantedZone);
}

/** False if nothing is left, or another transaction folds. */
export async function foldSome(tx: Tx, now: Date, parts = PARTS): Promise<boolean> {
  const [progress] = await tx.query(lockProgressSql);
  if (progress === undefined) return false;
  if (!hasCellsOf(progress)) {
    await tx.query(clearCells, { timeZone: storedTimeZone(progress.wantedZone) });
    await foldAllCells(tx, parts);
    return true;
  }
  const [row] = await tx.query(foldChangesSql, { atMost: parts.changes, now });
  await foldDueCells(tx, parts);
  if ((row?.taken ?? 0) >= parts.changes) return true;
  const froms = {
    lead: progress.leadsFrom,
    delivery: progress.deliveriesFrom,
    transfer: progress.transfersFrom,
  } as const satisfies Record<HistoryKind, string>;
  for (const kind of ['lead', 'delivery', 'transfer'] as const) {
    if (froms[kind] === NONE_LEFT) continue;
    await tx.query(foldHistorySql[kind], { before: froms[kind], atMost: parts.rows });
    await foldDueCells(tx, parts);
    return true;
  }
  return false;
}

async function foldDueCells(tx: Tx, parts: Parts): Promise<void> {
  const [row] = await tx.query(areCellsDue, { facts: parts.facts });
  if (row?.areDue === true) await foldAllCells(tx, parts);
}

async function foldAllCells(tx: Tx, { facts }: Parts): Promise<void> {
  for (;;) {
    const [row] = await tx.query(foldCells, { facts });
    if (row?.isMore !== true) return;
  }
}
