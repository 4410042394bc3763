// Approves, suspends or sets back a supplier (contract 7.2).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { done, refuse, type Outcome } from '../base/outcome.ts';
import { bumpConfigVersion } from '../marketplace/bump-version.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import { recordHistory } from '../marketplace/record-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { saveSuppliers } from './save-suppliers.ts';
import { rowOfSupplier, supplierOfRow } from './supplier-row.rules.ts';
import { lockSupplierSql } from './supplier.sql.ts';
import type { SupplierConfig, SupplierStatus } from './supplier.ts';

export type SupplierStatusChange = {
  readonly supplierKey: string;
  readonly status: SupplierStatus;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Answers the supplier as it now is. The status that it has already changes nothing. */
export async function setSupplierStatus(
  tx: Tx,
  { supplierKey, status, actor, origin = noOrigin }: SupplierStatusChange,
  now: Date,
): Promise<Outcome<SupplierConfig, 'supplier_not_found'>> {
  await lockConfigVersion(tx);
  const [row] = await tx.query(lockSupplierSql, { supplierKey });
  if (row === undefined) return refuse('supplier_not_found');
  const before = supplierOfRow(row);
  if (before.status === status) return done(before);

  const version = await bumpConfigVersion(tx);
  const after: SupplierConfig = { ...before, status };
  await saveSuppliers(tx, [after], now);
  const record = { kind: 'supplier', key: supplierKey, definition: rowOfSupplier(after) } as const;
  await recordHistory(tx, { version, records: [record] }, now);
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey: null,
      supplierKey,
      action: 'supplier.status_set',
      target: supplierKey,
      changes: { status: { from: before.status, to: status } },
      ...origin,
    },
  ]);
  return done(after);
}
