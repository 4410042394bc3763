// A marketplace for the supplier's pages: one supplier with its own field names and a callback, one beside it, one without leads in
// another time zone, and those that may not post.
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { postLead } from '../support/api-client.ts';
import { ignoreSubmittedBodies } from '../support/openapi/watch-responses.ts';

const WIDE = '{ perSecond: 100000, burst: 100000 }';

const BRIGHTFORM_MAPPING = `{
      "contact.name": full_name, "contact.mail": email, Mobile: { to: phone, transform: us_phone },
      "address.region": { to: state, transform: state_name }, amountOwed: { to: debt_amount, transform: money },
      submittedAt: { to: consent_timestamp, transform: epoch_s }, formUrl: source_form_url, id: external_id,
      $set: { source: brightform } }`;

export type SupplierMarket = {
  readonly market: TestMarketplace;
  readonly receiver: Receiver;
  /** Its marketplace file. */
  readonly yaml: string;
  readonly keys: Readonly<Record<'acme-media' | 'brightform' | 'newcomer', string>>;
  /** Posts over HTTP and returns the JSON of the response. */
  post(supplier: 'acme-media' | 'brightform', body: object): Promise<Json>;
  /** Waits until every accepted lead is decided. */
  decided(): Promise<void>;
  close(): Promise<void>;
};

const yamlFor = (origin: string): string => `
marketplace: { holdMinutes: 0 }
suppliers:
  - key: acme-media
    name: Acme Media
    status: approved
    rateLimit: ${WIDE}
    callback: { url: "${origin}/callbacks", events: [lead.routed, lead.rejected] }
  - { key: brightform, name: Brightform, status: approved, rateLimit: ${WIDE}, fieldMapping: ${BRIGHTFORM_MAPPING} }
  - { key: westside, name: Westside, status: approved, timeZone: America/Los_Angeles }
  - { key: newcomer, name: Newcomer, status: pending }
partners:
  - key: summit
    name: Summit Debt Relief
    channels: []
    billing: { mode: postpaid, creditLimit: 1000000 }
    offers:
      - { key: summit-west, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }
`;

export async function startSupplierMarket(): Promise<SupplierMarket> {
  ignoreSubmittedBodies();
  const receiver = await startReceiver({ respond: () => ({ status: 204 }) });
  const yaml = yamlFor(receiver.origin);
  const market = await startTestMarketplace({ yaml, allowTargets: [receiver.origin] });
  const keys = {
    'acme-media': await market.supplierKey('acme-media'),
    brightform: await market.supplierKey('brightform'),
    newcomer: await market.supplierKey('newcomer'),
  };
  return {
    market,
    receiver,
    yaml,
    keys,
    post: async (supplier, body) => (await postLead(market.url, keys[supplier], body)).json,
    decided: () =>
      eventually('every lead is decided', async () => {
        const [inbox] = await select<{ waiting: number }>(
          market.database,
          `SELECT count(*)::int AS waiting FROM lead WHERE state IN ('received', 'held')`,
        );
        return inbox?.waiting === 0 ? undefined : null;
      }),
    async close() {
      await market.close();
      await receiver.close();
    },
  };
}
