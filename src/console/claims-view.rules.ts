// Builds the console's view of a claim: the queue item, and the review with evidence, history and effect (contract 6.10, 7.7).
import { isWindowOver } from '../base/business-days.rules.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import { isMembers } from '../base/json.ts';
import { wireAmount } from '../base/money.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Claim } from '../claims/claim.ts';
import { claimTimeline } from '../claims/claim-timeline.rules.ts';
import { claimIdOf } from '../claims/claim-view.rules.ts';
import type { ClaimedLeadFields, ClaimEvidence, ClaimReview, QueuedClaim } from './claims.schema.ts';
import { needsProof, reasonsOf } from '../claims/reason.rules.ts';
import type { Review } from '../claims/read-review.ts';

export type Messages = { readonly partnerMessage: 'webhook' | 'feed'; readonly supplierMessage: boolean };

function isOpen({ status }: Pick<Claim, 'status'>): boolean {
  return status === 'submitted' || status === 'under_review';
}

type Names = { readonly partnerName: string; readonly vertical: string | null };

export function queueItem(claim: Claim, { partnerName, vertical }: Names, now: Date): QueuedClaim {
  return {
    id: claimIdOf(claim),
    kind: claim.kind,
    status: claim.status,
    partner: claim.buyerKey,
    partnerName,
    deliveryRef: deliveryRef(claim.eventType, claim.refNumber),
    reason: claim.reason,
    reasonMeaning: reasonsOf[claim.eventType].find(({ code }) => code === claim.reason)?.meaning ?? claim.reason,
    payout: wireAmount(claim.payoutCents),
    filedAt: claim.filedAt.toISOString(),
    decisionDueAt: claim.decisionDueAt.toISOString(),
    isLate: isOpen(claim) && claim.decisionDueAt.getTime() < now.getTime(),
    decidedAt: claim.decidedAt?.toISOString() ?? null,
    decidedBy: claim.decidedBy,
    credit: claim.creditCents === null ? null : wireAmount(claim.creditCents),
    vertical,
  };
}

export type ReviewOptions = {
  readonly currency: string;
  /** The name of the lead's vertical. */
  readonly vertical: string | null;
  readonly historyDays: number;
  readonly countedMax: number;
};

export function reviewView(
  review: Review,
  { currency, vertical, historyDays, countedMax }: ReviewOptions,
  now: Date,
): ClaimReview {
  const { claim, buyer, delivery, queue, cap } = review;
  return {
    ...queueItem(claim, { partnerName: buyer.name, vertical }, now),
    currency,
    timeZone: buyer.timeZone,
    proofRequired: needsProof(claim.reason),
    statement: claim.statement,
    evidenceUrl: claim.evidenceUrl,
    filedUntil: review.filedUntil.toISOString(),
    decision: decisionOf(claim),
    creditEntryId: claim.creditTransferId === null ? null : typeId('transfer', claim.creditTransferId),
    delivery: {
      deliveryId: typeId('delivery', claim.deliveryId),
      deliveryRef: deliveryRef(claim.eventType, claim.refNumber),
      eventType: claim.eventType,
      offer: delivery.offer,
      offerName: review.offerName,
      status: delivery.status,
      payout: wireAmount(claim.payoutCents),
      channel: delivery.channel,
      deliveredAt: delivery.deliveredAt,
      confirmedAt: delivery.confirmedAt,
      appointmentAt: delivery.appointmentAt ?? null,
      attempts: attemptsBefore(review),
      others: review.otherDeliveries,
    },
    lead: leadView(review),
    evidence: evidenceView(review),
    otherClaims: review.otherClaims.map((other) => ({
      id: claimIdOf(other),
      kind: other.kind,
      status: other.status,
      reason: other.reason,
      filedAt: other.filedAt.toISOString(),
      statement: other.statement,
      decision: decisionOf(other),
    })),
    cap: cap === null ? null : { ...cap, remaining: Math.max(0, cap.limit - cap.used) },
    history: historyView(review, historyDays),
    timeline: claimTimeline(review.events, 'operator'),
    effect: isOpen(claim) ? effectOf(review, now) : null,
    queue: { ...queue, open: Math.min(queue.open, countedMax), hasMore: queue.open > countedMax },
  };
}

/** The latest attempts, which decided the outcome. */
const ATTEMPTS_SHOWN = 10;

/** Attempts after the filing are notices about the claim, or replays. */
function attemptsBefore({ attempts, claim }: Review): ClaimReview['delivery']['attempts'] {
  const filedAt = claim.filedAt.toISOString();
  return attempts.filter(({ at }) => at <= filedAt).slice(-ATTEMPTS_SHOWN);
}

function decisionOf({ decidedAt, decidedBy, decisionNote }: Claim): ClaimReview['decision'] {
  if (decidedAt === null || decidedBy === null || decisionNote === null) return null;
  return { at: decidedAt.toISOString(), by: decidedBy, note: decisionNote };
}

function leadView({ lead, supplierName }: Review): ClaimReview['lead'] {
  return {
    leadId: typeId('lead', lead.leadId),
    externalId: lead.externalId,
    supplier: lead.supplierKey,
    supplierName,
    receivedAt: lead.receivedAt.toISOString(),
    score: lead.score,
    scoreNotes: notesOf(lead.scoreFactors),
    erasedAt: lead.erasedAt?.toISOString() ?? null,
    fields: lead.fields === null ? null : fieldsView(lead.fields),
  };
}

function fieldsView(fields: LeadFields): ClaimedLeadFields {
  const { fullName, email, phone, businessName, state, source, tcpaConsent, extra, debtAmountCents } = fields;
  const { consentTimestamp, consentVersion, leadIp, sourceFormUrl, appointmentAt } = fields;
  const { trustedformCertUrl, jornayaLeadId } = fields;
  return {
    ...{ fullName, email, phone, businessName, state },
    debtAmount: debtAmountCents === null ? null : wireAmount(debtAmountCents),
    ...{ source, tcpaConsent, consentTimestamp, consentVersion, leadIp, sourceFormUrl, trustedformCertUrl },
    ...{ jornayaLeadId, appointmentAt, extra },
    own: Object.entries(fields.own ?? {}).map(([name, { label = name, type, value, hidden, personal }]) => ({
      ...{ name, label, type, value },
      hidden: hidden === true,
      personal: personal === true,
    })),
  };
}

/** Reads the stored score factors leniently: an older release may have written another shape. */
function notesOf(scoreFactors: unknown): string[] {
  if (!isMembers(scoreFactors)) return [];
  return Object.values(scoreFactors).flatMap((factor) => {
    const notes = isMembers(factor) ? factor['notes'] : null;
    return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [];
  });
}

function evidenceView({ evidence, named }: Review): ClaimEvidence | null {
  if (evidence === null) return null;
  if (evidence.about === 'filters') return { ...evidence, checks: evidence.checks.map((check) => ({ ...check })) };
  return {
    about: 'duplicate',
    dedupDays: evidence.dedupDays,
    deliveries: evidence.deliveries.map(({ deliveryId, deliveredAt, status }) => {
      const uuid = uuidOf('delivery', deliveryId);
      const known = uuid === null ? undefined : named.get(uuid);
      return {
        deliveryId,
        deliveryRef: known === undefined ? null : deliveryRef(known.eventType, known.refNumber),
        leadId: known === undefined ? null : typeId('lead', known.leadId),
        deliveredAt,
        // The current status: the delivery may have been returned since the claim was filed.
        status: known?.status ?? status,
        sameEmail: known?.same?.email ?? null,
        samePhone: known?.same?.phone ?? null,
      };
    }),
  };
}

function historyView({ history: { deliveries, totals } }: Review, days: number): ClaimReview['history'] {
  const claims = (...statuses: readonly string[]): number =>
    totals.filter(({ status }) => statuses.includes(status)).reduce((sum, row) => sum + row.claims, 0);
  return {
    days,
    deliveries,
    approved: claims('approved'),
    denied: claims('denied'),
    withdrawn: claims('withdrawn'),
    open: claims('submitted', 'under_review'),
    credited: wireAmount(totals.reduce((sum, { creditCents }) => sum + creditCents, 0)),
  };
}

export function messagesOf({ buyer, supplierIsNotified }: Pick<Review, 'buyer' | 'supplierIsNotified'>): Messages {
  return {
    partnerMessage: buyer.channels.includes('webhook') ? 'webhook' : 'feed',
    supplierMessage: supplierIsNotified,
  };
}

function effectOf(review: Review, now: Date): NonNullable<ClaimReview['effect']> {
  const { claim, balanceCents, otherClaims, disputableUntil: until } = review;
  // A denied return can be appealed once, by a dispute.
  const mayAppeal =
    claim.kind === 'return' &&
    !isWindowOver(until, now) &&
    otherClaims.every(({ kind, status }) => kind !== 'dispute' || status === 'withdrawn');
  return {
    credit: wireAmount(claim.payoutCents),
    balance: wireAmount(balanceCents),
    balanceAfter: wireAmount(balanceCents + claim.payoutCents),
    ...messagesOf(review),
    appealUntil: mayAppeal ? until.toISOString() : null,
  };
}
