// Previews the statement of a supplier for a month without writing: which entries it would cover, and their sums (contract 11.3).
import { strict as assert } from 'node:assert';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { Temporal } from '../base/temporal.ts';
import { dayStarts, monthSpan } from '../invoices/period.rules.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { statementAmounts } from './statement-amounts.rules.ts';
import { balanceAfter, lastVersionBefore, ofMonth, readProgress, sumHeld, sumItems } from './statement.sql.ts';
import type { StatementAmounts, StatementItem, SupplierStatement } from './statement.ts';

export type StatementMonth = {
  readonly supplier: Pick<SupplierConfig, 'supplierKey' | 'name' | 'timeZone'>;
  /** `YYYY-MM`. */
  readonly month: string;
};

/** `exists`: already issued. `none`: nothing happened and nothing is owed, or a later month has a statement. */
export type StatementPreview =
  | { readonly kind: 'exists'; readonly statement: SupplierStatement }
  | { readonly kind: 'due'; readonly draft: StatementDraft }
  | { readonly kind: 'none' };

export type StatementDraft = {
  readonly fromVersion: number;
  readonly upToVersion: number;
  readonly items: readonly StatementItem[];
  readonly amounts: StatementAmounts;
};

/**
 * The entries after the last statement, up to the last one posted before the end of the month. Versions have no gaps and are visible in their
 * order, so an entry that is posted late is on the next statement, and none is on two.
 */
export async function previewStatement(
  tx: Tx,
  { supplier, month }: StatementMonth,
  now: Date,
): Promise<Outcome<StatementPreview, 'month_not_over'>> {
  const { supplierKey, timeZone } = supplier;
  const { until } = monthSpan(month, timeZone);
  if (until > now.getTime()) return refuse('month_not_over');
  const [statement] = await tx.query(ofMonth, { supplierKey, month });
  if (statement !== undefined) return done({ kind: 'exists', statement });
  const [progress] = await tx.query(readProgress, { supplierKey });
  assert(progress !== undefined, 'a sub-select always returns a row');
  const { upToVersion: after, latestMonth } = progress;
  if (latestMonth !== null && latestMonth > month) return done({ kind: 'none' });
  const account = accountKey('supplier', supplierKey);
  const [last] = await tx.query(lastVersionBefore, { accountKey: account, after, endsAt: new Date(until) });
  const upTo = last?.version ?? after;
  const [before] = await tx.query(balanceAfter, { accountKey: account, version: after });
  const carriedCents = before?.balanceCents ?? 0;
  if (upTo === after && carriedCents === 0) return done({ kind: 'none' });
  const range = { accountKey: account, after, upTo };
  const items = await tx.query(sumItems, { ...range, dayStarts: dayStarts(month, timeZone) });
  const [held] = await tx.query(sumHeld, { supplierKey, accountKey: account, timeZone, upTo, lastDay: lastDay(month) });
  assert(held !== undefined, 'a sum always returns a row');
  const amounts = statementAmounts(items, { carriedCents, heldCents: held.heldCents });
  return done({ kind: 'due', draft: { fromVersion: after + 1, upToVersion: upTo, items, amounts } });
}

function lastDay(month: string): string {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  return `${month}-${daysInMonth}`;
}
