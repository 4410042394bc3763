// The marketplace of the cluster test: four partners whose endpoints respond at once, and a capped offer for each round.
import { cappedOffer, SUPPLIERS } from '../faults/rounds/market.ts';

/** The leads are those of the fault test. `origin`: of the endpoints; `cap`: leads per round and capped offer. */
export function clusterYaml(
  origin: string,
  { rounds, cap }: { readonly rounds: number; readonly cap: number },
): string {
  const capped = Array.from({ length: rounds }, (_, round) => {
    const dollars = 10_000 + round * 100;
    return `      - { key: ${cappedOffer(round)}, eventType: Lead Sale, payout: 99.00, caps: { monthly: ${cap} }, filters: { states: [CA], debtAmount: { min: ${dollars}, max: ${dollars} } } }`;
  });
  const partner = (key: string, state: string): string => `
  - key: ${key}
    channels: [webhook]
    settings: { webhookUrl: "${origin}/${key}" }
    offers: [{ key: ${key}-all, eventType: Lead Sale, payout: 40.00, filters: { states: [${state}] } }]`;
  return `
marketplace:
  retrySeconds: [0, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8]
  breaker: { failures: 10, probeSeconds: 2 }
suppliers:
${SUPPLIERS.map((key) => `  - { key: ${key}, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }`).join('\n')}
partners:${partner('summit', 'CA')}${partner('harbor', 'NV')}${partner('river', 'OH')}${partner('prairie', 'IL')}
  - key: lakeside
    channels: [webhook]
    settings: { webhookUrl: "${origin}/lakeside" }
    offers:
${capped.join('\n')}
`;
}
