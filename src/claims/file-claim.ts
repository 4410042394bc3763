// Files a return or dispute under the lock on its delivery and, for a return, on its month's cap (contract 6.8, 6.9).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import { type DeliveryId, newUuid } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { lockDelivery } from '../deliveries/return-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { insertClaim } from './claim.sql.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { decisionDue } from './claim-window.rules.ts';
import type { FilingRefusal } from './filing.rules.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { type FilingBuyer, type FilingClaim, judgeFiling } from './judge-filing.ts';
import { changeCapMonth, lockCapMonth } from './month-cap.ts';
import type { LockedDelivery } from '../deliveries/delivery.ts';

export type Filing = FilingClaim & {
  /** Null if the request named no valid id of a delivery. */
  readonly deliveryId: DeliveryId | null;
  readonly author: AuditAuthor;
  readonly personPepper: Buffer;
};

export async function fileClaim(
  tx: Tx,
  buyer: FilingBuyer,
  filing: Filing,
  now: Date,
): Promise<Outcome<Claim, FilingRefusal>> {
  const { buyerKey } = buyer;
  const { kind, deliveryId } = filing;
  const delivery = deliveryId === null ? null : await lockDelivery(tx, buyerKey, deliveryId);
  if (delivery === null) return refuse('delivery_not_found');
  const { refusal, month } = await judgeFiling(tx, buyer, { claim: filing, delivery, usedOf: lockCapMonth }, now);
  if (refusal !== null) return refuse(refusal.code, refusal.detail);
  if (kind === 'return') await changeCapMonth(tx, buyerKey, { ...month, step: 1 });
  return done(await write(tx, buyer, { filing, delivery, deliveryMonth: month.month }, now));
}

type Writing = { readonly filing: Filing; readonly delivery: LockedDelivery; readonly deliveryMonth: string };

async function write(
  tx: Tx,
  { buyerKey, returnPolicy, timeZone }: FilingBuyer,
  { filing, delivery, deliveryMonth }: Writing,
  now: Date,
): Promise<Claim> {
  const { kind, reason, statement, evidenceUrl, author, personPepper } = filing;
  const { status: _, offerKey: _offer, deliveredAt: _at, confirmedAt: _taken, ...known } = delivery;
  const claim: Claim = {
    ...known,
    claimId: newUuid(),
    kind,
    buyerKey,
    reason,
    statement,
    evidenceUrl,
    status: 'submitted',
    filedAt: now,
    decisionDueAt: decisionDue(now, returnPolicy, timeZone),
    decidedAt: null,
    decisionNote: null,
    decidedBy: null,
    creditCents: null,
    creditTransferId: null,
    deliveryMonth,
  };
  const evidence = await gatherEvidence(tx, buyerKey, { reasons: [reason], delivery, personPepper });
  const inserted = await tx.query(insertClaim, {
    claimId: claim.claimId,
    kind,
    buyerKey,
    deliveryId: claim.deliveryId,
    supplierKey: claim.supplierKey,
    eventType: claim.eventType,
    reason,
    statement,
    evidenceUrl,
    now,
    decisionDueAt: claim.decisionDueAt,
    deliveryMonth,
    evidence: JSON.stringify(evidence.get(reason) ?? null),
  });
  assert(inserted.length === 1, 'another claim was filed on a locked delivery');
  await appendAudit(tx, [
    {
      at: now,
      buyerKey,
      supplierKey: null,
      action: `${kind}.filed`,
      target: claimIdOf(claim),
      changes: { status: { from: null, to: 'submitted' }, reason: { from: null, to: reason } },
      actor: author.actor,
      ...author.origin,
    },
  ]);
  return claim;
}
