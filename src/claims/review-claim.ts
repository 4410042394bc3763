// Reviews a claim: takes, approves or denies it. The only operation that posts a credit (contract 6.10).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import type { ClaimId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { clawBack } from '../deliveries/claw-back.ts';
import { appendBuyerEvents } from '../deliveries/feed/buyer-events.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import { returnDelivery } from '../deliveries/return-delivery.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { readLead } from '../leads/read-lead.ts';
import { queueMessages } from '../messages/message-queue.ts';
import type { NewNotice } from '../notices/notice.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { queueCallbacks } from '../suppliers/queue-callbacks.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Claim } from './claim.ts';
import { moveClaim } from './claim.sql.ts';
import { afterReview, countsToCap, type ReviewRefusal, type ReviewStep } from './claim-steps.rules.ts';
import { claimIdOf, claimView } from './claim-view.rules.ts';
import { lockClaim } from './stored-claims.ts';
import { changeCapMonth } from './month-cap.ts';

export type ReviewInput = {
  readonly claimId: ClaimId;
  readonly step: ReviewStep;
  /** The reason, shown to the partner; without one a standard sentence is used. */
  readonly note: string | null;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

const ACTION = { take: 'under_review', approve: 'approved', deny: 'denied' } as const satisfies Record<
  ReviewStep,
  string
>;

/**
 * Returns the claim after the step. A decision and all its effects share one transaction. Locks in the order delivery, claim, month,
 * accounts of the buyer, accounts of the supplier, feed. A claim is decided once: every later decision is refused.
 */
export async function reviewClaim(
  tx: Tx,
  { claimId, step, note, actor, origin = noOrigin }: ReviewInput,
  now: Date,
): Promise<Outcome<Claim, 'claim_not_found' | ReviewRefusal>> {
  const before = await lockClaim(tx, null, claimId);
  if (before === null) return refuse('claim_not_found');
  const next = afterReview(before.status, step);
  if (!next.ok) return refuse(next.code, refusalDetail(before));
  const decision =
    step === 'take' ? {} : { decidedAt: now, decidedBy: actor.name, decisionNote: noteOf(step, before, note) };
  const decided: Claim = { ...before, status: next.status, ...decision };
  if (before.kind === 'return' && !countsToCap(next.status)) {
    const { buyerKey, eventType, deliveryMonth: month } = before;
    await changeCapMonth(tx, buyerKey, { eventType, month, step: -1 });
  }
  const after: Claim = step === 'approve' ? { ...decided, ...(await creditDelivery(tx, decided, now)) } : decided;
  await tx.query(moveClaim, {
    claimId,
    status: after.status,
    decidedAt: after.decidedAt,
    decisionNote: after.decisionNote,
    decidedBy: after.decidedBy,
    creditCents: after.creditCents,
    creditTransferId: after.creditTransferId,
  });
  await recordReview(tx, { before, after, action: ACTION[step], actor, origin }, now);
  if (step !== 'take') await notifyParties(tx, after, now);
  return done(after);
}

function refusalDetail({ kind, status, decidedBy }: Claim): string {
  return `The ${kind} is ${status.replace('_', ' ')} already${decidedBy === null ? '' : `, by ${decidedBy}`}.`;
}

function noteOf(step: 'approve' | 'deny', { kind }: Claim, note: string | null): string {
  return note ?? `The ${kind} was reviewed and ${ACTION[step]}.`;
}

/**
 * Returns the delivery, credits its price and takes back its cost. The business keys contain the claim's id, so both are posted at most once.
 */
async function creditDelivery(
  tx: Tx,
  claim: Claim,
  now: Date,
): Promise<Pick<Claim, 'creditCents' | 'creditTransferId'>> {
  const { kind, claimId, buyerKey, deliveryId, eventType, refNumber, payoutCents } = claim;
  const isReturned = await returnDelivery(tx, buyerKey, deliveryId, now);
  assert(isReturned, 'the delivery of an open claim is not Confirmed');
  const businessKey = `${kind}:${claimIdOf(claim)}`;
  const what = kind === 'return' ? 'Return' : 'Dispute';
  const credit = {
    businessKey,
    type: 'credit',
    buyerKey,
    amountCents: payoutCents,
    description: `${what} of ${eventType} ${deliveryRef(eventType, refNumber)}`,
    deliveryId,
    ...(kind === 'return' ? { returnId: claimId } : { disputeId: claimId }),
  } as const;
  // A free lead was not charged, so nothing is credited.
  const posted = (await postTransfers(tx, [credit], now)).get(businessKey);
  await clawBack(
    tx,
    { kind, claimId, deliveryId, priceCents: payoutCents, creditCents: posted?.amountCents ?? 0 },
    now,
  );
  return { creditCents: posted?.amountCents ?? null, creditTransferId: posted?.transferId ?? null };
}

type ReviewRecord = {
  readonly before: Claim;
  readonly after: Claim;
  readonly action: string;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

async function recordReview(tx: Tx, { before, after, action, actor, origin }: ReviewRecord, now: Date): Promise<void> {
  const { kind, buyerKey, creditCents } = after;
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey,
      supplierKey: null,
      action: `${kind}.${action}`,
      target: claimIdOf(after),
      // Without the note: it may contain contact data, and audit events cannot be erased.
      changes: {
        status: { from: before.status, to: after.status },
        ...(creditCents === null ? {} : { credit: { from: null, to: wireAmount(creditCents) } }),
      },
      ...origin,
    },
  ]);
}

/** Notifies the partner of any decision by webhook, if it has that channel, and in its feed, and the supplier of an approval. */
async function notifyParties(tx: Tx, claim: Claim, now: Date): Promise<void> {
  const { claimId, kind, buyerKey, deliveryId } = claim;
  if (claim.status === 'approved') await notifySupplier(tx, claim, now);
  const type = `${kind}.reviewed` as const;
  const buyer = (await readBuyers(tx)).get(buyerKey);
  if (buyer?.channels.includes('webhook') === true) {
    // A claim is decided once, so its id can serve as the message's id, and feed and webhook share one event id.
    const message = { messageId: claimId, ownerKey: buyerKey, type, data: claimView(claim), deliveryId };
    await queueMessages(tx, [{ ownerKind: 'buyer', channel: 'webhook', ...message }], now);
  }
  await raiseNotices(tx, [decisionNotice(claim)], now);
  appendBuyerEvents(tx, [{ buyerKey, type, subjectId: claimId }], now);
}

/** Without the note: it may contain contact data, and notices are not erased. */
function decisionNotice(claim: Claim): NewNotice {
  const { kind, buyerKey, eventType, refNumber, status, creditCents } = claim;
  return {
    kind: 'claim.decided',
    recipient: { partner: buyerKey },
    occurrence: `claim.decided:${claimIdOf(claim)}`,
    data: {
      claimId: claimIdOf(claim),
      claim: kind,
      deliveryRef: deliveryRef(eventType, refNumber),
      decision: status === 'approved' ? 'approved' : 'denied',
      credit: creditCents === null ? null : wireAmount(creditCents),
    },
  };
}

async function notifySupplier(tx: Tx, { leadId, supplierKey, reason }: Claim, now: Date): Promise<void> {
  const lead = await readLead(tx, leadId);
  if (lead === null) return;
  const { externalId, publicStatus: status } = lead;
  const news = [{ supplierKey, type: 'lead.returned', leadId, externalId, status, reason }] as const;
  await queueCallbacks(tx, { notices: news, suppliers: await readSuppliers(tx) }, now);
}
