// Tests GET /api/v1/buyer/billing and the documents of invoices of the running service (contract 6.18).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type ClaimId, type InvoiceId, typeId, uuidOf } from '../../src/base/ids.ts';
import { defaultTerms } from '../../src/buyers/buyer-row.rules.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { payInvoice } from '../../src/invoices/pay-invoice.ts';
import { holdFunds } from '../../src/ledger/funds.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferType } from '../../src/ledger/transfer.rules.ts';
import {
  type ApiResponse,
  call,
  getAsBuyer,
  postAsBuyer,
  postLead,
  problem,
  problemFacts,
} from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { marketYaml, sampleLead } from './market.ts';

const PATH = '/api/v1/buyer/billing';
const MEMBERS = ['partnerKey', 'currency', 'currentBalance', 'creditLimit', 'held', 'invoices', 'receipts', 'ledger'];
const ENTRY_MEMBERS = [
  'entryId',
  'createdAt',
  'type',
  'amount',
  'balanceAfter',
  'description',
  'deliveryId',
  'returnId',
  'disputeId',
  'invoiceId',
];
const INVOICE_MEMBERS = [
  'invoiceId',
  'number',
  'periodStart',
  'periodEnd',
  'status',
  'subtotal',
  'credits',
  'carriedIn',
  'carriedOut',
  'net',
  'taxPercent',
  'tax',
  'total',
  'amountDue',
  'issuedAt',
  'dueAt',
  'paidAt',
];

let keys = 0;

function posting(buyerKey: string, type: TransferType, amountCents: number) {
  keys += 1;
  return { businessKey: `test:${keys}`, type, buyerKey, amountCents, description: `Posting ${keys}` } as const;
}

describe('A sale and its return', () => {
  let market: TestMarketplace;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml() });
  });
  afterAll(() => market.close());

  it('are a charge and a credit with their purpose, and cancel each other out', async () => {
    const token = await market.buyerToken('summit');
    const billing = async (): Promise<Json> => (await getAsBuyer(market.url, token, PATH)).json;
    expect(await billing()).toEqual({
      partnerKey: 'summit',
      currency: 'USD',
      currentBalance: 0,
      creditLimit: 1_000_000,
      held: 0,
      invoices: [],
      receipts: [],
      ledger: { page: 1, pageSize: 25, total: 0, totalPages: 0, data: [] },
    });
    expect((await postLead(market.url, await market.supplierKey('acme-media'), sampleLead(1))).status).toBe(202);
    const sold = await eventually('the sale is charged', async () => {
      const response = await billing();
      return response.ledger.total === 1 ? response : null;
    });
    const [delivery] = (await getAsBuyer(market.url, token, '/api/v1/buyer/leads')).json.data;
    expect([sold.currentBalance, sold.held]).toEqual([-45, 0]);
    const [charge] = sold.ledger.data;
    expect(Object.keys(charge)).toEqual(ENTRY_MEMBERS);
    expect(charge).toEqual({
      entryId: expect.stringMatching(/^txn_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      type: 'charge',
      amount: -45,
      balanceAfter: -45,
      description: `Lead Sale ${delivery.deliveryRef}`,
      deliveryId: delivery.deliveryId,
      returnId: null,
      disputeId: null,
      invoiceId: null,
    });
    const body = { deliveryId: delivery.deliveryId, reason: 'invalid_phone', proof: 'The line is dead.' };
    const filed = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', { body });
    expect((await billing()).currentBalance).toBe(-45);
    const claimId = uuidOf('return', filed.json.returnId) ?? ('' as ClaimId);
    const review = { claimId, step: 'approve', note: null, actor: commandLineActor } as const;
    await market.database.tx((tx) => reviewClaim(tx, review, new Date()));
    const { currentBalance, ledger } = await billing();
    expect([currentBalance, ledger.total]).toEqual([0, 2]);
    expect(ledger.data[0]).toMatchObject({
      type: 'credit',
      amount: 45,
      balanceAfter: 0,
      deliveryId: delivery.deliveryId,
      returnId: filed.json.returnId,
      disputeId: null,
    });
    expect(ledger.data[1]).toEqual(charge);
  });
});

describe('Billing', () => {
  const clock = handClock('2026-10-05T12:00:00.000Z');
  let market: TestMarketplace;
  let token: string;
  let harbor: string;
  /** Newest first, as the ledger shows them. */
  let entries: Json[];
  let invoice: Json;

  beforeAll(async () => {
    const prepaid = '  - { key: payer, name: Payer, channels: [], billing: { mode: prepaid } }\n';
    const free = '  - { key: free, name: Free, channels: [] }\n';
    market = await startTestMarketplace({ yaml: marketYaml() + prepaid + free, role: 'api', clock });
    token = await market.buyerToken('summit');
    harbor = await market.buyerToken('harbor');
    const post = (...postings: Array<ReturnType<typeof posting>>) =>
      market.database.tx((tx) => postTransfers(tx, postings, clock.now()));
    await post(...Array.from({ length: 30 }, () => posting('summit', 'charge', 1001)));
    await post(posting('summit', 'credit', 500), posting('summit', 'adjustment', -1), posting('harbor', 'payment', 7));
    clock.set('2026-11-02T12:00:00.000Z');
    const buyer = {
      buyerKey: 'summit',
      name: `Summit <script>alert(1)</script>`,
      timeZone: 'America/Los_Angeles',
      billing: defaultTerms,
    };
    const input = { buyer, month: '2026-10', actor: commandLineActor };
    const issued = await market.database.tx((tx) => issueInvoice(tx, input, clock.now()));
    const name = issued.ok ? (issued.value.invoice?.number ?? '') : '';
    const payment = { name, amountCents: 10_000, actor: commandLineActor };
    await market.database.tx((tx) => payInvoice(tx, payment, clock.now()));
    await post(...Array.from({ length: 13 }, () => posting('summit', 'charge', 100)));
    await market.database.tx((tx) => holdFunds(tx, new Map([['summit', 4550]])));
    const { json } = await get('?pageSize=100');
    entries = json.ledger.data;
    [invoice] = json.invoices;
  });
  afterAll(() => market.close());

  const get = (query: string, as = token): Promise<ApiResponse> => getAsBuyer(market.url, as, `${PATH}${query}`);

  it('has exactly the members of the contract, and page 1 of 25 by default', async () => {
    const { status, headers, json } = await get('');
    expect([status, Object.keys(json), Object.keys(json.invoices[0]), Object.keys(json.ledger.data[0])]).toEqual([
      200,
      MEMBERS,
      INVOICE_MEMBERS,
      ENTRY_MEMBERS,
    ]);
    expect(Object.keys(json.ledger)).toEqual(['page', 'pageSize', 'total', 'totalPages', 'data']);
    const { page, pageSize, total, totalPages, data } = json.ledger;
    expect([page, pageSize, total, totalPages, data.length]).toEqual([1, 25, 46, 2, 25]);
    expect(headers.get('cache-control')).toBe('no-store');
    const balance = -300.3 + 5 - 0.01 + 100 - 13;
    expect([json.currentBalance, json.held, json.creditLimit]).toEqual([
      Math.round(balance * 100) / 100,
      45.5,
      1_000_000,
    ]);
  });

  it('shows invoices with their amounts, and the entries that are on them or paid them', async () => {
    expect(invoice).toEqual({
      invoiceId: expect.stringMatching(/^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      number: 'INV-2026-000001',
      periodStart: '2026-10-01T07:00:00.000Z',
      periodEnd: '2026-11-01T07:00:00.000Z',
      status: 'issued',
      subtotal: 300.3,
      credits: 5,
      carriedIn: 0,
      carriedOut: 0,
      net: 295.3,
      taxPercent: 0,
      tax: 0,
      total: 295.3,
      amountDue: 195.3,
      issuedAt: '2026-11-02T12:00:00.000Z',
      dueAt: '2026-11-16T12:00:00.000Z',
      paidAt: null,
    });
    const byType = Object.groupBy(entries, ({ type }: Json) => type as string);
    const invoiced = (type: string): unknown[] => (byType[type] ?? []).map(({ invoiceId }: Json) => invoiceId);
    expect(invoiced('charge')).toEqual([
      ...Array.from({ length: 13 }, () => null),
      ...Array.from({ length: 30 }, () => invoice.invoiceId),
    ]);
    expect([invoiced('credit'), invoiced('payment'), invoiced('adjustment')]).toEqual([
      [invoice.invoiceId],
      [invoice.invoiceId],
      [null],
    ]);
  });

  it('shows an invoice as overdue from the instant it is due', async () => {
    // A separate token: for the others the clock must not go back, which leaves a bucket empty.
    const later = await market.buyerToken('summit');
    clock.set('2026-11-16T11:59:59.999Z');
    expect((await get('', later)).json.invoices[0].status).toBe('issued');
    clock.set('2026-11-16T12:00:00.000Z');
    expect((await get('', later)).json.invoices[0].status).toBe('overdue');
    clock.set('2026-11-02T12:00:00.000Z');
  });

  it('has charges below 0 and credits and payments above 0, each with the balance after it', () => {
    const signs = { charge: [-1], credit: [1], payment: [1], adjustment: [-1, 1], tax: [-1] };
    let balance = 0;
    for (const { type, amount, balanceAfter } of entries.toReversed()) {
      expect(signs[type as TransferType]).toContain(Math.sign(amount));
      balance += Math.round(amount * 100);
      expect(Math.round(balanceAfter * 100)).toBe(balance);
    }
  });

  it('has money as numbers with at most two decimals', async () => {
    const { text } = await get('?pageSize=100');
    const amounts = [
      ...text.matchAll(
        /"(?:currentBalance|creditLimit|held|subtotal|credits|total|amountDue|amount|balanceAfter)":([^,}]+)/g,
      ),
    ];
    expect(amounts.length).toBeGreaterThan(90);
    for (const [, amount = ''] of amounts) expect(amount).toMatch(/^-?\d+(?:\.\d{1,2})?$/);
  });

  it('has no limit if none is set, and a limit of 0 for prepaying partners', async () => {
    const limits = await Promise.all(
      ['payer', 'free', 'resting'].map(async (key) => (await get('', await market.buyerToken(key))).json.creditLimit),
    );
    expect(limits).toEqual([0, null, null]);
  });

  it.each([1, 2, 7, 25, 45, 46, 47, 100])(
    'in pages of %i is the same ledger, followed by its own links',
    async (pageSize) => {
      const seen: Json[] = [];
      let next: string | undefined = `${PATH}?pageSize=${pageSize}`;
      let pages = 0;
      while (next !== undefined) {
        const response = await getAsBuyer(market.url, token, next);
        pages += 1;
        const { page, pageSize: size, total, totalPages, data } = response.json.ledger;
        expect([page, size, total, totalPages]).toEqual([pages, pageSize, 46, Math.ceil(46 / pageSize)]);
        seen.push(...data);
        next = linksOf(response)['next'];
      }
      expect(seen).toEqual(entries);
    },
  );

  it('past its end has an empty page that leads back, with the other members unchanged', async () => {
    for (const page of [3, 999_999_999_999_999]) {
      const response = await get(`?page=${page}`);
      const { ledger, ...rest } = response.json;
      expect([response.status, ledger]).toEqual([200, { page, pageSize: 25, total: 46, totalPages: 2, data: [] }]);
      expect(rest.invoices).toHaveLength(1);
      expect([linksOf(response)['next'], linksOf(response)['prev']]).toEqual([undefined, `${PATH}?page=2`]);
    }
    const { page, totalPages } = (await get('', await market.buyerToken('free'))).json.ledger;
    expect([page, totalPages]).toEqual([1, 0]);
  });

  it.each([
    ['page=0', 'page', 'out_of_range'],
    ['page=1.5', 'page', 'wrong_type'],
    ['page=', 'page', 'empty'],
    ['page=1&page=2', 'page', 'repeated'],
    ['pageSize=0', 'pageSize', 'out_of_range'],
    ['pageSize=101', 'pageSize', 'out_of_range'],
    ['pageSize=ten', 'pageSize', 'wrong_type'],
  ])('rejects %s', async (query, field, code) => {
    const response = await get(`?${query}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors).toMatchObject([{ field, code }]);
  });

  it('contains nothing of another partner', async () => {
    const { json } = await get('', harbor);
    expect([json.partnerKey, json.currentBalance, json.invoices, json.ledger.total]).toEqual(['harbor', 0.07, [], 1]);
    const refused = await Promise.all([get('', 'lmb_nobody'), get('', await market.buyerToken('frozen'))]);
    expect(refused.map(({ status, json: { code } }) => [status, code])).toEqual([
      [401, 'unauthorized'],
      [403, 'partner_suspended'],
    ]);
  });

  it('rejects other methods than GET', async () => {
    const response = await postAsBuyer(market.url, token, PATH, { body: {} });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('has a balance that is the sum of its entries at any instant, during concurrent postings', async () => {
    const buyer = await market.buyerToken('resting');
    const kinds = ['charge', 'credit', 'payment', 'adjustment'] as const;
    let isPosting = true;
    const writing = Promise.all(
      kinds.map(async (kind) => {
        for (let turn = 0; turn < 10; turn += 1) {
          const postings = [posting('resting', kind, 333), posting('resting', 'charge', 100)];
          await market.database.tx((tx) => postTransfers(tx, postings, clock.now()));
        }
      }),
    ).finally(() => (isPosting = false));
    const faults: unknown[] = [];
    let isLast = false;
    while (!isLast) {
      isLast = !isPosting;
      const { currentBalance, ledger } = (await get('?pageSize=100', buyer)).json;
      const cents = ledger.data.reduce((sum: number, { amount }: Json) => sum + Math.round(amount * 100), 0);
      if (cents !== Math.round(currentBalance * 100) || ledger.data.length !== ledger.total)
        faults.push({ cents, currentBalance, total: ledger.total });
    }
    await writing;
    expect(faults).toEqual([]);
    expect((await get('', buyer)).json.ledger.total).toBe(80);
  });

  describe('The document of an invoice', () => {
    const document = (id: string, accept?: string, as = token): Promise<Response> =>
      fetch(`${market.url}${PATH}/invoices/${id}`, {
        headers: { authorization: `Bearer ${as}`, ...(accept === undefined ? {} : { accept }) },
      });

    it('is a PDF unless HTML is preferred', async () => {
      for (const accept of [undefined, '*/*', 'application/pdf', 'application/json']) {
        const response = await document(invoice.invoiceId, accept);
        const bytes = Buffer.from(await response.arrayBuffer());
        expect([response.status, response.headers.get('content-type'), bytes.subarray(0, 5).toString()]).toEqual([
          200,
          'application/pdf',
          '%PDF-',
        ]);
        expect(response.headers.get('content-disposition')).toBe('inline; filename="INV-2026-000001.pdf"');
        expect([response.headers.get('cache-control'), response.headers.get('vary')]).toEqual(['no-store', 'Accept']);
      }
    });

    it('is an HTML page that shows a name as text', async () => {
      const response = await document(invoice.invoiceId, 'text/html,application/xhtml+xml,*/*;q=0.8');
      const html = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; img-src data:; style-src 'sha256-\S+';/,
      );
      expect(html).toContain('Summit &lt;script&gt;alert(1)&lt;/script&gt;');
      expect(html).not.toContain('<script');
      for (const text of ['INV-2026-000001', 'America/Los_Angeles', '300.30', '-5.00', '195.30 USD']) {
        expect(html).toContain(text);
      }
    });

    it('is the same 404 for another partner’s invoice, an unknown id and a malformed one', async () => {
      const unknown = typeId('invoice', '0198a000-0000-7000-8000-000000000001' as InvoiceId);
      const others = [
        unknown,
        'inv_',
        'INV-2026-000001',
        invoice.invoiceId.toUpperCase(),
        `${invoice.invoiceId}x`,
        'x',
      ];
      const paths = [...others, 'dlv_01m7wyk0h2emp81qch4dvtyn6a', '%00', '..%2f..'].map(
        (id) => `${PATH}/invoices/${id}`,
      );
      const responses = await Promise.all([
        getAsBuyer(market.url, harbor, `${PATH}/invoices/${invoice.invoiceId}`),
        ...paths.map((path) => getAsBuyer(market.url, token, path)),
      ]);
      for (const response of responses) {
        expect(problemFacts(response)).toEqual(problem(404, 'not_found'));
        expect(response.json.detail).toBe(responses[0]?.json.detail);
      }
    });

    it('is available to its partner alone, and read-only', async () => {
      const path = `${market.url}${PATH}/invoices/${invoice.invoiceId}`;
      expect((await call(path)).status).toBe(401);
      expect((await document(invoice.invoiceId, undefined, await market.buyerToken('frozen'))).status).toBe(403);
      const removed = await call(path, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
      expect([removed.status, removed.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      const head = await call(path, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
      expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'application/pdf', '']);
    });
  });
});

/** The URLs of a Link header by their relation. */
function linksOf({ headers }: ApiResponse): Record<string, string> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([a-z]+)"/g)];
  return Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, url]));
}
