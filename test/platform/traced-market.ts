// A marketplace for tests whose leads are traced, and a lead whose values no span may hold.
import { uuidOf } from '../../src/base/ids.ts';
import type { createLog } from '../../src/platform/log.ts';
import type { TracingConfig } from '../../src/platform/tracing/tracing-config.rules.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { traceOf } from '../support/trace.ts';

const yaml = (origin: string): string => `
marketplace: { retrySeconds: [0, 0], breaker: { failures: 1000 } }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved }
partners:
  - key: summit
    name: Summit Debt Relief
    channels: [webhook]
    settings: { webhookUrl: "${origin}/crm/jane-doe?token=s3cret" }
    billing: { mode: postpaid, creditLimit: 1000 }
    offers:
      - { key: summit-west, eventType: Lead Sale, payout: 45.00 }
`;

export const tracedLead = {
  external_id: 'EXT-90210',
  full_name: 'Jordan Rivera',
  email: 'jordan.rivera@example.com',
  phone: '+15555550123',
  state: 'CA',
  address: '12 Maple Avenue',
  debt_amount: '24517.00',
  lead_ip: '203.0.113.77',
  source: 'search-debt-west',
  consent_timestamp: '2026-11-20T17:03:11Z',
  source_form_url: 'https://forms.example.com/debt?utm_source=search',
};
/** None of them may be in a span, nor what the partner's endpoint answers and the query of its URL. */
export const PERSONAL =
  /jordan|rivera|5555550123|maple|203\.0\.113\.77|(?<![\w.])24517(?:00)?(?!\w)|EXT-90210|forms\.example|jane-doe|s3cret/i;

export const tracing = (url: string, more: Partial<TracingConfig> = {}): TracingConfig => ({
  ...{ url, headers: {}, serviceName: 'leads', resource: {}, ratio: 1, exportWithinMs: 5000, exportEveryMs: 50 },
  ...more,
});

export const traceIdOf = (response: ApiResponse): string =>
  String(uuidOf('lead', String(response.json.lead_id))).replaceAll('-', '');

/** Its only partner has a webhook at `origin`. */
export const openTracedMarket = (
  origin: string,
  config: TracingConfig,
  log?: ReturnType<typeof createLog>,
): Promise<TestMarketplace> =>
  startTestMarketplace({
    ...{ yaml: yaml(origin), allowTargets: [origin], tracing: config },
    ...(log === undefined ? {} : { log }),
  });

export const isConfirmed = (market: TestMarketplace, leadId: string): Promise<unknown> =>
  eventually('the lead is confirmed', async () =>
    (await traceOf(market.database, leadId)).events.some(({ type }) => type === 'delivery.confirmed'),
  );
