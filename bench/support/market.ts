// The marketplace that is measured: one supplier without a limit, and partners who buy everything, each as likely as the next.

const PARTNERS = 10;
const UNLIMITED = 1_000_000;

/** `webhookOrigin`: where partners take webhooks; without one they only read the API, and a delivery is confirmed at once. */
export function marketYaml(webhookOrigin: string | null): string {
  const partners = Array.from({ length: PARTNERS }, (_, index) => partnerYaml(`buyer-${index}`, webhookOrigin));
  return [
    'marketplace: { strategy: weighted }',
    'suppliers:',
    `  - { key: bench, name: Bench, status: approved, rateLimit: { perSecond: ${UNLIMITED}, burst: ${UNLIMITED} } }`,
    'partners:',
    ...partners,
  ].join('\n');
}

function partnerYaml(key: string, webhookOrigin: string | null): string {
  const settings = webhookOrigin === null ? '{}' : `{ webhookUrl: "${webhookOrigin}/${key}" }`;
  return [
    `  - key: ${key}`,
    `    name: Buyer ${key}`,
    '    timeZone: America/Los_Angeles',
    `    channels: [${webhookOrigin === null ? '' : 'webhook'}]`,
    `    settings: ${settings}`,
    '    offers:',
    `      - key: ${key}-all`,
    '        name: Everything',
    '        eventType: Lead Sale',
    '        payout: 45.00',
    '        sale: exclusive',
    '        filters: { states: [CA, OR, WA], debtAmount: { min: 10000, max: 90000 } }',
    `        caps: { daily: ${UNLIMITED}, monthly: ${UNLIMITED} }`,
  ].join('\n');
}
