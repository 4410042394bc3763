// One lead as the operator's console draws it: what came in, its score, a decision with every offer in words, deliveries, attempts and
// money (contract 7.2).
import { type LeadId, uuidOf } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { findLeadOfDelivery } from '../deliveries/find-sales.ts';
import { type ConsentRecord, readConsent } from '../leads/consents.ts';
import { readLead, readRawBody } from '../leads/read-lead.ts';
import { type FactorText, describeFactors } from '../leads/score-texts.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { type DecisionRow, explainDecision, summaryOf } from './explain-decision.ts';
import { offerInWords, type OfferInWords } from './explain-in-words.rules.ts';
import { leadEvents, type LeadEvent } from './lead-events.rules.ts';
import { selectDecisions } from './routing.sql.ts';
import { type LeadForm, leadForm, type LeadTrace, salesTrail } from './trace-lead.ts';

export type TriedOffer = OfferInWords & {
  readonly offer: string;
  readonly offerName: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly payout: number | null;
  readonly priority: number | null;
  readonly isShared: boolean;
  readonly code: string;
  readonly won: boolean;
};

export type DecisionSummary = Omit<ReturnType<typeof summaryOf>, 'sold'> & { readonly sold: readonly string[] };

export type LeadStory = {
  readonly lead: LeadForm;
  readonly factors: readonly FactorText[];
  /** As received; null where its time is over or the person was erased. */
  readonly rawBody: string | null;
  /** Of a refused submission whose body is not kept whole: how many bytes it had. */
  readonly rawBodyBytes: number | null;
  readonly consent: ConsentRecord | null;
  /** A held lead is decided on more than once: all of them in short, in their order. */
  readonly rounds: readonly DecisionSummary[];
  /** The one asked for. The offers in the order of how far they came, then of what they pay. */
  readonly decision: (DecisionSummary & { readonly offers: readonly TriedOffer[] }) | null;
  readonly deliveries: LeadTrace['deliveries'];
  readonly attempts: LeadTrace['attempts'];
  /** There were more attempts; these are the last. */
  readonly attemptsAreCut: boolean;
  readonly ledger: LeadTrace['ledger'];
  readonly events: readonly LeadEvent[];
};

/** Nine per channel are made; only what was sent again and again on request has more. */
const ATTEMPTS_AT_MOST = 500;

/** By a lead's id or that of one of its deliveries; null where there is none. */
export async function leadOfId(tx: Tx, id: string): Promise<LeadId | null> {
  const deliveryId = uuidOf('delivery', id);
  return deliveryId === null ? uuidOf('lead', id) : findLeadOfDelivery(tx, deliveryId);
}

/** `round`: which decision to work out; null for the last. Null when there is no such lead. */
export async function readLeadStory(tx: Tx, leadId: LeadId, round: number | null): Promise<LeadStory | null> {
  const lead = await readLead(tx, leadId);
  if (lead === null) return null;
  const rows = await tx.query(selectDecisions, { leadId });
  const rounds = rows.map(summaryOf);
  const row = rows.find((one) => one.round === round) ?? rows.at(-1);
  const { deliveries, attempts, ledger } = await salesTrail(tx, leadId);
  return {
    lead: leadForm(lead),
    factors: describeFactors(lead.scoreFactors),
    ...(await readRawBody(tx, leadId)),
    consent: await readConsent(tx, leadId),
    rounds,
    decision: row === undefined ? null : { ...summaryOf(row), offers: await triedOffers(tx, row, lead) },
    deliveries,
    attempts: attempts.slice(-ATTEMPTS_AT_MOST),
    attemptsAreCut: attempts.length > ATTEMPTS_AT_MOST,
    ledger,
    events: leadEvents(lead, rounds, deliveries),
  };
}

async function triedOffers(
  tx: Tx,
  row: DecisionRow,
  lead: Parameters<typeof explainDecision>[2],
): Promise<TriedOffer[]> {
  const { decision, indexed } = await explainDecision(tx, row, lead);
  const tried = decision.offers.map((explained): TriedOffer => {
    const { offerKey, partnerKey, code, result } = explained;
    const known = indexed.get(offerKey);
    return {
      ...offerInWords(explained),
      offer: offerKey,
      offerName: known?.offer.name ?? offerKey,
      partner: partnerKey,
      partnerName: known?.buyer.name ?? partnerKey,
      payout: known === undefined ? null : wireAmount(known.offer.payoutCents),
      priority: known?.offer.priority ?? null,
      isShared: known?.offer.sale.kind === 'shared',
      code,
      won: result === 'sold',
    };
  });
  // Stable: among equals the order of trial stays.
  return tried.toSorted((one, other) => other.rank - one.rank || (other.payout ?? 0) - (one.payout ?? 0));
}
