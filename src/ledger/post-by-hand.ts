// Posts what the operator types: a payment that came in, a credit, an adjustment (contract 7, ledger post).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { newUuid, typeId } from '../base/ids.ts';
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
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

export async function postByHand(
  tx: Tx,
  { buyerKey, type, amountCents, description, idempotencyKey, actor, origin = noOrigin }: HandPosting,
  now: Date,
): Promise<Outcome<Posted, 'partner_not_found' | 'idempotency_key_reused'>> {
  assert(amountCents !== 0, 'nothing cannot be posted');
  const funds = await lockFunds(tx, [buyerKey]);
  if (!funds.has(buyerKey)) return refuse('partner_not_found');
  const businessKey = `hand:${idempotencyKey ?? newUuid()}`;
  const transfer = { businessKey, buyerKey, type, amountCents, description: maskSecrets(description) };
  const posted = (await postTransfers(tx, [transfer], now)).get(businessKey);
  assert(posted !== undefined, 'a posting has no outcome');
  if (posted.isNew) {
    await appendAudit(tx, [
      {
        at: now,
        actor,
        buyerKey,
        supplierKey: null,
        action: `${type}.posted`,
        target: typeId('transfer', posted.transferId),
        changes: {
          currentBalance: {
            from: wireAmount(posted.balanceAfterCents - amountCents),
            to: wireAmount(posted.balanceAfterCents),
          },
        },
        ...origin,
      },
    ]);
    return done(posted);
  }
  const isSame =
    posted.buyerKey === buyerKey &&
    posted.type === type &&
    posted.amountCents === amountCents &&
    posted.description === transfer.description;
  return isSame ? done(posted) : refuse('idempotency_key_reused');
}
