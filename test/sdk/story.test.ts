// Every operation of the partner API through the generated client, in the order in which an integrator would come to need them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  ApiError,
  type Client,
  createClient,
  type Delivery,
  OPERATIONS,
  type OperationContext,
  type Ops,
  type Problem,
} from '../../sdk/typescript/client.ts';
import { eventually } from '../support/eventually.ts';
import { type IntegratorMarket, startIntegratorMarket } from '../support/integrator-market.ts';

let market: IntegratorMarket;
let supplier: Client<Ops>;
let buyer: Client<Ops>;
let sold: Delivery[];

const called = new Set<string>();
const headersSent: string[] = [];
const watching = {
  onRequest: ({ headers }: { headers: Record<string, string> }) => void headersSent.push(...Object.keys(headers)),
  onResponse: (_response: Response, { operation }: { operation: OperationContext }) => void called.add(operation.id),
};

beforeAll(async () => {
  market = await startIntegratorMarket();
  const common = { serverUrl: market.url, middleware: [watching] };
  supplier = createClient<Ops>(OPERATIONS, {
    ...common,
    auth: { apiKey: { supplierCredential: market.supplierKey } },
    idempotencyKey: true,
  });
  buyer = createClient<Ops>(OPERATIONS, { ...common, auth: { bearer: market.buyerToken } });
  sold = (await market.sell(3)) as Delivery[];
});
afterAll(() => market.close());

/** The refusal, which has to come. */
async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`it was no refusal: ${String(error)}`);
  return error;
}

describe('A supplier', () => {
  it('submits a lead and reads the outcomes of its leads', async () => {
    const body = { external_id: 'A-1', full_name: 'Jordan Rivera', phone: '+14155550123', state: 'NY' };
    const first = await supplier.submitLead({ body });
    expect(first).toMatchObject({ accepted: true, lead_id: expect.stringMatching(/^lead_/) });
    const { data, headers } = await supplier.submitLead({ body }, { envelope: true });
    expect([data.lead_id, headers.idempotentReplayed]).toEqual([first.lead_id, 'true']);
    const one = await supplier.getSupplierLead({ path: { leadIdOrExternalId: 'A-1' } });
    expect([one.leadId, one.externalId]).toEqual([first.lead_id, 'A-1']);
    const stats = await supplier.getSupplierStats({ query: { days: 7 } });
    expect(stats.totals.submitted).toBe(4);
    expect((await supplier.getSupplierOpenapi()).openapi).toBe('3.1.0');
  });

  it('finds a lead by an external id that contains a slash', async () => {
    const body = { external_id: '2026/11/A 7', full_name: 'Jordan Rivera', phone: '+14155550124', state: 'NY' };
    const { lead_id: leadId } = await supplier.submitLead({ body: { ...body, test: true } });
    expect(await supplier.getSupplierLead({ path: { leadIdOrExternalId: body.external_id } })).toMatchObject({
      leadId,
    });
  });

  it('reads the document of what it may post', async () => {
    const document = await supplier.getSupplierOpenapi();
    expect(document).toMatchObject({ openapi: '3.1.0', paths: { '/api/v1/ingest': expect.anything() as unknown } });
  });

  it('reads what it earns, and its statements', async () => {
    const { balance, held } = await supplier.getEarnings({ query: { days: 7 } });
    // Three sales of 45.00 at 60 percent, and 50.00 from before.
    expect([balance, held]).toEqual([131, 81]);
    const [statement] = (await supplier.listStatements()).data;
    const path = { statementId: statement?.statementId ?? '' };
    expect((await supplier.getStatement({ path })).total).toBe(50);
    expect((await supplier.getStatementPdf({ path })).type).toBe('application/pdf');
    expect((await supplier.getStatementCsv({ path })).split('\r\n')[1]).toMatch(/,adjusted,50\.00,Bonus$/);
  });

  it('reads and rotates its callback secret', async () => {
    const { secret } = await supplier.getCallbackSecret();
    expect((await supplier.rotateCallbackSecret()).previous?.secret).toBe(secret);
  });

  it('receives all errors of a lead', async () => {
    // @ts-expect-error The type knows that a name, and an email address or a phone number are needed.
    const { status, body } = await refusalOf(supplier.submitLead({ body: {} }));
    expect([status, body]).toMatchObject([422, { accepted: false, reason: 'email or phone required; name required' }]);
  });
});

describe('A partner', () => {
  it('reads its leads page by page, and all of them in one loop', async () => {
    const page = await buyer.listBuyerLeads({ query: { status: 'Confirmed', page: 1, pageSize: 2 } });
    expect([page.total, page.totalPages, page.data.length]).toEqual([3, 2, 2]);
    const all: string[] = [];
    for await (const { deliveryId } of buyer.listBuyerLeads.items({ query: { pageSize: 2 } })) all.push(deliveryId);
    expect(all).toEqual(sold.map(({ deliveryId }) => deliveryId));
  });

  it('reads one lead by its id', async () => {
    const [first] = sold;
    expect(await buyer.getBuyerLead({ path: { deliveryId: first?.deliveryId ?? '' } })).toEqual(first);
  });

  it('reads and rotates its webhook secret', async () => {
    const { secret } = await buyer.getWebhookSecret();
    expect(secret).toBe(market.secret);
    expect((await buyer.rotateWebhookSecret()).previous?.secret).toBe(secret);
  });

  it('reads its events to the end', async () => {
    const events: string[] = [];
    for await (const event of buyer.listBuyerEvents.items({ query: { limit: 2 } })) events.push(event.type);
    expect(events).toEqual(['lead.delivered', 'lead.delivered', 'lead.delivered']);
    let cursor = '';
    for await (const { next } of buyer.listBuyerEvents.pages({ query: { limit: 2 } })) cursor = next;
    expect(await buyer.listBuyerEvents({ query: { after: cursor } })).toEqual({
      data: [],
      next: cursor,
      hasMore: false,
    });
  });

  it('reads statistics, and its deliveries as a CSV file', async () => {
    expect((await buyer.getBuyerStats()).totals.confirmed).toBe(3);
    const csv = await buyer.exportDeliveries({ query: { status: 'Confirmed' } });
    expect(csv.trimEnd().split('\r\n')).toHaveLength(4);
    const { response } = await buyer.exportDeliveries({}, { parseAs: 'stream', envelope: true });
    await response.body?.cancel();
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  it('returns a lead and withdraws the return', async () => {
    const policy = await buyer.getReturnPolicy();
    expect(policy.monthlyCaps.leads.limit).toBe(20);
    const { deliveryId = '' } = sold[0] ?? {};
    const claim = { body: { deliveryId, reason: 'invalid_phone', proof: 'Dead line.' } } as const;
    // Either form of the response, distinguished by a member.
    const preview = await buyer.fileReturn({ ...claim, query: { dryRun: true } });
    expect('allowed' in preview ? [preview.allowed, preview.cap?.used] : preview).toEqual([true, 0]);
    const filed = await buyer.fileReturn(claim);
    const returnId = 'returnId' in filed ? filed.returnId : '';
    expect((await buyer.listReturns()).data.map((one) => one.returnId)).toEqual([returnId]);
    expect((await buyer.getReturn({ path: { id: returnId } })).status).toBe('submitted');
    expect((await buyer.withdrawReturn({ path: { id: returnId } })).status).toBe('withdrawn');
  });

  it('disputes a lead and withdraws the dispute', async () => {
    const { deliveryId = '' } = sold[1] ?? {};
    const body = { deliveryId, reason: 'bot', detail: 'Three leads in one second.' } as const;
    const filed = await buyer.fileDispute({ body });
    const disputeId = 'disputeId' in filed ? filed.disputeId : '';
    expect((await buyer.listDisputes()).total).toBe(1);
    expect((await buyer.getDispute({ path: { id: disputeId } })).detail).toBe(body.detail);
    expect((await buyer.withdrawDispute({ path: { id: disputeId } })).status).toBe('withdrawn');
  });

  it('reads its webhook deliveries and attempts', async () => {
    // Either form of the response, distinguished by `target`.
    const preview = await buyer.sendTestDelivery({ body: { target: 'preview' } });
    expect(preview.target === 'preview' ? preview.payload.data.test : null).toBe(true);
    const sent = await buyer.sendTestDelivery({ body: { target: 'webhook' } });
    expect(sent.target === 'webhook' ? sent.responseCode : null).toBe(200);
    const { deliveryId = '' } = sold[2] ?? {};
    expect((await buyer.redeliverLead({ path: { deliveryId } })).queued).toBe(true);
    await eventually('it came again', () =>
      market.receiver.requests.filter(({ headers }) => headers['webhook-id'] === deliveryId).length >= 2 ? true : null,
    );
    expect((await buyer.getDeliveryTimeline({ path: { deliveryId } })).status).toBe('Confirmed');
    expect((await buyer.listDeliveryLogs({ query: { limit: 5 } })).data.length).toBe(5);
  });

  it('changes its account unless it was changed concurrently, and reads the audit log', async () => {
    const { headers } = await buyer.getAccount({}, { envelope: true });
    const change = { body: { phone: '+14155550199' }, headers: { 'If-Match': headers.etag } };
    expect((await buyer.updateAccount(change)).phone).toBe('+14155550199');
    const { status, body } = await refusalOf(buyer.updateAccount(change));
    expect([status, (body as Problem).code]).toEqual([412, 'precondition_failed']);
    expect((await buyer.listAuditLog()).data.map(({ action }) => action)).toContain('account.updated');
    expect((await buyer.getSheetsConfig()).mode).toBe('off');
  });

  it('reads its billing and downloads an invoice', async () => {
    const { invoices, currentBalance } = await buyer.getBilling();
    expect([invoices.length, currentBalance]).toEqual([1, -180]);
    const { invoiceId = '' } = invoices[0] ?? {};
    const file = await buyer.getInvoiceDocument({ path: { invoiceId } });
    expect(file instanceof Blob ? file.type : file).toBe('application/pdf');
    const entries: number[] = [];
    for await (const { amount } of buyer.getBilling.items({ query: { pageSize: 3 } })) entries.push(amount);
    expect(entries).toEqual([-45, -45, -45, -45]);
  });
});

describe('The client', () => {
  it('is tested here with every operation', () => {
    const ours = Object.values(OPERATIONS).filter(({ path }) => !path.startsWith('/api/v1/operator/'));
    expect([...called].toSorted()).toEqual(ours.map(({ id }) => id).toSorted());
  });

  it('sends no header about itself', () => {
    expect(new Set(headersSent.map((name) => name.toLowerCase()))).toEqual(
      new Set(['authorization', 'x-api-key', 'accept', 'idempotency-key', 'if-match']),
    );
  });
});
