// Posts a payment, credit or adjustment that an operator enters (contract 7.2).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { type InvoiceId, newUuid, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockFunds } from './funds.ts';
import { type Posted, postTransfers } from './post-transfers.ts';

export type HandPosting = {
  readonly buyerKey: string;
  readonly type: 'payment' | 'credit' | 'adjustment';
  /** Not 0; negative for an adjustment only. */
  readonly amountCents: number;
  readonly description: string;
  /** A key posts once; without a key every call is a new posting. */
  readonly idempotencyKey: string | null;
  /** The invoice that a payment is for. */
  readonly invoiceId?: InvoiceId | null;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

export async function postByHand(
  tx: Tx,
  posting: HandPosting,
  now: Date,
): Promise<Outcome<Posted, 'partner_not_found' | 'idempotency_key_reused'>> {
  const { buyerKey, type, amountCents, idempotencyKey, invoiceId = null } = posting;
  assert(amountCents !== 0, 'an amount of 0 cannot be posted');
  const funds = await lockFunds(tx, [buyerKey]);
  if (!funds.has(buyerKey)) return refuse('partner_not_found');
  const businessKey = `hand:${idempotencyKey ?? newUuid()}`;
  const description = maskSecrets(posting.description);
  const reference = invoiceId === null ? {} : { invoiceId };
  const transfer = { businessKey, buyerKey, type, amountCents, description, ...reference };
  const posted = (await postTransfers(tx, [transfer], now)).get(businessKey);
  assert(posted !== undefined, 'a posting was not returned');
  if (posted.isNew) {
    await recordPosting(tx, posting, posted);
    return done(posted);
  }
  const isSame =
    posted.buyerKey === buyerKey &&
    posted.type === type &&
    posted.amountCents === amountCents &&
    posted.description === description &&
    posted.invoiceId === invoiceId;
  return isSame ? done(posted) : refuse('idempotency_key_reused');
}

async function recordPosting(tx: Tx, { actor, origin = noOrigin }: HandPosting, posted: Posted): Promise<void> {
  const { buyerKey, type, transferId, amountCents, balanceAfterCents, createdAt } = posted;
  await appendAudit(tx, [
    {
      at: createdAt,
      actor,
      buyerKey,
      supplierKey: null,
      action: `${type}.posted`,
      target: typeId('transfer', transferId),
      changes: {
        currentBalance: { from: wireAmount(balanceAfterCents - amountCents), to: wireAmount(balanceAfterCents) },
      },
      ...origin,
    },
  ]);
}
