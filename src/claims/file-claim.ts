// Files a return or dispute, or says why not: under the lock on the delivery, and for a return on its month's cap (contract 6).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import type { AuditOrigin } from '../audit/audit-event.ts';
import { newUuid, type Uuid } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { ClaimKind, ClaimStanding } from '../buyers/return-window.rules.ts';
import { type LockedDelivery, lockDelivery } from '../deliveries/lock-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { claimsOfDelivery, insertClaim } from './claim.sql.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { claimMonth, decisionDue, fileableUntil } from './claim-window.rules.ts';
import { type FilingFacts, type FilingRefusal, forbids, refusalAfterCap, refusalBeforeCap } from './filing.rules.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { capOf, changeCapMonth, isCapReached, lockCapMonth } from './month-cap.ts';
import type { ReasonCode } from './reason.rules.ts';

export type Filing = {
  readonly kind: ClaimKind;
  /** Null for what is no id of a delivery. */
  readonly deliveryId: Uuid | null;
  readonly reason: ReasonCode;
  readonly statement: string | null;
  readonly evidenceUrl: string | null;
  readonly origin: AuditOrigin;
};
export type FilingBuyer = Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>;

type Earlier = ClaimStanding & { readonly claimId: Uuid };

export async function fileClaim(
  tx: Tx,
  buyer: FilingBuyer,
  filing: Filing,
  now: Date,
): Promise<Outcome<Claim, FilingRefusal>> {
  const { buyerKey, returnPolicy, timeZone } = buyer;
  const { kind, deliveryId } = filing;
  const delivery = deliveryId === null ? null : await lockDelivery(tx, buyerKey, deliveryId);
  if (delivery === null) return refuse('delivery_not_found');
  const earlier = await tx.query<Earlier>(claimsOfDelivery, [delivery.deliveryId]);
  const until = fileableUntil(kind, delivery.deliveredAt, buyer);
  const facts: FilingFacts = { ...filing, ...delivery, standings: earlier, until, now };
  const early = refusalBeforeCap(facts);
  if (early !== null) return refuse(early, detailOf(early, facts, earlier));

  const month = { ...claimMonth(delivery.deliveredAt, timeZone), eventType: delivery.eventType };
  if (kind === 'return') {
    const cap = capOf(returnPolicy, delivery.eventType);
    const used = await lockCapMonth(tx, buyerKey, month);
    if (await isCapReached(tx, buyerKey, { cap, month, used })) {
      const of = `deliveries of ${month.month.slice(0, 7)}`;
      return refuse('return_cap_reached', `All ${used} returns that the monthly cap allows for ${of} are used.`);
    }
  }
  const late = refusalAfterCap(facts);
  if (late !== null) return refuse(late);
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
  const { kind, reason, statement, evidenceUrl, origin } = filing;
  const { status: _, offerKey: _offer, deliveredAt: _at, ...known } = delivery;
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
  const evidence = await gatherEvidence(tx, buyerKey, { reason, delivery });
  const inserted = await tx.query(insertClaim, [
    claim.claimId,
    kind,
    buyerKey,
    claim.deliveryId,
    claim.supplierKey,
    claim.eventType,
    reason,
    statement,
    evidenceUrl,
    now,
    claim.decisionDueAt,
    deliveryMonth,
    JSON.stringify(evidence),
  ]);
  assert(inserted.length === 1, 'a claim came to a delivery while it was locked');
  await appendAudit(tx, [
    {
      at: now,
      actor: { type: 'buyer', name: buyerKey },
      buyerKey,
      supplierKey: null,
      action: `${kind}.filed`,
      target: claimIdOf(claim),
      changes: { status: { from: null, to: 'submitted' }, reason: { from: null, to: reason } },
      ...origin,
    },
  ]);
  return claim;
}

/** What the partner may want to know besides the code; undefined where that says all. */
function detailOf(code: FilingRefusal, { kind, until }: FilingFacts, earlier: readonly Earlier[]): string | undefined {
  if (code === 'return_window_closed') return `The delivery could be returned until ${until.toISOString()}.`;
  if (code === 'dispute_window_closed') return `The delivery could be disputed until ${until.toISOString()}.`;
  const standing = code === 'claim_exists' ? earlier.find((one) => forbids(kind, one)) : undefined;
  if (standing === undefined) return undefined;
  return `There is a claim on this delivery: ${claimIdOf(standing)} is ${standing.status.replace('_', ' ')}.`;
}
