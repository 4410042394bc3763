// SQL on the saved views of reports.
import type { ReportViewId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { ReportView } from './report-view.ts';

type NewView = ReportView & { readonly now: Date };

const COLUMNS = 'view_id AS "viewId", operator_name AS "author", name, question, is_shared AS "isShared"';

/** The operator's own ones and all shared ones. */
export const selectViews = statement<{ readonly operator: string; readonly limit: number }, ReportView>(
  'report_view.select',
  `SELECT ${COLUMNS} FROM report_view WHERE is_shared OR operator_name = $operator
   ORDER BY name, is_shared, view_id LIMIT $limit`,
);

export const lockView = statement<{ readonly viewId: ReportViewId }, ReportView>(
  'report_view.lock',
  `SELECT ${COLUMNS} FROM report_view WHERE view_id = $viewId FOR UPDATE`,
);

/** Inserts no row if the name is taken: among the shared views, or among the author's own. */
export const insertView = statement<NewView, { viewId: ReportViewId }>(
  'report_view.insert',
  `INSERT INTO report_view (view_id, operator_name, name, question, is_shared, created_at)
   VALUES ($viewId, $author, $name, $question, $isShared, $now)
   ON CONFLICT DO NOTHING RETURNING view_id AS "viewId"`,
);

export const deleteViewSql = statement<{ readonly viewId: ReportViewId }>(
  'report_view.delete',
  'DELETE FROM report_view WHERE view_id = $viewId',
);
