// Reads one lead for the operator's console: submission, score, a decision with every offer in words, deliveries, attempts and ledger
// entries (contract 7.2).
import { uuidOf, type LeadId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { findLeadOfDelivery } from '../deliveries/find-sales.ts';
import { type ConsentRecord, readConsent } from '../leads/consents.ts';
import { readLead, readRawBody } from '../leads/read-lead.ts';
import { type FactorText, describeFactors } from '../leads/score-texts.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { explainDecision, summaryOf } from './stored-decisions.ts';
import { type DecisionRow, selectDecisions } from './routing.sql.ts';
import { offerInWords, type OfferInWords } from './explain-in-words.rules.ts';
import {
  type EventNames,
  leadEvents,
  type LeadEvent,
  type LeadForm,
  leadForm,
  type LeadTrace,
  salesTrail,
} from './trace-lead.ts';

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
  /** As received; null after its retention period or after erasure. */
  readonly rawBody: string | null;
  /** Size of a rejected submission whose body was not stored whole. */
  readonly rawBodyBytes: number | null;
  readonly consent: ConsentRecord | null;
  /** All decisions in order, without reasons; a held lead has more than one. */
  readonly rounds: readonly DecisionSummary[];
  /** The requested decision. Offers are ordered by how far they came, then by payout. */
  readonly decision: (DecisionSummary & { readonly offers: readonly TriedOffer[] }) | null;
  readonly deliveries: LeadTrace['deliveries'];
  readonly attempts: LeadTrace['attempts'];
  /** Whether older attempts were left out. */
  readonly attemptsAreCut: boolean;
  readonly ledger: LeadTrace['ledger'];
  readonly costs: LeadTrace['costs'];
  readonly margin: number;
  readonly events: readonly LeadEvent[];
};

/** A delivery makes nine per channel; more exist only after many resends on request. */
const ATTEMPTS_AT_MOST = 500;

/** Takes the id of a lead or of one of its deliveries; null when there is none. */
export async function leadOfId(tx: Tx, id: string): Promise<LeadId | null> {
  const deliveryId = uuidOf('delivery', id);
  return deliveryId === null ? uuidOf('lead', id) : findLeadOfDelivery(tx, deliveryId);
}

/** `round` selects the decision to explain; null selects the last. Returns null when there is no such lead. */
export async function readLeadStory(tx: Tx, leadId: LeadId, round: number | null): Promise<LeadStory | null> {
  const lead = await readLead(tx, leadId);
  if (lead === null) return null;
  const rows = await tx.query(selectDecisions, { leadId });
  const rounds = rows.map(summaryOf);
  const row = rows.find((one) => one.round === round) ?? rows.at(-1);
  const offers = row === undefined ? [] : await triedOffers(tx, row, lead);
  const { deliveries, attempts, ledger, costs, margin } = await salesTrail(tx, leadId);
  return {
    lead: leadForm(lead),
    factors: describeFactors(lead.scoreFactors),
    ...(await readRawBody(tx, leadId)),
    consent: await readConsent(tx, leadId),
    rounds,
    decision: row === undefined ? null : { ...summaryOf(row), offers },
    deliveries,
    attempts: attempts.slice(-ATTEMPTS_AT_MOST),
    attemptsAreCut: attempts.length > ATTEMPTS_AT_MOST,
    ledger,
    costs,
    margin,
    events: leadEvents(lead, rounds, deliveries, namesOf(offers)),
  };
}

async function triedOffers(
  tx: Tx,
  row: DecisionRow,
  lead: Parameters<typeof explainDecision>[2],
): Promise<TriedOffer[]> {
  const { decision, indexed } = await explainDecision(tx, row, lead);
  const fullName = (offerKey: string): string => {
    const known = indexed.get(offerKey);
    return known === undefined ? offerKey : `${known.buyer.name}: ${known.offer.name}`;
  };
  const tried = decision.offers.map((explained): TriedOffer => {
    const { offerKey, partnerKey, code, result } = explained;
    const known = indexed.get(offerKey);
    return {
      ...offerInWords(withNames(explained, fullName)),
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
  // The sort is stable, so equal offers keep their trial order.
  return tried.toSorted((one, other) => other.rank - one.rank || (other.payout ?? 0) - (one.payout ?? 0));
}

/** The winners that an offer lost to, by name. */
function withNames<Explained extends { readonly want?: unknown }>(
  explained: Explained,
  nameOf: (offerKey: string) => string,
): Explained {
  const { want } = explained;
  if (typeof want !== 'object' || want === null || !('offers' in want) || !Array.isArray(want.offers)) return explained;
  return { ...explained, want: { ...want, offers: want.offers.map((offerKey) => nameOf(String(offerKey))) } };
}

/** Of the offers and partners of one decision. An offer of another decision, or one that is no longer known, keeps its key. */
function namesOf(offers: readonly TriedOffer[]): EventNames {
  const byOffer = new Map(offers.map(({ offer, offerName, partnerName }) => [offer, `${partnerName}: ${offerName}`]));
  const byPartner = new Map(offers.map(({ partner, partnerName }) => [partner, partnerName]));
  return { offer: (key) => byOffer.get(key) ?? key, partner: (key) => byPartner.get(key) ?? key };
}
