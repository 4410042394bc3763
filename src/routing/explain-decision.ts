// Works a stored decision out: for every offer of the configuration that it was made on, why it got the lead or not (contract 7.2).
import type { Buyer } from '../buyers/buyer.ts';
import { readHistory } from '../marketplace/read-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { factsOf } from './lead-facts.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import type { Offer } from './offer.ts';
import { explain, type ExplainedOffer, type StoredTrace } from './trace.rules.ts';
import type { StoredLead } from '../leads/stored-lead.ts';

/** As it is stored. */
export type DecisionRow = {
  readonly round: number;
  readonly decidedAt: Date;
  readonly configVersion: number;
  readonly outcome: string;
  readonly trace: string;
};

export type ExplainedDecision = {
  readonly round: number;
  readonly decidedAt: string;
  readonly configVersion: number;
  readonly outcome: string;
  /** When a held lead is tried again. */
  readonly retryAt: string | null;
  readonly offers: readonly ExplainedOffer[];
};

type HistoricBuyer = Omit<Buyer, 'endpointDisabledAt'> & { readonly endpointDisabledAt?: Date | null };

/** With the offers as they were then, by key; those whose partner is not known any more are in neither. */
export async function explainDecision(
  tx: Tx,
  row: DecisionRow,
  lead: StoredLead,
): Promise<{ readonly decision: ExplainedDecision; readonly indexed: ReadonlyMap<string, IndexedOffer> }> {
  const trace = JSON.parse(row.trace) as StoredTrace;
  const offers = (await readHistory(tx, 'offer', row.configVersion)) as Map<string, Offer>;
  const buyers = (await readHistory(tx, 'buyer', row.configVersion)) as Map<string, HistoricBuyer>;
  const indexed = [...offers.values()].flatMap((offer) => {
    const buyer = buyers.get(offer.buyerKey);
    // A definition that leaves the member out was written while the endpoint was enabled.
    return buyer === undefined
      ? []
      : [{ offer, buyer: { ...buyer, endpointDisabledAt: buyer.endpointDisabledAt ?? null } }];
  });
  const isKnown = lead.fields !== null && lead.score !== null;
  const { sold: _sold, ...summary } = summaryOf(row);
  const decision = {
    ...summary,
    offers: isKnown
      ? explain(trace, {
          facts: factsOf({ fields: lead.fields, score: lead.score, supplierKey: lead.supplierKey }),
          offers: indexed,
          decidedAt: row.decidedAt,
        })
      : soldAlone(trace, offers),
  };
  return { decision, indexed: new Map(indexed.map((one) => [one.offer.offerKey, one])) };
}

/** Without asking why. */
export function summaryOf({
  round,
  decidedAt,
  configVersion,
  outcome,
  trace,
}: DecisionRow): Omit<ExplainedDecision, 'offers'> & { readonly sold: readonly string[] } {
  const { retryAt, sold } = JSON.parse(trace) as StoredTrace;
  return {
    round,
    decidedAt: decidedAt.toISOString(),
    configVersion,
    outcome,
    retryAt: retryAt === undefined ? null : new Date(retryAt).toISOString(),
    sold: sold.map(({ offer }) => offer),
  };
}

/** Of an erased lead: why others did not get it followed from its fields. */
function soldAlone({ sold }: StoredTrace, offers: ReadonlyMap<string, Offer>): ExplainedOffer[] {
  return sold.map(({ offer: offerKey }) => ({
    offerKey,
    partnerKey: offers.get(offerKey)?.buyerKey ?? '',
    result: 'sold',
    code: 'sold',
  }));
}
