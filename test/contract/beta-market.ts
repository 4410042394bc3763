// The marketplace of the tests of partners' tools: one partner with all tools and a webhook, one with none, and one other.
import type { Receiver } from '../support/receiver.ts';

const WIDE = '{ perSecond: 100000, burst: 100000 }';
const OPEN = 'rateLimit: { perSecond: 100000, burst: 100000 }, billing: { mode: postpaid, creditLimit: 1000000 }';

/** Summit buys in CA, Harbor in NY, both by webhook; Plain has no beta tool, Quiet no webhook, Frozen no access. */
export function betaMarketYaml(
  { origin }: Pick<Receiver, 'origin'>,
  {
    retrySeconds = '[0, 0, 0]',
    summitUrl = `${origin}/summit?token=hidden-token`,
  }: { retrySeconds?: string; summitUrl?: string } = {},
): string {
  const tools = 'betaTools: [timeline, delivery-logs, test-delivery, audit-log]';
  return `
marketplace: { currency: USD, retrySeconds: ${retrySeconds} }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved, rateLimit: ${WIDE} }
partners:
  - { key: summit, name: Summit Debt Relief, timeZone: America/Los_Angeles, channels: [webhook], ${tools}, ${OPEN},
      settings: { webhookUrl: "${summitUrl}" },
      offers: [{ key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }] }
  - { key: harbor, name: Harbor Financial, timeZone: America/New_York, channels: [webhook], ${tools}, ${OPEN},
      settings: { webhookUrl: "${origin}/harbor" },
      offers: [{ key: harbor-east, name: East, eventType: Lead Sale, payout: 40.50, filters: { states: [NY] } }] }
  - { key: plain, name: Plain, channels: [], ${OPEN} }
  - { key: quiet, name: Quiet, channels: [], ${tools}, ${OPEN},
      offers: [{ key: quiet-north, name: North, eventType: Lead Sale, payout: 10.00, filters: { states: [WA] } }] }
  - { key: slow, name: Slow, channels: [], rateLimit: { perSecond: 0.001, burst: 1 } }
  - { key: frozen, name: Frozen, status: suspended, channels: [], ${tools}, rateLimit: ${WIDE} }
`;
}
