// A question of a report that an operator keeps under a name (contract 12.2).
import type { ReportViewId } from '../base/ids.ts';

export type ReportView = {
  readonly viewId: ReportViewId;
  readonly author: string;
  readonly name: string;
  readonly question: string;
  readonly isShared: boolean;
};
