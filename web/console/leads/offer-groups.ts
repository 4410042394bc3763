// Groups the offers of a routing decision by the rule that decided them, and counts them by stage.
import type { Stage, TriedOffer } from '../../../src/console/leads.schema.ts';

export const STAGES: ReadonlyArray<readonly [stage: Stage, label: string]> = [
  ['standing', 'Active'],
  ['filters', 'Filters'],
  ['schedule', 'Hours'],
  ['caps', 'Caps'],
  ['funds', 'Funds'],
  ['duplicates', 'Duplicates'],
  ['choice', 'Choice'],
];

export type OfferGroup = {
  readonly code: string;
  readonly rule: string;
  readonly stage: Stage;
  readonly won: boolean;
  readonly offers: readonly TriedOffer[];
};

/** Offers are sorted by the stages that they passed; groups keep that order. */
export function groupOffers(offers: readonly TriedOffer[]): OfferGroup[] {
  const groups = new Map<string, TriedOffer[]>();
  for (const offer of offers) {
    const group = groups.get(offer.code);
    if (group === undefined) groups.set(offer.code, [offer]);
    else group.push(offer);
  }
  return [...groups].flatMap(([code, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    return [{ code, rule: first.rule, stage: first.stage, won: first.won, offers: members }];
  });
}

/** Offers whose key or name, or their partner's, contains the text. */
export function matchOffers(
  offers: readonly TriedOffer[],
  { text, stage }: { readonly text: string; readonly stage: string },
): TriedOffer[] {
  const wanted = text.trim().toLowerCase();
  return offers.filter(
    (offer) =>
      (stage === '' || offer.stage === stage) &&
      (wanted === '' ||
        [offer.offer, offer.offerName, offer.partner, offer.partnerName].some((name) =>
          name.toLowerCase().includes(wanted),
        )),
  );
}

/** The number of offers dropped at each stage, in order, without stages that dropped none. */
export function countByStage(
  offers: readonly TriedOffer[],
): ReadonlyArray<{ readonly stage: Stage; readonly label: string; readonly left: number; readonly came: number }> {
  let came = offers.length;
  return STAGES.flatMap(([stage, label]) => {
    const left = offers.filter((offer) => offer.stage === stage).length;
    const here = { stage, label, left, came };
    came -= left;
    return left === 0 ? [] : [here];
  });
}
