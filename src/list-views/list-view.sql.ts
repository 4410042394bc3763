// SQL on saved views of lists. Every statement is bounded by the holder.
import type { ListViewId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { ListView, ViewHolder } from './list-view.ts';

const COLUMNS = 'view_id AS "viewId", list, name, query, hidden_columns AS "hiddenColumns"';
const HELD = 'holder_kind = $holderKind AND holder = $holder';

export const selectListViews = statement<ViewHolder, ListView>(
  'list_view.select',
  `SELECT ${COLUMNS} FROM list_view WHERE ${HELD} ORDER BY list, name`,
);

export const lockListView = statement<ViewHolder & { readonly viewId: ListViewId }, ListView>(
  'list_view.lock',
  `SELECT ${COLUMNS} FROM list_view WHERE ${HELD} AND view_id = $viewId FOR UPDATE`,
);

export const countListViews = statement<ViewHolder, { views: number }>(
  'list_view.count',
  `SELECT count(*)::int AS views FROM list_view WHERE ${HELD}`,
);

/** Inserts no row if the holder has a view of the list with the name. */
export const insertListView = statement<ViewHolder & ListView & { readonly now: Date }, { viewId: ListViewId }>(
  'list_view.insert',
  `INSERT INTO list_view (view_id, holder_kind, holder, list, name, query, hidden_columns, created_at)
   VALUES ($viewId, $holderKind, $holder, $list, $name, $query, $hiddenColumns::text[], $now)
   ON CONFLICT ON CONSTRAINT list_view_name DO NOTHING RETURNING view_id AS "viewId"`,
);

export const replaceListView = statement<ViewHolder & Omit<ListView, 'viewId'>, { viewId: ListViewId }>(
  'list_view.replace',
  `UPDATE list_view SET query = $query, hidden_columns = $hiddenColumns::text[]
   WHERE ${HELD} AND list = $list AND name = $name RETURNING view_id AS "viewId"`,
);

export const deleteListViewSql = statement<ViewHolder & { readonly viewId: ListViewId }, { viewId: ListViewId }>(
  'list_view.delete',
  `DELETE FROM list_view WHERE ${HELD} AND view_id = $viewId RETURNING view_id AS "viewId"`,
);
