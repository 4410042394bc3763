// Inserts and updates suppliers, and approves, suspends or resets one (contract 7.2).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { done, refuse, type Outcome } from '../base/outcome.ts';
import { openSupplierAccounts } from '../ledger/accounts.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { rowOfSupplier, supplierOfRow } from './supplier-form.rules.ts';
import { saveSuppliersSql, lockSupplierSql } from './supplier.sql.ts';
import type { SupplierConfig, SupplierStatus } from './supplier.ts';

/** Opens the accounts of new ones. The caller must have bumped the configuration version, and records history and audit. */
export async function saveSuppliers(tx: Tx, suppliers: readonly SupplierConfig[], now: Date): Promise<void> {
  if (suppliers.length === 0) return;
  const rows = suppliers.map(rowOfSupplier);
  await tx.query(saveSuppliersSql, {
    supplierKeys: rows.map((row) => row.supplierKey),
    names: rows.map((row) => row.name),
    statuses: rows.map((row) => row.status),
    fieldMappings: rows.map((row) => JSON.stringify(row.fieldMapping)),
    callbacks: rows.map((row) => (row.callback === null ? null : JSON.stringify(row.callback))),
    rateLimits: rows.map((row) => JSON.stringify(row.rateLimit)),
    timeZones: rows.map((row) => row.timeZone),
    pays: rows.map((row) => JSON.stringify(row.pay)),
    verticals: rows.map((row) => row.vertical),
    otherVerticals: rows.map((row) => JSON.stringify(row.verticals)),
    now,
  });
  await openSupplierAccounts(
    tx,
    rows.map((row) => row.supplierKey),
  );
}

export type SupplierStatusChange = {
  readonly supplierKey: string;
  readonly status: SupplierStatus;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Returns the changed supplier. Setting the current status again writes nothing. */
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
