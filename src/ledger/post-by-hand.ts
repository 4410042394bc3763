// Posts what the operator types: a payment that came in, a credit, an adjustment (contract 7.2).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { newUuid, typeId, type InvoiceId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockFunds } from './lock-funds.ts';
import { type Posted, postTransfers } from './post-transfers.ts';

export type HandPosting = {
  readonly buyerKey: string;
  readonly type: 'payment' | 'credit' | 'adjustment';
  /** Not 0; below 0 for an adjustment only. */
  readonly amountCents: number;
  readonly description: string;
  /** Two postings under one key are one; without a key each is a new one. */
  readonly idempotencyKey: string | null;
  /** What a payment is for. */
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
  assert(amountCents !== 0, 'nothing cannot be posted');
  const funds = await lockFunds(tx, [buyerKey]);
  if (!funds.has(buyerKey)) return refuse('partner_not_found');
  const businessKey = `hand:${idempotencyKey ?? newUuid()}`;
  const description = maskSecrets(posting.description);
  const purpose = invoiceId === null ? {} : { invoiceId };
  const transfer = { businessKey, buyerKey, type, amountCents, description, ...purpose };
  const posted = (await postTransfers(tx, [transfer], now)).get(businessKey);
  assert(posted !== undefined, 'a posting has no outcome');
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
