// Saves, renames and deletes views of lists (contract 7.13).
import { type ListViewId, newUuid } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockCount } from '../platform/database/lock-count.ts';
import {
  countListViews,
  deleteListViewSql,
  insertListView,
  lockListView,
  replaceListView,
  selectListViews,
} from './list-view.sql.ts';
import type { ListView, NewListView, ViewHolder } from './list-view.ts';

/** Of one holder, over all lists: far more than menus hold. */
const VIEWS_MAX = 200;

/** By list and name. */
export function findListViews(tx: Pick<Tx, 'query'>, holder: ViewHolder): Promise<ListView[]> {
  return tx.query(selectListViews, holder);
}

/** `replaces`: a view of the list with the same name gets the new content instead. */
export async function saveListView(
  tx: Tx,
  holder: ViewHolder,
  { replaces, ...view }: NewListView & { readonly replaces: boolean },
  now: Date,
): Promise<Outcome<ListView, 'view_name_taken' | 'too_many_views'>> {
  await lockCount(tx, `list views of ${holder.holderKind} ${holder.holder}`);
  const [replaced] = replaces ? await tx.query(replaceListView, { ...holder, ...view }) : [];
  if (replaced !== undefined) return done({ ...view, ...replaced });
  const [count] = await tx.query(countListViews, holder);
  if ((count?.views ?? 0) >= VIEWS_MAX) return refuse('too_many_views');
  return insertView(tx, holder, view, now);
}

/** The view gets a new id: the unique name alone decides, also between two requests at once. */
export async function renameListView(
  tx: Tx,
  holder: ViewHolder,
  { viewId, name }: { readonly viewId: ListViewId; readonly name: string },
  now: Date,
): Promise<Outcome<ListView, 'not_found' | 'view_name_taken'>> {
  const [view] = await tx.query(lockListView, { ...holder, viewId });
  if (view === undefined) return refuse('not_found');
  if (view.name === name) return done(view);
  const renamed = await insertView(tx, holder, { ...view, name }, now);
  if (renamed.ok) await tx.query(deleteListViewSql, { ...holder, viewId });
  return renamed;
}

export async function deleteListView(
  tx: Pick<Tx, 'query'>,
  holder: ViewHolder,
  viewId: ListViewId,
): Promise<Outcome<null, 'not_found'>> {
  const [deleted] = await tx.query(deleteListViewSql, { ...holder, viewId });
  return deleted === undefined ? refuse('not_found') : done(null);
}

async function insertView(
  tx: Tx,
  holder: ViewHolder,
  view: NewListView,
  now: Date,
): Promise<Outcome<ListView, 'view_name_taken'>> {
  const saved = { ...view, viewId: newUuid() };
  const [row] = await tx.query(insertListView, { ...holder, ...saved, now });
  return row === undefined ? refuse('view_name_taken') : done(saved);
}
