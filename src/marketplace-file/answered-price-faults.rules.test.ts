import { describe, expect, it } from 'vitest';

import { defaultSettings } from '../marketplace/settings.ts';
import { findDifference } from './difference.rules.ts';
import { parseFile } from './parse-file.ts';

const NOTHING = {
  settings: defaultSettings,
  ...{ verticals: new Map(), suppliers: new Map(), buyers: new Map(), fileSettings: new Map(), offers: new Map() },
};
const PRICED =
  'webhook: { format: custom, response: { rules: [{ when: {}, outcome: accepted, price: { json: price } }] } }';

/** The errors of a partner with an offer whose price is answered, as `line:column path: message`. */
function errorsOf(partner: string, offer = 'price: answered, priceMin: 10'): string[] {
  const text = `partners:
  - key: summit
    ${partner}
    offers:
      - { key: west, eventType: Lead Sale, payout: 45, ${offer} }
`;
  const parsed = parseFile(text, { allowTargets: [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { faults } = findDifference(NOTHING, parsed.file, { prune: false });
  return faults.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
}

describe('An offer whose price is answered', () => {
  it.each([
    ['channels: [webhook]', 'a custom format of the partner’s webhook: responses in the standard format name no price'],
    [
      'channels: [webhook]\n    webhook: { format: standard }',
      'a custom format of the partner’s webhook: responses in the standard format name no price',
    ],
    [
      'channels: [webhook]\n    webhook: { format: custom, response: { rules: [{ when: {}, outcome: accepted }] } }',
      'a rule in the format of the partner’s webhook that accepts and takes the price from the response',
    ],
    [
      `channels: [email, webhook]\n    ${PRICED}`,
      '"webhook" as the first channel of the partner: no other channel names prices',
    ],
    [PRICED, '"webhook" as the first channel of the partner: no other channel names prices'],
  ])('is an error with %s', (partner, needs) => {
    const line = 5 + partner.split('\n').length - 1;
    expect(errorsOf(partner)).toEqual([`${line}:63 partners[0].offers[0].price: "answered" needs ${needs}`]);
  });

  it('is none where a rule takes the price from the response', () => {
    expect(errorsOf(`channels: [webhook, email]\n    ${PRICED}`)).toEqual([]);
  });

  it('does not matter while the offer is closed, nor where the price is fixed', () => {
    expect(errorsOf('channels: [webhook]', 'price: answered, priceMin: 10, status: closed')).toEqual([]);
    expect(errorsOf('channels: [webhook]', 'price: fixed')).toEqual([]);
  });
});
