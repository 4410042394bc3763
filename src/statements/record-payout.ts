// Records a payout to a supplier: posts it to the ledger once per reference, and never more than the balance (contract 11.3).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { formatCents, wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { lockAccounts } from '../ledger/accounts.ts';
import { draftTransfers, enterTransfers } from '../ledger/post-transfers.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { readSupplier } from '../suppliers/read-suppliers.ts';
import { insertPayout, payoutByReference } from './payout.sql.ts';
import type { Payout } from './statement.ts';

export type PayoutInput = {
  readonly supplierKey: string;
  /** Above 0. */
  readonly amountCents: number;
  /** What the bank's statement says, such as `SEPA 2026-11-05`: 1 to `PAYOUT_REFERENCE_MAX` characters, unique per supplier. */
  readonly reference: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** `isNew` is false if this payout was recorded before. */
export type RecordedPayout = Payout & { readonly isNew: boolean };
export type PayoutRefusal = 'supplier_not_found' | 'payout_reference_reused' | 'payout_exceeds_balance';

/**
 * The account is locked before the balance is read, so that of two payouts at once the second sees the first. Call it in a transaction of its
 * own: sales of the supplier's leads wait until it ends. The refusals of amounts say the reason in `detail`.
 */
export async function recordPayout(
  tx: Tx,
  input: PayoutInput,
  now: Date,
): Promise<Outcome<RecordedPayout, PayoutRefusal>> {
  const { supplierKey, amountCents, reference } = input;
  assert(Number.isSafeInteger(amountCents) && amountCents > 0, 'a payout is a whole number of cents above 0');
  if ((await readSupplier(tx, supplierKey)) === null) return refuse('supplier_not_found');
  const own = accountKey('supplier', supplierKey);
  const accounts = await lockAccounts(tx, new Set([own, accountKey('payout', supplierKey)]));
  const [known] = await tx.query(payoutByReference, { supplierKey, reference });
  if (known !== undefined) {
    if (known.amountCents === amountCents) return done({ ...known, isNew: false });
    return refuse(
      'payout_reference_reused',
      `The payout ${reference} was recorded with ${formatCents(known.amountCents)}, not ${formatCents(amountCents)}.`,
    );
  }
  const balanceCents = accounts.get(own)?.balanceCents ?? 0;
  if (amountCents > balanceCents) {
    return refuse(
      'payout_exceeds_balance',
      `The balance of ${supplierKey} is ${formatCents(balanceCents)}: ${formatCents(amountCents)} cannot be paid out.`,
    );
  }
  const businessKey = `payout:${supplierKey}:${reference}`;
  const transfer = {
    businessKey,
    type: 'payout',
    supplierKey,
    amountCents,
    description: `Payout ${reference}`,
  } as const;
  const { fresh } = await draftTransfers(tx, [transfer], now);
  const [posted] = fresh;
  assert(posted !== undefined, 'a payout without a row in supplier_payout was posted before');
  const { transferId } = posted;
  const balanceAfterCents = balanceCents - amountCents;
  const payout = { transferId, supplierKey, reference, amountCents, balanceAfterCents, recordedAt: now };
  await tx.query(insertPayout, payout);
  await record(tx, { payout, input }, now);
  enterTransfers(tx, { fresh, accounts }, now);
  return done({ ...payout, isNew: true });
}

async function record(
  tx: Tx,
  { payout, input }: { readonly payout: Payout; readonly input: PayoutInput },
  now: Date,
): Promise<void> {
  const { supplierKey, transferId, reference, amountCents, balanceAfterCents } = payout;
  const changes = {
    reference: { from: null, to: reference },
    balance: { from: wireAmount(balanceAfterCents + amountCents), to: wireAmount(balanceAfterCents) },
  };
  const target = typeId('transfer', transferId);
  const { actor, origin = noOrigin } = input;
  await appendAudit(tx, [
    { at: now, actor, buyerKey: null, supplierKey, action: 'payout.recorded', target, changes, ...origin },
  ]);
}
