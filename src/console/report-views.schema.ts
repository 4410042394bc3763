// The saved views of reports: own ones, and ones that all operators share.
import { type Static, Type } from 'typebox';

const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '^\\S(.*\\S)?$' });
/** The query of the page's address. */
const Question = Type.String({ maxLength: 4000 });

export const ReportViewSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  question: Type.String(),
  isShared: Type.Boolean(),
  author: Type.String(),
  mayChange: Type.Boolean(),
});
export type ReportView = Static<typeof ReportViewSchema>;

export const ReportViewsSchema = Type.Object({ data: Type.Array(ReportViewSchema) });
export type ReportViews = Static<typeof ReportViewsSchema>;

export const NewReportViewSchema = Type.Object({ name: Name, question: Question, isShared: Type.Boolean() });
export type NewReportView = Static<typeof NewReportViewSchema>;

export const ReportViewNameSchema = Type.Object({ name: Name });
export type ReportViewName = Static<typeof ReportViewNameSchema>;

export const ReportViewParams = Type.Object({ viewId: Type.String() });
