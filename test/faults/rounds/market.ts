// The marketplace of the fault test: healthy, slow and failing endpoints, a capped offer for each round, and the buyer of each lead.
import { leadBody } from '../../support/leads.ts';

export const SUPPLIERS = ['acme', 'brightform', 'clearlead'] as const;

/** The capped offer of a round, and the number of leads in its cap. */
export type RoundCap = { readonly round: number; readonly leads: number };

const DOLLARS_PER_ROUND = 100;
const FIRST_DOLLARS = 10_000;
/** The state of each contact, which determines its buyers. Half of the contacts compete for the capped offer. */
const STATES = ['CA', 'NV', 'CA', 'OH', 'CA', 'NV', 'CA', 'IL', 'CA', 'TX'] as const;
const REPEAT_EVERY = 8;

export function marketYaml(origin: string, rounds: number, leadsPerCap: number): string {
  const capped = Array.from({ length: rounds }, (_, round) => {
    const dollars = FIRST_DOLLARS + round * DOLLARS_PER_ROUND;
    return `      - { key: ${cappedOffer(round)}, eventType: Lead Sale, payout: 99.00, caps: { monthly: ${leadsPerCap} }, filters: { states: [CA], debtAmount: { min: ${dollars}, max: ${dollars} } } }`;
  });
  const partner = (key: string, state: string, payout: string): string => `
  - key: ${key}
    channels: [webhook]
    settings: { webhookUrl: "${origin}/${key}" }
    offers: [{ key: ${key}-all, eventType: Lead Sale, payout: ${payout}, filters: { states: [${state}] } }]`;
  return `
marketplace:
  # Short, so that a round ends soon; an endpoint that fails is asked again every two seconds.
  retrySeconds: [0, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8]
  breaker: { failures: 10, probeSeconds: 2 }
suppliers:
${SUPPLIERS.map((key) => `  - { key: ${key}, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }`).join('\n')}
partners:${partner('summit', 'CA', '45.50')}${partner('harbor', 'NV', '40.00')}${partner('slow', 'OH', '30.00')}${partner('shaky', 'IL', '20.00')}
  - key: lakeside
    channels: [webhook]
    settings: { webhookUrl: "${origin}/lakeside" }
    offers:
${capped.join('\n')}
`;
}

export const cappedOffer = (round: number): string => `lakeside-${round}`;

/** Every eighth lead is an earlier contact under another external id. */
export function leadOf(serial: number, round: number): Record<string, unknown> {
  const person = personOf(serial);
  return leadBody(person, {
    external_id: externalIdOf(serial),
    state: stateOf(person),
    debt_amount: `${FIRST_DOLLARS + round * DOLLARS_PER_ROUND}.00`,
  });
}

export const externalIdOf = (serial: number): string => `lead-${serial}`;
export const personOf = (serial: number): number => (isRepeat(serial) ? serial - (REPEAT_EVERY - 1) : serial);
const isRepeat = (serial: number): boolean => serial % REPEAT_EVERY === REPEAT_EVERY - 1;
const stateOf = (person: number): string => STATES[person % STATES.length] ?? 'CA';

export const supplierOf = (serial: number): (typeof SUPPLIERS)[number] =>
  SUPPLIERS[personOf(serial) % SUPPLIERS.length] ?? SUPPLIERS[0];

/** Goes to an endpoint that responds at once, so that the time until it arrives is the service's own. */
export const isTimed = (serial: number): boolean => !isRepeat(serial) && ['CA', 'NV'].includes(stateOf(serial));

/** May be sold to the capped offer of its round. */
export const competesForCap = (serial: number): boolean => !isRepeat(serial) && stateOf(serial) === 'CA';
