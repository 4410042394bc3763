// Issues the statement of a supplier for a month: fixes its range of entries and its amounts, and numbers it (contract 11.3).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { newUuid, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome } from '../base/outcome.ts';
import { monthSpan } from '../invoices/period.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { NewNotice } from '../notices/notice.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { previewStatement, type StatementDraft, type StatementMonth } from './preview-statement.ts';
import { statementNumber } from './statement-amounts.rules.ts';
import { insertItems, insertStatement, lockProgress, nextNumber, writeProgress } from './statement.sql.ts';
import type { SupplierStatement } from './statement.ts';

export type StatementInput = StatementMonth & { readonly actor: AuditActor; readonly origin?: AuditOrigin };

/** `exists`: issued before, and unchanged. `none`: nothing to report. */
export type StatementIssue =
  | { readonly kind: 'issued' | 'exists'; readonly statement: SupplierStatement }
  | { readonly kind: 'none'; readonly statement: null };

/**
 * Call it in a transaction of its own, because it holds the counter of numbers until the end. Blocks neither sales nor payouts: only
 * transactions that issue statements of the same supplier wait for each other.
 */
export async function issueStatement(
  tx: Tx,
  input: StatementInput,
  now: Date,
): Promise<Outcome<StatementIssue, 'month_not_over'>> {
  const { supplierKey } = input.supplier;
  await tx.query(lockProgress, { supplierKey });
  const preview = await previewStatement(tx, input, now);
  if (!preview.ok) return preview;
  if (preview.value.kind === 'exists') return done({ kind: 'exists', statement: preview.value.statement });
  if (preview.value.kind === 'none') return done({ kind: 'none', statement: null });
  const { draft } = preview.value;
  await tx.query(writeProgress, { supplierKey, upToVersion: draft.upToVersion });
  const statement = await numbered(tx, { input, draft }, now);
  await tx.query(insertStatement, statement);
  const { items } = draft;
  await tx.query(insertItems, {
    statementId: statement.statementId,
    days: items.map(({ day }) => day),
    kinds: items.map(({ kind }) => kind),
    quantities: items.map(({ quantity }) => quantity),
    amountCents: items.map(({ amountCents }) => amountCents),
  });
  await record(tx, { statement, input }, now);
  await raiseNotices(tx, [issuedNotice(statement)], now);
  return done({ kind: 'issued', statement });
}

function issuedNotice({ supplierKey, statementId, number, month, totalCents, currency }: SupplierStatement): NewNotice {
  return {
    kind: 'statement.issued',
    recipient: { supplier: supplierKey },
    occurrence: `statement.issued:${statementId}`,
    data: { number, month, total: wireAmount(totalCents), currency },
    attachment: { statement: statementId },
  };
}

/** With the current names of both parties: later changes do not affect the statement. */
async function numbered(
  tx: Tx,
  { input, draft }: { readonly input: StatementInput; readonly draft: StatementDraft },
  now: Date,
): Promise<SupplierStatement> {
  const { supplier, month } = input;
  const { settings } = await readSettings(tx);
  const { from, until } = monthSpan(month, supplier.timeZone);
  const year = now.getUTCFullYear();
  const [number] = await tx.query(nextNumber, { year });
  assert(number !== undefined, 'the counter of statements returned no number');
  return {
    statementId: newUuid(),
    number: statementNumber(year, number.count),
    supplierKey: supplier.supplierKey,
    month,
    timeZone: supplier.timeZone,
    startsAt: new Date(from),
    endsAt: new Date(until),
    operatorName: settings.name,
    supplierName: supplier.name,
    currency: settings.currency,
    fromVersion: draft.fromVersion,
    upToVersion: draft.upToVersion,
    ...draft.amounts,
    issuedAt: now,
  };
}

async function record(
  tx: Tx,
  { statement, input }: { readonly statement: SupplierStatement; readonly input: StatementInput },
  now: Date,
): Promise<void> {
  const { supplierKey, statementId, number, earnedCents, totalCents } = statement;
  const changes = {
    number: { from: null, to: number },
    earned: { from: null, to: wireAmount(earnedCents) },
    total: { from: null, to: wireAmount(totalCents) },
  };
  const target = typeId('statement', statementId);
  const { actor, origin = noOrigin } = input;
  await appendAudit(tx, [
    { at: now, actor, buyerKey: null, supplierKey, action: 'statement.issued', target, changes, ...origin },
  ]);
}
