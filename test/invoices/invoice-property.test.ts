// Performs 20,000 random operations on the money of eight partners concurrently, and compares each partner with a model.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/base/ids.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { holdFunds, lockFunds, releaseFunds } from '../../src/ledger/funds.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { chance } from '../support/chance.ts';
import { type BillingMarket, openBillingMarket, type Partner } from './billing-market.ts';
import { createModel, type Kind, monthIn } from './billing-model.ts';

const OPERATIONS = 2500;
const PARTNERS = 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONES = [
  'America/Los_Angeles',
  'America/New_York',
  'UTC',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
];

let market: BillingMarket;
beforeAll(async () => {
  market = await openBillingMarket();
});
afterAll(() => market.close());

async function live(partner: Partner, seed: number): Promise<number> {
  const { database } = market;
  const { below, cents, pick } = chance(seed);
  const { buyerKey } = partner;
  const model = createModel();
  const pending: number[] = [];
  let timeZone = partner.timeZone;
  let now = Date.UTC(2026, 8, 20) + below(1000) * HOUR_MS;
  let done = 0;

  const postAll = async (kind: Kind, amounts: readonly number[], at: number, isHeld = false): Promise<void> => {
    const transfers = amounts.map((amountCents) => ({
      businessKey: `${kind}:${newUuid()}`,
      type: kind,
      buyerKey,
      amountCents,
      description: kind === 'charge' ? `Lead Sale LS-${below(999_999)}` : kind,
      ...(isHeld ? { releaseHeldCents: amountCents } : {}),
    }));
    await database.tx((tx) => postTransfers(tx, transfers, new Date(at)));
    for (const amount of amounts) model.record(kind, amount, at);
    done += amounts.length;
  };
  const someInvoice = () => pick(model.invoices);

  const steps: Record<string, () => Promise<void>> = {
    async sale() {
      const payouts = Array.from({ length: 1 + below(12) }, cents);
      await database.tx((tx) => holdFunds(tx, new Map([[buyerKey, payouts.reduce((one, other) => one + other, 0)]])));
      for (const payout of payouts) model.hold(payout);
      pending.push(...payouts);
      done += payouts.length;
    },
    async confirm() {
      const settled = pending.splice(0, 1 + below(12));
      // Slightly in the past, as after a slow commit: possibly in the previous month.
      await postAll('charge', settled, now - below(3) * below(2 * HOUR_MS), true);
      for (const payout of settled) model.hold(-payout);
    },
    async fail() {
      const payout = pending.pop();
      if (payout === undefined) return;
      await database.tx((tx) => releaseFunds(tx, new Map([[buyerKey, payout]])));
      model.hold(-payout);
      done += 1;
    },
    credit: () => postAll('credit', Array.from({ length: 1 + below(3) }, cents), now),
    payment: () => postAll('payment', [cents() * 4], now),
    adjustment: () => postAll('adjustment', [(below(2) === 0 ? 1 : -1) * cents()], now),
    async run() {
      const month = monthIn(timeZone, now - below(4) * 20 * DAY_MS);
      const input = market.inputFor({ ...partner, timeZone }, month);
      const isTwice = below(4) === 0;
      const calls = Array.from({ length: isTwice ? 2 : 1 }, () =>
        database.tx((tx) => issueInvoice(tx, input, new Date(now))),
      );
      const outcomes = await Promise.all(calls);
      const expected = model.run(month, timeZone, now);
      done += 1;
      const kinds = outcomes.map((outcome) => (outcome.ok ? outcome.value.kind : outcome.code)).toSorted();
      if (typeof expected === 'string') {
        expect(kinds).toEqual(outcomes.map(() => expected));
        return;
      }
      expect(kinds).toEqual(isTwice ? ['exists', 'issued'] : ['issued']);
      for (const outcome of outcomes) expected.number = outcome.ok ? (outcome.value.invoice?.number ?? '') : '';
    },
    async pay() {
      const invoice = someInvoice();
      if (invoice === undefined) return;
      const amount = below(3) === 0 ? null : below(3) === 0 ? invoice.due + cents() : cents();
      const outcome = await market.pay(invoice.number, amount, new Date(now));
      expect(outcome.ok ? 'ok' : outcome.code).toBe(model.pay(invoice, amount, now));
      done += 1;
    },
    async voided() {
      const invoice = someInvoice();
      if (invoice === undefined) return;
      const outcome = await market.void(invoice.number, new Date(now));
      expect(outcome.ok ? 'ok' : outcome.code).toBe(model.void(invoice));
      done += 1;
    },
    wait: () => Promise.resolve(void (now += below(72) * HOUR_MS)),
    move: () => Promise.resolve(void (timeZone = pick(ZONES) ?? timeZone)),
    /** Close to the end of a month in some time zone. */
    monthEnd() {
      const day = new Date(now);
      const end = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) + (below(27) - 13) * HOUR_MS + below(3) - 1;
      now = Math.max(now, end);
      return Promise.resolve();
    },
  };
  const weights: ReadonlyArray<readonly [string, number]> = [
    ['sale', 20],
    ['confirm', 22],
    ['fail', 4],
    ['credit', 8],
    ['payment', 5],
    ['adjustment', 3],
    ['run', 8],
    ['pay', 6],
    ['voided', 3],
    ['wait', 12],
    ['move', 2],
    ['monthEnd', 3],
  ];
  const names = weights.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

  const compare = async (): Promise<void> => {
    const funds = (await database.tx((tx) => lockFunds(tx, [buyerKey]))).get(buyerKey);
    expect(funds).toEqual({ balanceCents: model.balance(), heldCents: model.held() });
    const seen = (await market.invoices(partner, new Date(now))).map((invoice) => ({
      number: invoice.number,
      month: invoice.month,
      status: invoice.status,
      amounts: [
        invoice.subtotalCents,
        invoice.creditsCents,
        invoice.carriedInCents,
        invoice.carriedOutCents,
        invoice.totalCents,
        invoice.fromBalanceCents,
        invoice.paidCents,
        invoice.amountDueCents,
      ],
    }));
    const expected = model.invoices.map((one) => ({
      number: one.number,
      month: one.month,
      status: model.statusOf(one, now),
      amounts: [
        ...[one.subtotal, one.credits, one.carriedIn, one.carriedOut],
        Math.max(0, one.subtotal - one.credits - one.carriedIn),
        ...[one.fromBalance, one.paid, one.due],
      ],
    }));
    const byNumber = (one: { number: string }, other: { number: string }): number =>
      one.number < other.number ? -1 : 1;
    expect(seen.toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
  };

  for (let turn = 0; done < OPERATIONS; turn += 1) {
    await steps[pick(names) ?? '']?.();
    if (turn % 25 === 0) await compare();
  }
  await compare();
  return done;
}

describe('Invoices', () => {
  it('contain every charge and credit at most once, and agree with the model under random concurrent operations', async () => {
    const partners = await Promise.all(
      Array.from({ length: PARTNERS }, (_item, index) => market.partner(ZONES[index % 6])),
    );
    const done = await Promise.all(partners.map((partner, index) => live(partner, 20_261_120 + index)));
    expect(done.reduce((one, other) => one + other, 0)).toBeGreaterThanOrEqual(OPERATIONS * PARTNERS);
    await market.expectNoFaults();
    const [counts] = await market.rows(`SELECT
      (SELECT count(*) FROM invoice) AS invoices, (SELECT count(*) FROM invoice WHERE status = 'void') AS void,
      (SELECT count(*) FROM invoice_item WHERE day = 0) AS late, (SELECT count(*) FROM invoice WHERE carried_out_cents > 0) AS carried,
      (SELECT count(*) FROM invoice WHERE carried_to IS NOT NULL) AS carried_on`);
    // Each kind of step must occur; if one does not, adjust the weights.
    for (const [what, count] of Object.entries(counts ?? {})) expect(Number(count), what).toBeGreaterThan(5);
  });
});
