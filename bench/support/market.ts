// Creates the marketplaces of the measurements: one supplier without a limit, and partners that buy.
import { regionNames } from '../../src/base/regions.ts';

/** The codes of all states, in a fixed order. */
export const states = Object.keys(regionNames(['US']));

export const PARTNERS = 10;
const UNLIMITED = 1_000_000;
// Another number generates other offers of the same kind.
const SEED = 7;

/**
 * Partners that buy every lead, each with the same probability. `webhookOrigin`: the origin of their webhooks; without one they only
 * read the API, and a delivery is confirmed at once.
 */
export function marketYaml(webhookOrigin: string | null): string {
  const offer = {
    payout: '45.00',
    filters: 'states: [CA, OR, WA], debtAmount: { min: 10000, max: 90000 }',
    timeZone: 'America/Los_Angeles',
  };
  const keys = Array.from({ length: PARTNERS }, (_, index) => `buyer-${index}`);
  return marketOf(
    'weighted',
    keys.map((key) => partnerYaml(key, webhookOrigin, offer)),
  );
}

/** Healthy partners and some whose endpoints can be made to hang, each with its own endpoint and the same probability. */
export function endpointsMarketYaml(
  webhookOrigin: string,
  { healthy, slow }: { healthy: number; slow: number },
): string {
  const offer = { payout: '45.00', filters: '', timeZone: 'America/Los_Angeles' };
  const keys = [
    ...Array.from({ length: healthy }, (_, index) => `buyer-${index}`),
    ...Array.from({ length: slow }, (_, index) => `slow-${index}`),
  ];
  return marketOf(
    'weighted',
    keys.map((key) => partnerYaml(key, webhookOrigin, offer)),
  );
}

/** How the offers of a market sell: each to one buyer, each to 2 to 5 (as many of each number), or every other one so. */
export type Sharing = 'exclusive' | 'shared' | 'mixed';

const SHARED_WITH = [2, 3, 4, 5];

/** This many partners with an offer each, at prices from 20 to 100 and with several kinds of filters; every state has buyers. */
export function spreadMarketYaml(offers: number, sharing: Sharing): string {
  const saleOf = (index: number): string => {
    const isShared = sharing === 'shared' || (sharing === 'mixed' && index % 2 === 0);
    const number = SHARED_WITH[Math.floor(index / 2) % SHARED_WITH.length];
    return isShared ? `{ sharedWith: ${number} }` : 'exclusive';
  };
  const random = seededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  // About a tenth of many offers want a state; few offers must want all states.
  const statesOf = (): readonly string[] =>
    offers <= PARTNERS ? [] : Array.from({ length: 4 + Math.floor(random() * 8) }, () => pick(states));
  const partners = Array.from({ length: offers }, (_, index) => {
    const wanted = [...new Set(statesOf())].map((state) => `"${state}"`);
    const debt = `debtAmount: { min: ${pick([5000, 10_000])}, max: ${pick([80_000, 90_000])} }`;
    return partnerYaml(`buyer-${index}`, null, {
      payout: (20 + Math.floor(random() * 8000) / 100).toFixed(2),
      sale: saleOf(index),
      filters: `states: [${wanted.join(', ')}], ${debt}${random() < 0.3 ? ', minScore: 20' : ''}`,
      timeZone: pick(['America/Los_Angeles', 'America/Denver', 'America/Chicago', 'America/New_York']),
    });
  });
  return marketOf('price', partners);
}

function marketOf(strategy: 'weighted' | 'price', partners: readonly string[]): string {
  return [
    `marketplace: { strategy: ${strategy} }`,
    'suppliers:',
    ...['bench', 'small'].map(
      (key) =>
        `  - { key: ${key}, name: ${key}, status: approved, rateLimit: { perSecond: ${UNLIMITED}, burst: ${UNLIMITED} } }`,
    ),
    'partners:',
    ...partners,
  ].join('\n');
}

type Offer = { readonly payout: string; readonly sale?: string; readonly filters: string; readonly timeZone: string };

/** One partner with one offer, as YAML. */
export function partnerYaml(
  key: string,
  webhookOrigin: string | null,
  { payout, sale = 'exclusive', filters, timeZone }: Offer,
): string {
  const settings = webhookOrigin === null ? '{}' : `{ webhookUrl: "${webhookOrigin}/${key}" }`;
  return [
    `  - key: ${key}`,
    `    name: Buyer ${key}`,
    `    timeZone: ${timeZone}`,
    `    channels: [${webhookOrigin === null ? '' : 'webhook'}]`,
    `    settings: ${settings}`,
    `    rateLimit: { perSecond: ${UNLIMITED}, burst: ${UNLIMITED} }`,
    '    offers:',
    `      - key: ${key}-all`,
    '        name: Everything',
    '        eventType: Lead Sale',
    `        payout: ${payout}`,
    `        sale: ${sale}`,
    `        filters: { ${filters} }`,
    `        caps: { daily: ${UNLIMITED}, monthly: ${UNLIMITED} }`,
  ].join('\n');
}

/** The same numbers each time, from 0 up to 1. */
function seededRandom(): () => number {
  let state = SEED;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
}
