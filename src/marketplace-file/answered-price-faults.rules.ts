// Checks that a partner can name the prices that its offers leave to it: in the responses of a webhook in its own format (contract 13.5).
import type { BuyerConfig } from '../buyers/buyer.ts';
import type { Offer } from '../routing/offer.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import { positionIn } from './own-positions.rules.ts';

/** After a change: all partners and offers that it may concern. */
type Changed = {
  readonly buyers: ReadonlyMap<string, Pick<BuyerConfig, 'channels' | 'webhook'>>;
  readonly offers: ReadonlyMap<string, Pick<Offer, 'buyerKey' | 'status' | 'priceMinCents'>>;
};

/**
 * Without a price in the response the partner would pay the highest one. Closed offers take no leads; they are checked when they are opened
 * again. An error of an offer that the file does not state is shown at its partner.
 */
export function answeredPriceFaults(
  { buyers, offers }: Changed,
  file: Pick<MarketplaceFile, 'ownPositions'>,
): FileFault[] {
  return [...offers].flatMap(([key, { buyerKey, status, priceMinCents }]): FileFault[] => {
    const buyer = buyers.get(buyerKey);
    if (priceMinCents === null || status === 'closed' || buyer === undefined) return [];
    const missing = findMissing(buyer);
    if (missing === null) return [];
    const { at, needs } = missing;
    const position = positionIn(file, { kind: 'offer', key }, '/price');
    if (position !== null) return [{ ...position, message: `"answered" needs ${needs}` }];
    const nearest = positionIn(file, { kind: 'partner', key: buyerKey }, at);
    const message = `the offer "${key}" has the price "answered", which needs ${needs}`;
    return [{ ...(nearest ?? { line: 1, column: 1, path: '' }), message }];
  });
}

type Missing = {
  /** A JSON Pointer from the partner. */
  readonly at: '/channels' | '/webhook';
  readonly needs: string;
};

function findMissing({ channels, webhook }: Pick<BuyerConfig, 'channels' | 'webhook'>): Missing | null {
  if (channels[0] !== 'webhook') {
    return { at: '/channels', needs: '"webhook" as the first channel of the partner: no other channel names prices' };
  }
  const at = '/webhook';
  if (webhook === null) {
    return { at, needs: 'a custom format of the partner’s webhook: responses in the standard format name no price' };
  }
  const namesPrice = webhook.response.rules.some(({ outcome, price }) => outcome === 'accepted' && price !== null);
  return namesPrice
    ? null
    : { at, needs: 'a rule in the format of the partner’s webhook that accepts and takes the price from the response' };
}
