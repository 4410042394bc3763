// Keeps questions of reports under names: an operator's own, and ones that all operators share (contract 12.2).
import { newUuid, type ReportViewId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { deleteViewSql, insertView, lockView, selectViews } from './report-view.sql.ts';
import type { ReportView } from './report-view.ts';

/** More than a person finds by reading; a view beyond them is still reached by its link. */
const VIEWS_MAX = 500;

/** `mayChangeAll`: also the shared views of others. */
type Editor = { readonly operator: string; readonly mayChangeAll: boolean };

/** Own and shared ones, by name. */
export function findReportViews(tx: Pick<Tx, 'query'>, operator: string): Promise<ReportView[]> {
  return tx.query(selectViews, { operator, limit: VIEWS_MAX });
}

export async function saveReportView(
  tx: Tx,
  view: Omit<ReportView, 'viewId'>,
  now: Date,
): Promise<Outcome<ReportView, 'name_taken'>> {
  const saved = { ...view, viewId: newUuid() };
  const [row] = await tx.query(insertView, { ...saved, now });
  return row === undefined ? refuse('name_taken') : done(saved);
}

/**
 * The view gets a new id: the unique index alone decides about the name, also between two operators who rename at once. A view of another
 * operator that is not shared does not exist for the editor.
 */
export async function renameReportView(
  tx: Tx,
  { viewId, name, ...editor }: { readonly viewId: ReportViewId; readonly name: string } & Editor,
  now: Date,
): Promise<Outcome<ReportView, 'not_found' | 'name_taken'>> {
  const view = await lockChangeable(tx, viewId, editor);
  if (view === null) return refuse('not_found');
  if (view.name === name) return done(view);
  const renamed = await saveReportView(tx, { ...view, name }, now);
  if (renamed.ok) await tx.query(deleteViewSql, { viewId });
  return renamed;
}

export async function deleteReportView(
  tx: Tx,
  { viewId, ...editor }: { readonly viewId: ReportViewId } & Editor,
): Promise<Outcome<null, 'not_found'>> {
  const view = await lockChangeable(tx, viewId, editor);
  if (view === null) return refuse('not_found');
  await tx.query(deleteViewSql, { viewId });
  return done(null);
}

async function lockChangeable(
  tx: Tx,
  viewId: ReportViewId,
  { operator, mayChangeAll }: Editor,
): Promise<ReportView | null> {
  const [view] = await tx.query(lockView, { viewId });
  if (view === undefined) return null;
  return view.author === operator || (view.isShared && mayChangeAll) ? view : null;
}
