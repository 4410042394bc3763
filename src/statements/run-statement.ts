// One supplier's part of a run over a month: its statement is issued in a transaction of its own, or previewed (contract 11.3).
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { issueStatement } from './issue-statement.ts';
import { previewStatement } from './preview-statement.ts';
import type { StatementAmounts, SupplierStatement } from './statement.ts';

export type StatementRun = {
  /** `YYYY-MM`, over in the time zones of all suppliers of the run. */
  readonly month: string;
  readonly isDry: boolean;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** What a supplier's statement is, or would be. */
export type StatementOutcome =
  | { readonly outcome: 'issued' | 'exists'; readonly statement: SupplierStatement; readonly amounts: StatementAmounts }
  | { readonly outcome: 'due'; readonly statement: null; readonly amounts: StatementAmounts };

/**
 * Null without anything to state. Call it in a transaction of its own, with `transactionOf`: a run that is cut short then leaves whole
 * statements, and the next run continues.
 */
export async function runStatement(
  tx: Tx,
  supplier: SupplierConfig,
  { month, isDry, ...author }: StatementRun,
  now: Date,
): Promise<StatementOutcome | null> {
  if (isDry) {
    const seen = await previewStatement(tx, { supplier, month }, now);
    if (!seen.ok || seen.value.kind === 'none') return null;
    return seen.value.kind === 'exists'
      ? { outcome: 'exists', statement: seen.value.statement, amounts: seen.value.statement }
      : { outcome: 'due', statement: null, amounts: seen.value.draft.amounts };
  }
  const issued = await issueStatement(tx, { supplier, month, ...author }, now);
  if (!issued.ok || issued.value.kind === 'none') return null;
  return { outcome: issued.value.kind, statement: issued.value.statement, amounts: issued.value.statement };
}

/** Options of the transaction for one supplier. */
export function transactionOf({ isDry }: Pick<StatementRun, 'isDry'>) {
  return { snapshot: isDry, patient: true };
}
