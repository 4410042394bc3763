// Corrects the balances of suppliers by adjustments that an operator enters or imports, each once per key (contract 11.2, 7.10).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditEvent, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { newUuid, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SupplierEntry } from './entry.rules.ts';
import { selectSupplierAccounts, selectSupplierEntries } from './ledger.sql.ts';
import { type PostedToSupplier, postSupplierTransfers } from './post-supplier-transfers.ts';
import type { SupplierTransferInput } from './transfer.rules.ts';

export type SupplierAdjustment = {
  readonly supplierKey: string;
  /** Not 0; above 0 is owed to the supplier in addition. */
  readonly amountCents: number;
  /** Shown to the supplier, on its next statement. */
  readonly description: string;
  /** A key posts once; without a key every call is a new posting. */
  readonly idempotencyKey: string | null;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

export type AdjustmentRefusal = 'supplier_not_found' | 'idempotency_key_reused';

export async function adjustSupplier(
  tx: Tx,
  adjustment: SupplierAdjustment,
  now: Date,
): Promise<Outcome<PostedToSupplier, AdjustmentRefusal>> {
  const [outcome] = await adjustSuppliers(tx, [adjustment], now);
  assert(outcome !== undefined, 'an adjustment has no outcome');
  return outcome;
}

/** Posts all that can be posted, each with its audit event; the outcomes are in the order given. Keys must be unique among them. */
export async function adjustSuppliers(
  tx: Tx,
  adjustments: readonly SupplierAdjustment[],
  now: Date,
): Promise<Array<Outcome<PostedToSupplier, AdjustmentRefusal>>> {
  const suppliers = await knownSuppliers(tx, adjustments);
  const transfers = adjustments.map(transferOf);
  const posted = await postSupplierTransfers(
    tx,
    transfers.filter(({ supplierKey }) => suppliers.has(supplierKey)),
    now,
  );
  const outcomes = transfers.map((transfer) => {
    const entry = posted.get(transfer.businessKey);
    if (entry === undefined) return refuse('supplier_not_found');
    return entry.isNew || isSame(transfer, entry) ? done(entry) : refuse('idempotency_key_reused');
  });
  const events = outcomes.flatMap((outcome, index) => {
    const adjustment = adjustments[index];
    return outcome.ok && outcome.value.isNew && adjustment !== undefined
      ? [adjustmentEvent(adjustment, outcome.value)]
      : [];
  });
  await appendAudit(tx, events);
  return outcomes;
}

/** What `adjustSuppliers` would do, without posting: `isNew` for an adjustment whose key is unused. */
export async function previewAdjustments(
  tx: Tx,
  adjustments: readonly SupplierAdjustment[],
): Promise<Array<Outcome<{ readonly isNew: boolean }, AdjustmentRefusal>>> {
  const suppliers = await knownSuppliers(tx, adjustments);
  const transfers = adjustments.map(transferOf);
  const businessKeys = transfers.map(({ businessKey }) => businessKey);
  const entries = new Map(
    (await tx.query(selectSupplierEntries, { businessKeys })).map((one) => [one.businessKey, one]),
  );
  return transfers.map((transfer) => {
    if (!suppliers.has(transfer.supplierKey)) return refuse('supplier_not_found');
    const entry = entries.get(transfer.businessKey);
    if (entry === undefined) return done({ isNew: true });
    return isSame(transfer, entry) ? done({ isNew: false }) : refuse('idempotency_key_reused');
  });
}

async function knownSuppliers(tx: Tx, adjustments: readonly SupplierAdjustment[]): Promise<ReadonlySet<string>> {
  const supplierKeys = [...new Set(adjustments.map(({ supplierKey }) => supplierKey))];
  return new Set((await tx.query(selectSupplierAccounts, { supplierKeys })).map(({ supplierKey }) => supplierKey));
}

function transferOf({
  supplierKey,
  amountCents,
  description,
  idempotencyKey,
}: SupplierAdjustment): SupplierTransferInput {
  assert(amountCents !== 0, 'an amount of 0 cannot be posted');
  // Keys of postings to partners begin in another way.
  const businessKey = `supplier-hand:${idempotencyKey ?? newUuid()}`;
  return { businessKey, supplierKey, type: 'adjustment', amountCents, description: maskSecrets(description) };
}

function isSame({ supplierKey, amountCents, description }: SupplierTransferInput, entry: SupplierEntry): boolean {
  return (
    entry.supplierKey === supplierKey &&
    entry.type === 'adjustment' &&
    entry.amountCents === amountCents &&
    entry.description === description
  );
}

function adjustmentEvent({ actor, origin = noOrigin }: SupplierAdjustment, posted: PostedToSupplier): AuditEvent {
  const { supplierKey, transferId, amountCents, balanceAfterCents, createdAt } = posted;
  return {
    at: createdAt,
    actor,
    buyerKey: null,
    supplierKey,
    action: 'adjustment.posted',
    target: typeId('transfer', transferId),
    changes: { balance: { from: wireAmount(balanceAfterCents - amountCents), to: wireAmount(balanceAfterCents) } },
    ...origin,
  };
}
