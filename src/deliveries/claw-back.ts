// Takes back what a returned sale costs, as far as the supplier's terms say so (contract 11.2).
import { strict as assert } from 'node:assert';
import { type ClaimId, type DeliveryId, typeId } from '../base/ids.ts';
import { lockAccounts } from '../ledger/accounts.ts';
import { postSupplierTransfers } from '../ledger/post-supplier-transfers.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { clawbackCents, isInTime } from '../suppliers/sale-cost.rules.ts';
import { selectClawbackTerms, selectOwed } from './claw-back.sql.ts';

export type ClawBackInput = {
  readonly kind: 'return' | 'dispute';
  readonly claimId: ClaimId;
  readonly deliveryId: DeliveryId;
  /** What the buyer was charged, and what of it the claim credits. */
  readonly priceCents: number;
  readonly creditCents: number;
};

/**
 * Call it in the transaction that approved the claim, after the delivery was returned and the credit posted: suppliers' accounts are locked
 * after those of buyers. The lock comes before the look at the lead's other sales, so that of two sales that are returned at the same time
 * the second one finds that no sale is kept. A pending sale of the lead counts as kept.
 */
export async function clawBack(
  tx: Tx,
  { kind, claimId, deliveryId, priceCents, creditCents }: ClawBackInput,
  now: Date,
): Promise<void> {
  const [terms] = await tx.query(selectClawbackTerms, { deliveryId });
  if (terms === undefined) return;
  const { model, clawbackDays, confirmedAt, leadId, supplierKey } = terms;
  if (clawbackDays === null || confirmedAt === null) return;
  if (!isInTime(confirmedAt, clawbackDays, now)) return;
  await lockAccounts(tx, new Set([accountKey('supplier', supplierKey), accountKey('cost', supplierKey)]));
  const [sale] = await tx.query(selectOwed, { deliveryId, leadId, model });
  assert(sale !== undefined, 'a sum always returns a row');
  const amountCents = clawbackCents({ model, priceCents, creditCents, ...sale });
  const transfer = {
    businessKey: `clawback:${typeId(kind, claimId)}`,
    type: 'clawback',
    supplierKey,
    amountCents,
    description: `${kind === 'return' ? 'Return' : 'Dispute'} of lead ${typeId('lead', leadId)}`,
    deliveryId,
    ...(kind === 'return' ? { returnId: claimId } : { disputeId: claimId }),
  } as const;
  await postSupplierTransfers(tx, [transfer], now);
}
