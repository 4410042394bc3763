// Tests statements, payouts and earnings of suppliers on the ledger (contract 11.3, 11.4).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type EarningMarket, earningMarket, earningYaml } from './earning-market.ts';

let market: TestMarketplace;
let money: EarningMarket;
let suppliers = 0;

/** A fresh supplier, so that tests do not share an account. */
async function fresh(timeZone = 'UTC'): Promise<string> {
  suppliers += 1;
  const key = `fresh-${suppliers}`;
  await market.apply(`${earningYaml}  - { key: ${key}, name: Fresh, status: approved, timeZone: ${timeZone} }\n`);
  return key;
}

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: earningYaml, role: 'api' });
  money = earningMarket(market.database);
});
afterAll(() => market.close());
/** Throws after a test that left the ledger or the statements with faults. */
afterEach(async () => {
  const faults = await money.faults();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

describe('A statement of a supplier', () => {
  it('has the entries of the month in its time zone, and the balance before and after them', async () => {
    const key = await fresh('America/New_York');
    await money.cost(key, 100, '2026-10-01T03:59:59.999Z');
    const first = await money.cost(key, 1200, '2026-10-01T04:00:00.000Z');
    await money.cost(key, 1500, '2026-11-01T03:59:59.999Z', 14);
    await money.clawback(key, first, 1200, '2026-11-01T03:59:59.999Z');
    await money.cost(key, 7, '2026-11-01T04:00:00.000Z');
    const september = await money.issued(key, '2026-09', '2026-11-05T12:00:00Z');
    expect(september).toMatchObject({ leads: 1, earnedCents: 100, carriedCents: 0, totalCents: 100, fromVersion: 1 });
    expect(await money.issued(key, '2026-10', '2026-11-05T12:00:00Z')).toMatchObject({
      number: expect.stringMatching(/^ST-2026-\d{6}$/),
      startsAt: new Date('2026-10-01T04:00:00.000Z'),
      endsAt: new Date('2026-11-01T04:00:00.000Z'),
      ...{ fromVersion: 2, upToVersion: 4, leads: 2 },
      ...{ carriedCents: 100, earnedCents: 2700, clawedBackCents: 1200, paidOutCents: 0, adjustedCents: 0 },
      ...{ totalCents: 1600, heldCents: 1500 },
    });
  });

  it('is issued once, and a repeat returns it unchanged', async () => {
    const key = await fresh();
    await money.cost(key, 1200, '2026-10-15T12:00:00Z');
    const issued = await money.issued(key, '2026-10', '2026-11-01T00:00:00Z');
    await money.cost(key, 5, '2026-11-01T12:00:00Z');
    const again = await money.issue(key, '2026-10', '2026-12-05T00:00:00Z');
    expect(again).toEqual({ ok: true, value: { kind: 'exists', statement: issued } });
  });

  it('is refused before the month is over', async () => {
    const key = await fresh('America/Los_Angeles');
    await money.cost(key, 1200, '2026-10-15T12:00:00Z');
    expect(await money.issue(key, '2026-10', '2026-11-01T06:59:59.999Z')).toEqual({
      ok: false,
      code: 'month_not_over',
    });
  });

  it('has entries that were posted late, after the one of their own month', async () => {
    const key = await fresh();
    await money.cost(key, 1000, '2026-10-15T12:00:00Z');
    const october = await money.issued(key, '2026-10', '2026-11-01T00:00:01Z');
    // Its transaction began before the end of the month and committed after the statement.
    await money.cost(key, 30, '2026-10-31T23:59:59.900Z');
    await money.cost(key, 4, '2026-11-02T12:00:00Z');
    const november = await money.issued(key, '2026-11', '2026-12-01T00:00:00Z');
    expect([october.totalCents, november.carriedCents, november.earnedCents]).toEqual([1000, 1000, 34]);
    expect(november.fromVersion).toBe(october.upToVersion + 1);
  });

  it('loses and repeats nothing if the clock jumped over the end of a month and back', async () => {
    const key = await fresh();
    await money.cost(key, 1, '2026-10-15T12:00:00Z');
    await money.cost(key, 2, '2027-03-01T12:00:00Z');
    await money.cost(key, 4, '2026-10-16T12:00:00Z');
    const october = await money.issued(key, '2026-10', '2026-11-02T00:00:00Z');
    await money.cost(key, 8, '2026-11-16T12:00:00Z');
    const november = await money.issued(key, '2026-11', '2026-12-02T00:00:00Z');
    expect([october.earnedCents, november.earnedCents, november.totalCents]).toEqual([7, 8, 15]);
  });

  it('carries a balance that nothing changed, and does not exist for one of 0', async () => {
    const key = await fresh();
    expect(await money.issue(key, '2026-09', '2026-11-02T00:00:00Z')).toMatchObject({ value: { kind: 'none' } });
    await money.cost(key, 900, '2026-10-15T12:00:00Z');
    await money.issued(key, '2026-10', '2026-12-02T00:00:00Z');
    const november = await money.issued(key, '2026-11', '2026-12-02T00:00:00Z');
    expect(november).toMatchObject({ leads: 0, carriedCents: 900, totalCents: 900, fromVersion: 2, upToVersion: 1 });
    await money.pay(key, 900, 'all', '2026-12-03T00:00:00Z');
    expect(await money.issued(key, '2026-12', '2027-01-02T00:00:00Z')).toMatchObject({
      paidOutCents: 900,
      totalCents: 0,
    });
    expect(await money.issue(key, '2027-01', '2027-02-02T00:00:00Z')).toMatchObject({ value: { kind: 'none' } });
    // A month before the latest statement has nothing left.
    expect(await money.issue(key, '2026-09', '2027-02-02T00:00:00Z')).toMatchObject({ value: { kind: 'none' } });
  });

  it('is issued once by ten runs at the same time, and numbers have no gap', async () => {
    const key = await fresh();
    const other = await fresh();
    await money.cost(key, 1200, '2026-10-15T12:00:00Z');
    await money.cost(other, 1300, '2026-10-15T12:00:00Z');
    const runs = await Promise.all(
      Array.from({ length: 10 }, (_item, index) =>
        money.issue(index % 2 === 0 ? key : other, '2026-10', '2026-11-02T00:00:00Z'),
      ),
    );
    const kinds = runs.map((run) => (run.ok ? run.value.kind : run.code)).toSorted();
    expect(kinds).toEqual([...Array.from({ length: 8 }, () => 'exists'), 'issued', 'issued']);
  });

  it('cannot be changed or deleted', async () => {
    for (const table of ['supplier_statement', 'supplier_statement_item', 'supplier_payout']) {
      await expect(market.database.pool.query(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
    }
    await expect(market.database.pool.query('UPDATE supplier_statement SET total_cents = 0')).rejects.toThrow(
      /append-only/,
    );
  });
});

describe('A payout', () => {
  it('is posted once per reference', async () => {
    const key = await fresh();
    await money.cost(key, 5000, '2026-10-15T12:00:00Z');
    const [one, two] = await Promise.all([
      money.pay(key, 2000, 'SEPA 1', '2026-11-02T00:00:00Z'),
      money.pay(key, 2000, 'SEPA 1', '2026-11-02T00:00:01Z'),
    ]);
    expect([one, two].filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1);
    expect([one.ok, two.ok]).toEqual([true, true]);
    expect(await money.pay(key, 2001, 'SEPA 1', '2026-11-02T00:00:02Z')).toEqual({
      ok: false,
      code: 'payout_reference_reused',
      detail: 'The payout SEPA 1 was recorded with 20.00, not 20.01.',
    });
  });

  it('is refused beyond the balance, also if two are recorded at the same time', async () => {
    const key = await fresh();
    await money.cost(key, 5000, '2026-10-15T12:00:00Z');
    const both = await Promise.all(['a', 'b'].map((name) => money.pay(key, 3000, name, '2026-11-02T00:00:00Z')));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toEqual({
      ok: false,
      code: 'payout_exceeds_balance',
      detail: `The balance of ${key} is 20.00: 30.00 cannot be paid out.`,
    });
    expect(await money.pay('nobody', 1, 'x', '2026-11-02T00:00:00Z')).toMatchObject({ code: 'supplier_not_found' });
  });
});

describe('The earnings', () => {
  it('are the same before and after the days are folded', async () => {
    const key = await fresh('America/New_York');
    const kept = await money.cost(key, 1000, '2026-10-30T12:00:00Z', 14);
    const returned = await money.cost(key, 500, '2026-11-02T03:59:00Z', 14);
    await money.clawback(key, returned, 500, '2026-11-03T12:00:00Z');
    await money.clawback(key, kept, 400, '2026-11-04T12:00:00Z');
    const before = await money.earnings(key, 5, '2026-11-04T15:00:00Z');
    expect(before).toMatchObject({ balanceCents: 600, heldCents: 600, payableCents: 0 });
    expect(
      before.days.map(({ date, leads, earnedCents, clawedBackCents }) => [date, leads, earnedCents, clawedBackCents]),
    ).toEqual([
      ['2026-10-31', 0, 0, 0],
      // 3:59 UTC is the evening before in New York.
      ['2026-11-01', 1, 500, 0],
      ['2026-11-02', 0, 0, 0],
      ['2026-11-03', 0, 0, 500],
      ['2026-11-04', 0, 0, 400],
    ]);
    await money.fold(key);
    expect(await money.earnings(key, 5, '2026-11-04T15:00:00Z')).toEqual(before);
    await money.fold(key);
    await money.cost(key, 100, '2026-11-04T14:00:00Z', 14);
    await money.pay(key, 200, 'early', '2026-11-04T14:30:00Z');
    expect(await money.earnings(key, 1, '2026-11-04T15:00:00Z')).toMatchObject({
      ...{ balanceCents: 500, heldCents: 700, payableCents: 0 },
      totals: { leads: 1, earnedCents: 100, clawedBackCents: 400, paidOutCents: 200, adjustedCents: 0 },
      payouts: [{ reference: 'early', amountCents: 200 }],
    });
    // 14 days after October 30 the hold of that day ends.
    expect(await money.earnings(key, 1, '2026-11-13T15:00:00Z')).toMatchObject({ heldCents: 100, payableCents: 400 });
  });

  it('do not change what a statement holds, at the time of any fold', async () => {
    const held: number[] = [];
    for (const foldAt of ['never', 'before', 'after'] as const) {
      const key = await fresh();
      const old = await money.cost(key, 1000, '2026-10-05T12:00:00Z', 14);
      await money.cost(key, 300, '2026-10-30T12:00:00Z', 14);
      if (foldAt === 'before') await money.fold(key);
      const late = await money.cost(key, 200, '2026-10-31T12:00:00Z', 14);
      await money.clawback(key, old, 1000, '2026-10-31T13:00:00Z');
      await money.clawback(key, late, 200, '2026-11-01T13:00:00Z');
      if (foldAt === 'after') await money.fold(key);
      held.push((await money.issued(key, '2026-10', '2026-11-02T00:00:00Z')).heldCents);
    }
    expect(held).toEqual([500, 500, 500]);
  });
});
