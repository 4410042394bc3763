// Says which offers a change of the configuration keeps from receiving leads that receive them now, with the reason (contract 7.5).
import type { Buyer } from '../buyers/buyer.ts';
import { counted } from '../reports/counted.ts';
import { configuredStop, offerStopInWords } from '../reports/offer-stops.rules.ts';
import type { Offer } from '../routing/offer.ts';

/** An offer and its partner as they are, and as the change leaves them. */
export type ChangedOffer = {
  readonly before: { readonly offer: Offer; readonly buyer: Buyer };
  readonly after: { readonly offer: Offer; readonly buyer: Buyer };
};

/** More would hide each other. */
const STOPS_MAX = 20;

/** One text for each partner and reason. `soldOf`: how many leads an offer usually sells. */
export function stopNotes(
  offers: readonly ChangedOffer[],
  { currency, soldOf }: { readonly currency: string; readonly soldOf: (offerKey: string) => string },
): string[] {
  const stopped = offers.flatMap(({ before, after }) => {
    if (configuredStop(before.offer, before.buyer) !== null) return [];
    const stop = configuredStop(after.offer, after.buyer);
    return stop === null ? [] : [{ ...after, reason: offerStopInWords(stop, currency) }];
  });
  const groups = [...Map.groupBy(stopped, ({ buyer, reason }) => `${buyer.buyerKey} ${reason}`).values()];
  const stops = groups.flatMap((group): string[] => {
    const [first] = group;
    if (first === undefined) return [];
    const named = group.map(({ offer: { offerKey } }) => `${offerKey} (${soldOf(offerKey)})`).join(', ');
    const name = first.buyer.name === '' ? first.buyer.buyerKey : first.buyer.name;
    const verb = group.length === 1 ? 'stops' : 'stop';
    return [`${name}: ${counted(group.length, 'offer')} ${verb} receiving leads: ${named}. ${first.reason}.`];
  });
  const all = [...stops, ...silentSales(offers)];
  const more = all.length - STOPS_MAX;
  return more <= 0 ? all : [...all.slice(0, STOPS_MAX), `${counted(more, 'more stop')} of this kind.`];
}

/** Without a channel leads are sold and sent nowhere: the partner has to read them from the API. */
function silentSales(offers: readonly ChangedOffer[]): string[] {
  const buyers = new Map(offers.map(({ before, after }) => [before.buyer, after.buyer]));
  return [...buyers].flatMap(([before, { channels, name, buyerKey }]) =>
    before.channels.length > 0 && channels.length === 0
      ? [
          `${name === '' ? buyerKey : name}: no channel is left. Its leads are sold and charged, but sent nowhere; it must read them from the API.`,
        ]
      : [],
  );
}
