// The offers of a decision put together by the rule that decided on them, the farthest first.
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

/** Offers come in the order of how far they came; groups keep it. */
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

/** Whose key or name, or whose partner's, holds the text. */
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

/** How many offers were left out at each stage, in the order of the stages; those where none was are left away. */
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
