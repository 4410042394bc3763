// Every operation of the operator's API through the generated client: configuration, work, money and reports of one day (contract 10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  ApiError,
  type Client,
  createClient,
  OPERATIONS,
  type OperationContext,
  type Ops,
  type Problem,
} from '../../sdk/typescript/client.ts';
import { postAsBuyer } from '../support/api-client.ts';
import { type IntegratorMarket, startIntegratorMarket } from '../support/integrator-market.ts';
import type { Json } from '../support/scope-app.ts';

const SCOPES = ['read', 'operate', 'configure', 'money', 'privacy'] as const;
const called = new Set<string>();
let market: IntegratorMarket;
let operator: Client<Ops>;
let sold: Json[];

beforeAll(async () => {
  market = await startIntegratorMarket();
  sold = await market.sell(3);
});
afterAll(() => market.close());

/** A fresh token, because one alone may not send all requests of a test at once. */
async function signIn(): Promise<void> {
  operator = createClient<Ops>(OPERATIONS, {
    serverUrl: market.url,
    middleware: [
      { onResponse: (_: Response, { operation }: { operation: OperationContext }) => void called.add(operation.id) },
    ],
    auth: { bearer: await market.market.operatorToken(SCOPES) },
    idempotencyKey: true,
  });
}

/** Status and code of the refusal, which has to come. */
async function refusalOf(work: Promise<unknown>): Promise<[number, string]> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`it was no refusal: ${JSON.stringify(error)}`);
  return [error.status, (error.body as Problem).code];
}

/** Of a response with one document per line. */
async function lastLine(lines: Promise<unknown>): Promise<unknown> {
  return JSON.parse(
    String(await lines)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '',
  );
}

async function claim(delivery: Json): Promise<string> {
  const body = { deliveryId: delivery.deliveryId, reason: 'invalid_phone', proof: 'Dead line.' };
  const { json } = await postAsBuyer(market.url, market.buyerToken, '/api/v1/buyer/returns', { body });
  return String(json.returnId);
}

describe('An operator’s program', () => {
  it('configures suppliers, partners and offers, and tries a change before', async () => {
    await signIn();
    expect((await operator.listSuppliers()).data.map(({ key }) => key)).toEqual(['acme-media']);
    expect((await operator.listPartners()).total).toBe(1);
    expect((await operator.listOffers({ query: { partner: 'summit' } })).total).toBe(1);
    const created = await operator.replaceSupplier({ path: { ownerKey: 'new-media' }, body: { name: 'New Media' } });
    expect(created.changes).toHaveLength(1);
    await operator.updateSupplier({ path: { ownerKey: 'new-media' }, body: { status: 'approved' } });
    expect(await operator.getSupplier({ path: { ownerKey: 'new-media' } })).toMatchObject({ status: 'approved' });

    const { data: partner, headers } = await operator.getPartner({ path: { ownerKey: 'summit' } }, { envelope: true });
    const change = { path: { ownerKey: 'summit' }, body: { name: 'Summit' } } as const;
    const tried = await operator.updatePartner({ ...change, query: { dryRun: true } });
    expect([tried.applied, tried.changes.length]).toEqual([false, 1]);
    await operator.updatePartner({ ...change, headers: { 'If-Match': headers.etag } });
    const stale = operator.replacePartner({ ...change, body: partner, headers: { 'If-Match': headers.etag } });
    expect(await refusalOf(stale)).toEqual([412, 'precondition_failed']);

    const offer = await operator.getOffer({ path: { key: 'summit-west' } });
    expect((await operator.replaceOffer({ path: { key: 'summit-west' }, body: offer })).changes).toEqual([]);
    await operator.updateOffer({ path: { key: 'summit-west' }, body: { payout: 46 } });
    expect(JSON.stringify(await operator.getMarketplaceFile())).toContain('"payout":46');
    const applied = await operator.applyMarketplaceFile({ body: { marketplace: { name: 'Leads Inc' } } });
    expect(applied.changes).toHaveLength(1);
  });

  it('configures a vertical with its own fields', async () => {
    await signIn();
    const path = { key: 'solar' };
    const fields = [{ name: 'roof_type', type: 'enum', values: ['tile', 'metal'], filterable: true }];
    const made = await operator.replaceVertical({ path, body: { name: 'Solar', fields } });
    expect(made.changes).toHaveLength(1);
    await operator.updateVertical({ path, body: { name: 'Solar roofs' } });
    expect(await operator.getVertical({ path })).toMatchObject({ key: 'solar', name: 'Solar roofs', fields });
    expect((await operator.listVerticals()).data).toMatchObject([{ key: 'solar', suppliers: [], offers: 0 }]);
  });

  it('sets a custom webhook of a partner up with its secrets, previews and tests it', async () => {
    await signIn();
    const path = { ownerKey: 'summit' };
    expect(await operator.setPartnerSecret({ path, body: { name: 'crm_token', value: 'hidden-7' } })).toMatchObject({
      isNew: true,
    });
    const { data } = await operator.listPartnerSecrets({ path });
    expect([data.map(({ name }) => name), JSON.stringify(data).includes('hidden-7')]).toEqual([['crm_token'], false]);
    const body = { type: 'json', template: '{"phone":"{{ lead.phone }}"}' };
    const webhook = { format: 'custom', headers: { 'x-token': '{{ secret.crm_token }}' }, body };
    const preview = await operator.previewPartnerWebhook({ path, body: { webhook } });
    expect(preview).toMatchObject({ error: null, faults: [] });
    expect(JSON.parse(preview.request?.body ?? '')).toMatchObject({ phone: expect.stringMatching(/^\+/) });
    expect(JSON.stringify(preview)).not.toContain('hidden-7');
    const tested = await operator.testPartnerWebhook({ path, body: { target: 'webhook' } });
    expect(tested).toMatchObject({ test: true, billable: false });
    const { data: responses } = await operator.listPartnerWebhookResponses({ path });
    expect(responses[0]).toMatchObject({ test: true, rule: null, isCurrent: true });
    const { deliveryId } = sold[0];
    const shown = await operator.previewPartnerWebhookOfDelivery({ path, body: { webhook, deliveryId } });
    expect(shown).toMatchObject({ error: null, faults: [], leadId: expect.stringMatching(/^lead_/) });
    expect(await operator.removePartnerSecret({ path: { ...path, name: 'crm_token' } })).toEqual({ name: 'crm_token' });
  });

  it('issues and revokes credentials, and tokens with fewer scopes', async () => {
    await signIn();
    const [supplier, partner] = [{ path: { ownerKey: 'acme-media' } }, { path: { ownerKey: 'summit' } }];
    const { id, secret } = await operator.issueSupplierCredential({ ...supplier, body: { label: 'second' } });
    expect(secret).toMatch(/^lms_/);
    expect((await operator.listSupplierCredentials(supplier)).data).toHaveLength(2);
    await operator.revokeCredential({ path: { credentialId: id } });
    expect((await operator.issuePartnerCredential({ ...partner, body: {} })).secret).toMatch(/^lmb_/);
    expect((await operator.listPartnerCredentials(partner)).data).toHaveLength(2);
    const token = await operator.issueOperatorToken({ body: { name: 'nightly', scopes: ['read'] } });
    expect((await operator.listOperatorTokens()).data.map(({ name }) => name)).toContain('nightly');
    const weak = createClient<Ops>(OPERATIONS, { serverUrl: market.url, auth: { bearer: token.secret ?? '' } });
    expect(await refusalOf(weak.listInvoices())).toEqual([403, 'scope_missing']);
    await operator.revokeOperatorToken({ path: { tokenId: token.tokenId } });
  });

  it('follows leads, claims and what failed', async () => {
    await signIn();
    const { data } = await operator.listOperatorLeads({ query: { supplier: 'acme-media' } });
    expect(data).toHaveLength(3);
    const leadId = data[0]?.leadId ?? '';
    expect((await operator.getOperatorLead({ path: { leadId } })).deliveries).toHaveLength(1);
    const [approved, denied] = [await claim(sold[0]), await claim(sold[1])];
    expect((await operator.listOperatorClaims({ query: { kind: 'return' } })).total).toBe(2);
    expect((await operator.getOperatorClaim({ path: { id: approved } })).status).toBe('submitted');
    expect((await operator.approveClaim({ path: { id: approved }, body: {} })).credit).toBe(45);
    const decided = await operator.denyClaim({ path: { id: denied }, body: { note: 'The line works.' } });
    expect(decided.status).toBe('denied');
    expect((await operator.listFailedDeliveries()).data).toEqual([]);
    const { deliveryId } = sold[2];
    expect((await operator.retryDelivery({ path: { deliveryId } })).queued).toBe(true);
    expect(await operator.retryFailedDeliveries({ body: { partner: 'summit' } })).toMatchObject({ isMore: false });
    const priced = operator.priceDelivery({ path: { deliveryId }, body: { price: 45 } });
    expect(await refusalOf(priced)).toEqual([409, 'delivery_not_unpriced']);
    expect((await operator.listFailedJobs()).data).toEqual([]);
    expect(await refusalOf(operator.retryJob({ path: { jobId: 'job_x' } }))).toEqual([404, 'not_found']);
    expect(await operator.retryJobs({ body: {} })).toMatchObject({ remaining: 0 });
    expect((await operator.listEndpoints()).data).not.toEqual([]);
    const endpoint = { ownerKind: 'buyer', ownerKey: 'nobody', channel: 'webhook' };
    expect(await refusalOf(operator.enableEndpoint({ path: endpoint }))).toEqual([404, 'not_found']);
    const { total } = await operator.getPartnerResponses({ path: { ownerKey: 'summit' } });
    expect(total.today).toMatchObject({ rejected: 0, duplicates: 0 });
    const offer = { key: 'summit-west' };
    expect(await operator.getOfferResponses({ path: offer })).toMatchObject({ rule: null, pause: null });
    expect(await operator.liftRejectionsPause({ path: offer })).toMatchObject({ wasPaused: false });
    await operator.eraseLead({ path: { leadId }, body: { confirmation: 'erase' } });
    expect(JSON.stringify(await operator.getOperatorLead({ path: { leadId } }))).not.toContain('Whitfield');
  });

  it('keeps the accounts of both sides', async () => {
    await signIn();
    const entry = { partner: 'summit', type: 'payment', amount: 100, description: 'Wire 7' } as const;
    await operator.postEntry({ body: entry });
    expect((await operator.listAccounts()).data[0]?.partner).toBe('summit');
    const { account } = await operator.getOperatorAccount({ path: { partner: 'summit' } });
    expect(account.balance).toBe(-35);
    const [invoice] = (await operator.listInvoices()).data;
    const path = { id: invoice?.invoiceId ?? '' };
    expect((await operator.getInvoice({ path })).number).toBe(invoice?.number);
    const document = await operator.getOperatorInvoiceDocument({ path });
    expect(document instanceof Blob ? document.type : document).toBe('application/pdf');
    expect((await operator.payInvoice({ path, body: { amount: 45 } })).status).toBe('paid');
    const undone = operator.voidInvoice({ path, body: { note: 'Twice.' } });
    expect(await refusalOf(undone)).toEqual([409, 'invoice_has_payments']);
    const [statement] = (await operator.listOperatorStatements({ query: { supplier: 'acme-media' } })).data;
    const { statementId = '' } = statement ?? {};
    expect(await operator.getOperatorStatement({ path: { statementId } })).toMatchObject({ supplier: 'acme-media' });
    const csv = await operator.getOperatorStatementDocument({ path: { statementId }, query: { form: 'csv' } });
    expect(csv instanceof Blob ? csv.type : csv).toMatch(/^text\/csv/);
    const owed = await operator.listSupplierBalances({ query: { search: 'acme' } });
    // 50.00 of last month, and 60 percent of two sales.
    expect(owed.data).toMatchObject([{ supplier: 'acme-media', balance: 104, held: 54, payable: 50 }]);
    const body = { supplier: 'acme-media', amount: 20, reference: 'SEPA 9' };
    const { payoutId } = await operator.recordPayout({ body });
    expect((await operator.recordPayout({ body })).payoutId).toBe(payoutId);
    expect((await operator.listPayouts()).data).toHaveLength(1);
    const correction = { supplier: 'acme-media', amount: -1.5, description: 'Paid twice' };
    expect((await operator.adjustSupplier({ body: correction })).balanceAfter).toBe(82.5);
  });

  it('runs the invoices and statements of a month, and tries them before', async () => {
    await signIn();
    const [invoice] = (await operator.listInvoices()).data;
    const month = invoice?.month ?? '';
    const asText = { parseAs: 'text' } as const;
    const tried = await lastLine(operator.runInvoices({ body: { month, dryRun: true } }, asText));
    expect(tried).toMatchObject({ kind: 'end', isWhole: true, invoices: 0, existed: 1 });
    expect(await lastLine(operator.runInvoices({ body: { month, dryRun: false } }, asText))).toEqual(tried);
    const statements = await lastLine(operator.runStatements({ body: { month, dryRun: true } }, asText));
    expect(statements).toMatchObject({ kind: 'end', isWhole: true, suppliers: 2 });
    const early = operator.runStatements({ body: { month: '2099-01', dryRun: false } });
    expect(await refusalOf(early)).toEqual([409, 'month_not_over']);
    expect(await lastLine(operator.checkLedger({}, asText))).toMatchObject({ kind: 'end', ok: true, difference: 0 });
    expect((await operator.listBillingRuns()).routines.map(({ kind }) => kind)).toEqual(['invoices', 'statements']);
    const text = 'date,amount,reference\n2026-11-20,45.00,INV-0';
    const imported = await lastLine(operator.importPayments({ body: { text, dryRun: true } }, asText));
    expect(imported).toMatchObject({ kind: 'end', isWhole: true, lines: 1, posted: 0 });
  });

  it('sees what was told to whom and who changed what', async () => {
    await signIn();
    const { data } = await operator.listNotices({ query: { recipient: 'partner', key: 'summit' } });
    const decided = data.find(({ kind }) => kind === 'claim.decided');
    expect(decided?.title).toMatch(/^Your return of LS-\d+ was (?:approved|denied)$/);
    expect(await operator.resendNotice({ path: { noticeId: decided?.id ?? '' } })).toEqual({ queued: true });
    expect(await refusalOf(operator.resendNotice({ path: { noticeId: 'ntc_x' } }))).toEqual([404, 'not_found']);
    expect(await operator.sendTestNotice()).toEqual({ queued: true });
    const { data: events } = await operator.listAuditEvents({ query: { action: 'notice.test_requested' } });
    expect(events).toMatchObject([{ target: 'operators', actor: { type: 'operator' } }]);
  });

  it('reads reports', async () => {
    await signIn();
    const query = { by: 'supplier', measures: 'revenue,cost,margin' };
    const report = await operator.getOperatorReport({ query });
    // Three sales of 45.00, of which one came back, at 60 percent.
    expect(report.totals).toMatchObject({ revenue: 90, cost: 54, margin: 36 });
    expect((await operator.getOperatorReportCsv({ query })).split('\r\n')[0]).toBe('supplier,revenue,cost,margin');
  });

  it('keeps people from being sold by a list', async () => {
    await signIn();
    const body = { key: 'dnc', name: 'Do not call', kind: 'phone', use: 'suppress' } as const;
    const { listId } = await operator.createList({ body });
    expect((await refusalOf(operator.createList({ body })))[1]).toBe('list_key_taken');
    const path = { listId };
    const { loadId } = await operator.beginListLoad({ path, body: { mode: 'replace' } });
    const load = { listId, loadId: String(loadId) };
    const part = { number: 1, rows: 'phone\n+15552000001\n+15552000002\n' };
    expect((await operator.addListPart({ path: load, body: part })).entries).toBe(2);
    expect((await operator.checkListValue({ path, body: { value: '+15552000001' } })).listed).toBe(false);
    expect((await operator.finishListLoad({ path: load, body: { parts: 1 } })).state).toBe('current');
    expect((await operator.checkListValue({ path, body: { value: '+15552000001' } })).listed).toBe(true);
    const other = await operator.beginListLoad({ path, body: { mode: 'add' } });
    const discarded = await operator.discardListLoad({ path: { listId, loadId: String(other.loadId) } });
    expect(discarded.state).toBe('discarded');
    expect(await operator.removeListValues({ path, body: { values: ['+15552000001'] } })).toEqual({ removed: 1 });
    expect((await operator.getList({ path })).entries).toBe(1);
    expect((await operator.listLists({})).data.map(({ key }) => key)).toEqual(['dnc']);
    expect(await operator.changeList({ path, body: { name: 'Never call' } })).toMatchObject({ name: 'Never call' });
    expect(await operator.removeList({ path })).toEqual({ removed: true });
  });

  it('is tested here with every operation', () => {
    const all = Object.values(OPERATIONS).filter(({ path }) => path.startsWith('/api/v1/operator/'));
    expect([...called].toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });
});
