// Tests the monthly runs that happen by themselves, payment from the balance, and offers that pause for low funds (contract 4.7, 6.20).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { newUuid } from '../../src/base/ids.ts';
import { readBuyer } from '../../src/buyers/read-buyers.ts';
import { invoiceIssuer } from '../../src/invoices/bill-partners.ts';
import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { findInvoices } from '../../src/invoices/find-invoices.ts';
import type { Invoice } from '../../src/invoices/invoice.ts';
import { readBillingRuns } from '../../src/invoices/read-billing-runs.ts';
import { runBilling } from '../../src/invoices/run-billing.job.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferType } from '../../src/ledger/transfer.rules.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

type Billing = { readonly billing?: string; readonly partners: readonly string[] };

const yaml = ({ billing = '{}', partners }: Billing): string =>
  [
    'marketplace:',
    `  billing: ${billing}`,
    'suppliers: [{ key: acme }]',
    'partners:',
    ...partners.map((line) => `  - ${line}`),
  ].join('\n');

const WEST = '{ key: west, name: West, timeZone: America/Los_Angeles, channels: [] }';
const EAST = '{ key: east, name: East, timeZone: UTC, channels: [], billing: { taxPercent: 8.25, dueDays: 5 } }';

let market: TestMarketplace;
let clock: HandClock;

async function open(file: Billing, at: string): Promise<void> {
  clock = handClock(at);
  market = await startTestMarketplace({ yaml: yaml(file), clock });
}

const post = (buyerKey: string, type: TransferType, amountCents: number) =>
  market.database.tx((tx) =>
    postTransfers(
      tx,
      [{ businessKey: newUuid(), type, buyerKey, amountCents, description: `Some ${type}` }],
      clock.now(),
    ),
  );
const tick = async (name: string): Promise<void> => {
  await scheduledJobs(market.database, clock)
    .find((job) => job.name === name)
    ?.run();
};
const invoices = (): Promise<Invoice[]> =>
  market.database.tx((tx) => findInvoices(tx, { buyerKey: null, status: null, after: null, limit: 100 }, clock.now()));
const issued = async (): Promise<string[]> =>
  (await invoices()).map(({ buyerKey, month, number }) => `${buyerKey} ${month} ${number}`).toSorted();
const expectNoFaults = async (): Promise<void> => {
  const faults = await market.database.tx(async (tx) => [
    ...(await checkLedger(tx)).faults,
    ...(await checkInvoices(tx)),
  ]);
  expect(faults).toEqual([]);
};

describe('The monthly run', () => {
  beforeAll(() => open({ partners: [WEST, EAST] }, '2026-10-10T12:00:00.000Z'));
  afterAll(() => market.close());

  it('issues nothing for months before it was switched on', async () => {
    await post('west', 'charge', 4500);
    clock.set('2026-11-20T12:00:00.000Z');
    await tick('bill');
    expect(await issued()).toEqual([]);
    await post('west', 'charge', 1000);
    await post('east', 'charge', 2000);
  });

  it('issues on the set day of each partner’s time zone, with tax and terms', async () => {
    clock.set('2026-12-01T00:30:00.000Z');
    await tick('bill');
    const [invoice, ...others] = await invoices();
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      ...{
        buyerKey: 'east',
        month: '2026-11',
        taxBasisPoints: 825,
        taxCents: 165,
        totalCents: 2165,
        amountDueCents: 2165,
      },
      dueAt: new Date('2026-12-06T00:30:00.000Z'),
    });
    clock.set('2026-12-01T08:30:00.000Z');
    await tick('bill');
    expect(await issued()).toEqual(['east 2026-11 INV-2026-000001', 'west 2026-11 INV-2026-000002']);
    const [runs] = await market.database.tx((tx) => readBillingRuns(tx, clock.now()));
    expect(runs).toMatchObject({
      ...{ isOn: true, coveredFrom: '2026-11', nextRun: '2027-01-01', failures: [] },
      runs: [{ month: '2026-11', issued: 2, existed: 0, none: 0, failed: 0, completedAt: clock.now() }],
    });
    await expectNoFaults();
  });

  it('catches up on missed months, once, with two runs at the same time', async () => {
    for (const day of ['2026-12-10', '2027-01-10', '2027-02-10']) {
      clock.set(`${day}T12:00:00.000Z`);
      await post('west', 'charge', 500);
    }
    clock.set('2027-03-02T12:00:00.000Z');
    await Promise.all([tick('bill'), tick('bill'), tick('bill')]);
    expect((await issued()).filter((one) => one.startsWith('west'))).toEqual([
      'west 2026-11 INV-2026-000002',
      'west 2026-12 INV-2027-000001',
      'west 2027-01 INV-2027-000002',
      'west 2027-02 INV-2027-000003',
    ]);
    await tick('bill');
    expect(await issued()).toHaveLength(5);
    await expectNoFaults();
  });

  it('stores a failure with its text, tries it again, and loses nothing of the others', async () => {
    await post('west', 'charge', 700);
    await post('east', 'charge', 700);
    clock.set('2027-04-02T12:00:00.000Z');
    const broken = {
      ...invoiceIssuer,
      issue: async (...[tx, input, now]: Parameters<typeof invoiceIssuer.issue>) => {
        const issuing = await invoiceIssuer.issue(tx, input, now);
        // After all of its statements, as a process that is killed before the commit.
        if (input.ownerKey === 'east') throw new Error('the process was killed');
        return issuing;
      },
    };
    const run = runBilling({ database: market.database, clock, issuers: [broken], withinMs: 60_000 });
    await expect(run).rejects.toThrow('1 documents could not be issued');
    const [failed] = await market.database.tx((tx) => readBillingRuns(tx, clock.now()));
    expect(failed).toMatchObject({
      runs: [{ month: '2027-03', issued: 1, failed: 1, completedAt: null }, {}, {}, {}, {}],
      failures: [{ month: '2027-03', ownerKey: 'east', error: 'the process was killed' }],
    });
    await tick('bill');
    const [after] = await market.database.tx((tx) => readBillingRuns(tx, clock.now()));
    expect(after?.runs[0]).toMatchObject({ month: '2027-03', issued: 2, failed: 0, completedAt: clock.now() });
    expect(after?.failures).toEqual([]);
    // Without a gap in the numbers.
    await expectNoFaults();
  });

  it('stops while it is switched off, and covers no month of that time', async () => {
    await market.apply(yaml({ billing: '{ invoices: false }', partners: [WEST, EAST] }));
    await post('west', 'charge', 900);
    clock.set('2027-05-02T12:00:00.000Z');
    await tick('bill');
    expect((await issued()).at(-1)).toBe('west 2027-03 INV-2027-000004');
    await market.apply(yaml({ partners: [WEST, EAST] }));
    await tick('bill');
    expect((await issued()).at(-1)).toBe('west 2027-03 INV-2027-000004');
    await post('west', 'charge', 900);
    clock.set('2027-06-01T12:00:00.000Z');
    await tick('bill');
    // April waits for a run by hand.
    expect((await issued()).at(-1)).toMatch(/^west 2027-05 /);
  });

  it('pays open invoices from a payment without a number, the oldest first, before they become overdue', async () => {
    const due = async (): Promise<Array<readonly [string, string, number]>> =>
      (await invoices())
        .filter(({ buyerKey }) => buyerKey === 'west')
        .map(({ month, status, amountDueCents }) => [month, status, amountDueCents] as const)
        .toReversed();
    await post('west', 'payment', 1700);
    await Promise.all([tick('mark-overdue-invoices'), tick('mark-overdue-invoices')]);
    expect(await due()).toEqual([
      ['2026-11', 'paid', 0],
      ['2026-12', 'paid', 0],
      ['2027-01', 'overdue', 300],
      ['2027-02', 'overdue', 500],
      ['2027-03', 'overdue', 700],
      ['2027-05', 'issued', 900],
    ]);
    await expectNoFaults();
  });

  it('notifies once of each invoice, when it is overdue, and of the latest reminder that is due, until it is paid', async () => {
    await tick('mark-overdue-invoices');
    const numbers = (await invoices())
      .filter(({ buyerKey, month }) => buyerKey === 'west' && month === '2027-05')
      .map(({ number }) => number);
    const seen = async (): Promise<string[]> =>
      (
        await select<{ text: string }>(
          market.database,
          `SELECT concat_ws(' ', kind, data->>'reminder') AS text FROM notice
           WHERE recipient_key = 'west' AND data->>'number' = $1 ORDER BY raised_at, kind`,
          numbers,
        )
      ).map(({ text }) => text);
    expect(await seen()).toEqual(['invoice.issued']);
    clock.set('2027-06-15T12:00:00.000Z');
    await Promise.all([tick('mark-overdue-invoices'), tick('mark-overdue-invoices')]);
    await tick('mark-overdue-invoices');
    expect(await seen()).toEqual(['invoice.issued', 'invoice.overdue']);
    // Seven days and fourteen days are over.
    clock.set('2027-06-30T12:00:00.000Z');
    await Promise.all([tick('mark-overdue-invoices'), tick('mark-overdue-invoices')]);
    await tick('mark-overdue-invoices');
    expect(await seen()).toEqual(['invoice.issued', 'invoice.overdue', 'invoice.reminder 2']);
    await post('west', 'payment', 2400);
    clock.set('2027-08-30T12:00:00.000Z');
    await tick('mark-overdue-invoices');
    expect(await seen()).toHaveLength(3);
  });

  it('issues the statements of suppliers as well', async () => {
    const [, statements] = await market.database.tx((tx) => readBillingRuns(tx, clock.now()));
    expect(statements?.runs.length).toBeGreaterThan(0);
    expect(statements?.failures).toEqual([]);
  });
});

describe('Receipts', () => {
  const PARTNERS = [
    '{ key: west, name: West, timeZone: America/Los_Angeles, channels: [], billing: { mode: prepaid, taxId: W-1, address: [1 Pier] } }',
    EAST,
  ];
  beforeAll(() =>
    open({ billing: '{ address: [2 Market Street], taxId: M-1 }', partners: PARTNERS }, '2026-10-10T12:00:00.000Z'),
  );
  afterAll(() => market.close());

  it('are issued once for each payment of a prepaid partner, with documents that no other partner reads', async () => {
    await post('west', 'payment', 10_000);
    await post('east', 'payment', 500);
    await Promise.all([tick('issue-receipts'), tick('issue-receipts')]);
    await post('west', 'payment', 2500);
    await post('west', 'adjustment', 100);
    await tick('issue-receipts');
    await tick('issue-receipts');
    const west = await market.signedIn.buyer('west');
    const east = await market.signedIn.buyer('east');
    const { json } = await west.get('/portal/api/v1/buyer/billing');
    expect(json.receipts).toEqual([
      expect.objectContaining({ number: 'RCP-2026-000002', amount: 25, description: 'Some payment' }),
      expect.objectContaining({ number: 'RCP-2026-000001', amount: 100, paidAt: clock.now().toISOString() }),
    ]);
    expect((await east.get('/portal/api/v1/buyer/billing')).json.receipts).toEqual([]);
    const path = `/portal/api/buyer/receipts/${String(json.receipts[1].receiptId)}`;
    const page = await west.get(path, { accept: 'text/html' });
    for (const text of ['Receipt RCP-2026-000001', 'Tax id W-1', 'Tax id M-1', '1 Pier', '2 Market Street', '100.00'])
      expect(page.text).toContain(text);
    expect((await west.get(path)).text).toMatch(/^%PDF/);
    expect([(await east.get(path)).status, (await east.get(path.slice(0, -1))).status]).toEqual([404, 404]);
    const notices = await select<{ text: string }>(
      market.database,
      `SELECT recipient_key || ' ' || (data->>'reference') || ' ' || (data->>'balance') AS text FROM notice
       WHERE kind = 'payment.received' ORDER BY 1`,
    );
    expect(notices.map(({ text }) => text)).toEqual([
      'east Some payment 5',
      'west RCP-2026-000001 100',
      'west RCP-2026-000002 125',
    ]);
  });
});

describe('Offers of a partner', () => {
  const PREPAID =
    '{ key: west, channels: [], billing: { mode: prepaid, pauseBelow: 100.00 }, offers: [{ key: w1, eventType: Lead Sale, payout: 45.00 }] }';
  beforeAll(() => open({ partners: [PREPAID] }, '2026-10-10T12:00:00.000Z'));
  afterAll(() => market.close());
  const pausedAt = async (): Promise<Date | null | undefined> =>
    (await market.database.tx((tx) => readBuyer(tx, 'west')))?.fundsPausedAt;

  it('pause while its funds are below the threshold, and go on when they are back', async () => {
    await Promise.all([tick('pause-for-funds'), tick('pause-for-funds')]);
    expect(await pausedAt()).toEqual(clock.now());
    const notices = `SELECT recipient_key AS partner, data FROM notice WHERE kind = 'offer.paused'`;
    const raised = [{ partner: 'west', data: { offer: 'all offers', available: 0, threshold: 100 } }];
    expect(await select(market.database, notices)).toEqual(raised);
    const buyer = await market.signedIn.buyer('west');
    const offers = await buyer.get('/portal/api/buyer/offers');
    expect(offers.json.offers[0].stop).toMatchObject({
      code: 'funds_paused',
      text: 'Paused: the available funds are below $100.00',
    });
    await post('west', 'payment', 10_000);
    await tick('pause-for-funds');
    expect(await pausedAt()).toBeNull();
    expect(await select(market.database, notices)).toEqual(raised);
    await market.runtime.refresh();
    expect((await buyer.get('/portal/api/buyer/offers')).json.offers[0].stop).toBeNull();
  });
});
