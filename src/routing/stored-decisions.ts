// Explains stored routing decisions offer by offer, from the configuration that they were made on, and purges old ones (contract 7.2).
import { storedTimeZone } from '../base/time-zone.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readHistory } from '../marketplace/config-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { purgeDecisionsSql, type DecisionRow } from './routing.sql.ts';
import { factsOf } from './lead-facts.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import { offerOfDefinition } from './offer-form.rules.ts';
import type { Offer } from './offer.ts';
import { offerInForce } from './own-limits.rules.ts';
import { explain, type ExplainedOffer, type StoredTrace } from './trace.rules.ts';
import type { StoredLead } from '../leads/stored-lead.ts';

export type ExplainedDecision = {
  readonly round: number;
  readonly decidedAt: string;
  readonly configVersion: number;
  readonly outcome: string;
  /** When a held lead is tried again. */
  readonly retryAt: string | null;
  readonly offers: readonly ExplainedOffer[];
};

type Pauses = Pick<Buyer, 'endpointDisabledAt' | 'fundsPausedAt' | 'ownPause'>;
type HistoricBuyer = Omit<Buyer, keyof Pauses> & Partial<Pauses>;

/** Also returns the offers of that configuration by key. Offers whose partner is missing there are left out of both. */
export async function explainDecision(
  tx: Tx,
  row: DecisionRow,
  lead: StoredLead,
): Promise<{ readonly decision: ExplainedDecision; readonly indexed: ReadonlyMap<string, IndexedOffer> }> {
  const trace = JSON.parse(row.trace) as StoredTrace;
  const definitions = (await readHistory(tx, 'offer', row.configVersion)) as Map<string, Offer>;
  const offers = new Map([...definitions].map(([key, definition]) => [key, offerOfDefinition(definition)]));
  const buyers = (await readHistory(tx, 'buyer', row.configVersion)) as Map<string, HistoricBuyer>;
  const indexed = [...offers.values()].map(offerInForce).flatMap((offer) => {
    const buyer = buyers.get(offer.buyerKey);
    if (buyer === undefined) return [];
    // Older definitions lack these members and were written while neither was so.
    const { endpointDisabledAt = null, fundsPausedAt = null, ownPause = null } = buyer;
    const timeZone = storedTimeZone(buyer.timeZone);
    return [{ offer, buyer: { ...buyer, timeZone, endpointDisabledAt, fundsPausedAt, ownPause } }];
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
      : onlySold(trace, offers),
  };
  return { decision, indexed: new Map(indexed.map((one) => [one.offer.offerKey, one])) };
}

/** The decision without the reasons per offer. */
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

/** For an erased lead: the reasons of the other offers followed from its fields. */
function onlySold({ sold }: StoredTrace, offers: ReadonlyMap<string, Offer>): ExplainedOffer[] {
  return sold.map(({ offer: offerKey }) => ({
    offerKey,
    partnerKey: offers.get(offerKey)?.buyerKey ?? '',
    result: 'sold',
    code: 'sold',
  }));
}

/** Deletes the oldest decisions made before `before`, at most `atOnce`, and returns their number (decision 021). */
export async function purgeDecisions(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeDecisionsSql, { before, atOnce });
  return row?.purged ?? 0;
}
