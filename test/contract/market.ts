// The marketplace of the contract tests: suppliers and partners of every status, and a lead that every partner accepts.

export type MarketOptions = {
  /** Per second and at once; large enough never to be reached except in tests of the limit. */
  readonly acmeRate?: string;
  readonly acmeMapping?: string;
  readonly acmeStatus?: string;
  readonly summitRate?: string;
  readonly summitStatus?: string;
};

const WIDE = '{ perSecond: 100000, burst: 100000 }';

export function marketYaml(options: MarketOptions = {}): string {
  const {
    acmeRate = WIDE,
    acmeMapping = '{}',
    acmeStatus = 'approved',
    summitRate = WIDE,
    summitStatus = 'active',
  } = options;
  return `
marketplace: { currency: USD }
suppliers:
  - { key: acme-media, name: Acme Media, status: ${acmeStatus}, rateLimit: ${acmeRate}, fieldMapping: ${acmeMapping} }
  - { key: rival-media, name: Rival Media, status: approved, rateLimit: ${WIDE} }
  - { key: newcomer, name: Newcomer, status: pending }
  - { key: halted, name: Halted, status: suspended }
partners:
  - key: summit
    name: Summit Debt Relief
    status: ${summitStatus}
    timeZone: America/Los_Angeles
    channels: []
    rateLimit: ${summitRate}
    billing: { mode: postpaid, creditLimit: 1000000 }
    offers:
      - { key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }
  - key: harbor
    name: Harbor Financial
    timeZone: America/New_York
    channels: []
    rateLimit: ${WIDE}
    billing: { mode: postpaid, creditLimit: 1000000 }
    offers:
      - { key: harbor-east, name: East, eventType: Lead Sale, payout: 40.50, filters: { states: [NY] } }
  - { key: frozen, name: Frozen, status: suspended, channels: [], rateLimit: ${WIDE} }
  - { key: resting, name: Resting, status: paused, channels: [], rateLimit: ${WIDE} }
`;
}

/** A submission with every field of the table in contract 3.1; its phone and email are unique if `serial` is new. */
export function sampleLead(serial: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    external_id: `A-${serial}`,
    full_name: 'Jordan Rivera',
    email: `jordan.rivera.${serial}@example.com`,
    phone: `+1555${String(2_000_000 + serial)}`,
    business_name: 'Rivera Bakery',
    state: 'CA',
    debt_amount: '24500.00',
    source: 'search-debt-west',
    consent_timestamp: '2026-11-20T17:03:11Z',
    source_form_url: 'https://forms.example.com/debt?utm_source=search',
    ...more,
  };
}
