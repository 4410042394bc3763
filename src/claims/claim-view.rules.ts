// The wire form of a claim for its partner, in responses and webhook bodies alike, and its form for the operator (contract 6.8, 6.9).
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import type { Claim } from './claim.ts';
import type { DisputeView, ReturnView } from './claim.schema.ts';
import type { Evidence } from './gather-evidence.ts';

/** `ret_…` or `dsp_…`. */
export function claimIdOf({ kind, claimId }: Pick<Claim, 'kind' | 'claimId'>): string {
  return typeId(kind, claimId);
}

/** For the partner: without our evidence, the name of the reviewer and the supplier. */
export function claimView(claim: Claim): ReturnView | DisputeView {
  return claim.kind === 'return' ? returnView(claim) : disputeView(claim);
}

function returnView(claim: Claim): ReturnView {
  return {
    returnId: claimIdOf(claim),
    ...claimedDelivery(claim),
    reason: claim.reason,
    proof: claim.statement,
    ...claimState(claim),
  };
}

function disputeView(claim: Claim): DisputeView {
  return {
    disputeId: claimIdOf(claim),
    ...claimedDelivery(claim),
    reason: claim.reason,
    // A dispute cannot be filed without a detail.
    detail: claim.statement ?? '',
    evidenceUrl: claim.evidenceUrl,
    ...claimState(claim),
  };
}

/** For the operator. */
export function claimForm(claim: Claim): Record<string, unknown> {
  return {
    id: claimIdOf(claim),
    kind: claim.kind,
    partner: claim.buyerKey,
    ...claimedDelivery(claim),
    leadId: typeId('lead', claim.leadId),
    supplier: claim.supplierKey,
    eventType: claim.eventType,
    payout: wireAmount(claim.payoutCents),
    reason: claim.reason,
    ...(claim.kind === 'return'
      ? { proof: claim.statement }
      : { detail: claim.statement, evidenceUrl: claim.evidenceUrl }),
    ...claimState(claim),
    decidedBy: claim.decidedBy,
  };
}

/** Our evidence on a claim as lines of text. */
export function evidenceLines(evidence: Evidence | null): string[] {
  if (evidence === null) return ['There is no evidence in our data for this reason.'];
  if (evidence.about === 'duplicate') {
    const { dedupDays, deliveries } = evidence;
    if (deliveries.length === 0) return [`No other delivery of this contact to the partner within ${dedupDays} days.`];
    return [
      `Other deliveries of this contact to the partner within ${dedupDays} days:`,
      ...deliveries.map(({ deliveryId, deliveredAt, status }) => `  ${deliveredAt}  ${deliveryId}  ${status}`),
    ];
  }
  const { offer, known, checks } = evidence;
  if (!known) return [`The filters of the offer ${offer} at the time of the sale are not known.`];
  if (checks.length === 0) return [`The offer ${offer} had no such filter when the lead was sold.`];
  return [
    `The offer ${offer} as it was when the lead was sold:`,
    ...checks.map(({ filter, wanted, found, holds }) => {
      const values = `wanted ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`;
      return `  ${holds ? 'holds' : 'FAILS'}  ${filter}: ${values}`;
    }),
  ];
}

export function claimedDelivery({ deliveryId, eventType, refNumber }: Claim): {
  deliveryId: string;
  deliveryRef: string;
} {
  return { deliveryId: typeId('delivery', deliveryId), deliveryRef: deliveryRef(eventType, refNumber) };
}

/** What became of a claim, as every view of it says. */
export function claimState(claim: Claim) {
  const { creditCents, creditTransferId } = claim;
  return {
    status: claim.status,
    filedAt: claim.filedAt.toISOString(),
    decisionDueAt: claim.decisionDueAt.toISOString(),
    decidedAt: claim.decidedAt?.toISOString() ?? null,
    decisionNote: claim.decisionNote,
    credit:
      creditCents === null || creditTransferId === null
        ? null
        : { amount: wireAmount(creditCents), entryId: typeId('transfer', creditTransferId) },
  };
}
