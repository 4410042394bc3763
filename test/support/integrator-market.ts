// A marketplace as an integrator sees it on the first day: a supplier with a callback and a statement of an earlier month, a partner with a
// webhook, all tools and an invoice of that month, and an endpoint for both.
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { defaultTerms } from '../../src/buyers/buyer-row.rules.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { postSupplierTransfers } from '../../src/ledger/post-supplier-transfers.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { issueStatement } from '../../src/statements/issue-statement.ts';
import { readSupplier } from '../../src/suppliers/read-suppliers.ts';
import { getAsBuyer, postLead } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startTestMarketplace, type TestMarketplace } from './marketplace.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Json } from './scope-app.ts';

const WIDE = '{ perSecond: 100000, burst: 100000 }';
/** The month of an instant so long ago is over, for any length and zone. */
const LAST_MONTH_MS = 40 * 86_400_000;

export type IntegratorMarket = {
  readonly url: string;
  readonly market: TestMarketplace;
  readonly receiver: Receiver;
  readonly supplierKey: string;
  readonly buyerToken: string;
  /** `whsec_…` of the partner. */
  readonly secret: string;
  /** Sells so many more leads to the partner; their deliveries, confirmed. */
  sell(leads: number): Promise<Json[]>;
  close(): Promise<void>;
};

const yaml = (origin: string): string => `
marketplace: { currency: USD }
suppliers:
  - key: acme-media
    name: Acme Media
    status: approved
    rateLimit: ${WIDE}
    pay: { model: share, percent: 60 }
    callback: { url: "${origin}/callbacks", events: [lead.processing_error, lead.routed, lead.rejected, lead.returned] }
partners:
  - key: summit
    name: Summit Debt Relief
    timeZone: America/Los_Angeles
    channels: [webhook]
    settings: { webhookUrl: "${origin}/leads" }
    editableFields: [notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId, webhookSecret]
    betaTools: [timeline, delivery-logs, test-delivery, audit-log]
    rateLimit: ${WIDE}
    returnPolicy: { monthlyCaps: { leads: 20, bookings: "10%" } }
    billing: { mode: postpaid, creditLimit: 5000 }
    offers:
      - { key: summit-west, name: West coast, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] }, caps: { daily: 500 } }
`;

export async function startIntegratorMarket(): Promise<IntegratorMarket> {
  const receiver = await startReceiver();
  const market = await startTestMarketplace({ yaml: yaml(receiver.origin), allowTargets: [receiver.origin] });
  await billLastMonth(market);
  await stateLastMonth(market);
  const supplierKey = await market.supplierKey('acme-media');
  const buyerToken = await market.buyerToken('summit');
  let sold = 0;
  return {
    url: market.url,
    market,
    receiver,
    supplierKey,
    buyerToken,
    secret: await market.secretOf('summit'),
    async sell(leads) {
      for (let serial = sold; serial < sold + leads; serial += 1) await postLead(market.url, supplierKey, lead(serial));
      sold += leads;
      const confirmed = await eventually('the leads are with the partner', async () => {
        const { json } = await getAsBuyer(market.url, buyerToken, '/api/v1/buyer/leads?status=Confirmed&pageSize=100');
        return json.total >= sold ? (json.data as Json[]) : null;
      });
      return confirmed.slice(0, leads);
    },
    async close() {
      await market.close();
      await receiver.close();
    },
  };
}

function lead(serial: number): Record<string, unknown> {
  return {
    external_id: `sold-${serial}`,
    full_name: 'Dana Whitfield',
    email: `dana.whitfield.${serial}@example.com`,
    phone: `+1415555${String(2000 + serial)}`,
    state: 'CA',
    debt_amount: '18000',
    consent_timestamp: '2026-11-20T17:03:11Z',
  };
}

const lastMonth = (now: Date): string => new Date(now.getTime() - LAST_MONTH_MS).toISOString().slice(0, 7);

async function stateLastMonth({ database }: TestMarketplace): Promise<void> {
  const now = new Date();
  const month = lastMonth(now);
  const bonus = {
    businessKey: 'bonus:last-month',
    type: 'adjustment',
    supplierKey: 'acme-media',
    amountCents: 5000,
    description: 'Bonus',
  } as const;
  await database.tx((tx) => postSupplierTransfers(tx, [bonus], new Date(`${month}-15T12:00:00.000Z`)));
  const supplier = await database.tx((tx) => readSupplier(tx, 'acme-media'));
  if (supplier === null) throw new Error('there is no supplier');
  await database.tx((tx) => issueStatement(tx, { supplier, month, actor: commandLineActor }, now));
}

async function billLastMonth({ database }: TestMarketplace): Promise<void> {
  const now = new Date();
  const month = lastMonth(now);
  const charge = {
    businessKey: 'sale:last-month',
    type: 'charge',
    buyerKey: 'summit',
    amountCents: 4500,
    description: 'Lead Sale LS-100001',
  } as const;
  // In the middle of the month in every zone.
  await database.tx((tx) => postTransfers(tx, [charge], new Date(`${month}-15T12:00:00.000Z`)));
  const buyer = {
    buyerKey: 'summit',
    name: 'Summit Debt Relief',
    timeZone: 'America/Los_Angeles',
    billing: defaultTerms,
  };
  const input = { buyer, month, actor: commandLineActor };
  const issued = await database.tx((tx) => issueInvoice(tx, input, now));
  if (!issued.ok || issued.value.kind !== 'issued') throw new Error(`no invoice of ${month} was issued`);
}
