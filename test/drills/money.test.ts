// Runs 250,000 random operations on the money of nine partners and three suppliers, on three concurrent lanes, with prices that partners name and
// leads that they reject, and compares the ledger, the invoices and the statements with a model. `npm run test:money` runs a million, in transactions four times as large.
import { describe, expect, it } from 'vitest';

import { checkReports } from '../../src/reports/check-reports.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { checkStatements } from '../../src/statements/check-statements.ts';
import { saveSuppliers } from '../../src/suppliers/save-suppliers.ts';
import { supplierOfRow } from '../../src/suppliers/supplier-form.rules.ts';
import { type BillingMarket, openBillingMarket } from '../invoices/billing-market.ts';
import { createMoneyModel, type ModelPartner } from '../ledger/money-model.ts';
import { planMoney, type Round, type Step } from '../ledger/money-plan.ts';
import { accountFaults, historyFaults, perform, statementFaults } from '../ledger/money-run.ts';
import { createSupplierModel, type ModelSupplier } from '../ledger/supplier-model.ts';

type Input = { readonly seed: number; readonly operations: number; readonly batch: number };

// MONEY_OPERATIONS is the number of operations, MONEY_SEED the random seed, MONEY_BATCH the mean number of operations per transaction.
const INPUT: Input = {
  seed: Number(process.env['MONEY_SEED'] ?? 20_261_120),
  operations: Number(process.env['MONEY_OPERATIONS'] ?? 250_000),
  batch: Number(process.env['MONEY_BATCH'] ?? 375),
};
/** After a fault, smaller transactions are tried as well: their reports are easier to read. */
const SMALLER_BATCHES = [1, 6, 40];
const SMALLER_TRANSACTIONS = 2000;
const LANES = 3;
const CHECKS = 3;
const TAXES = [0, 825, 1900];
const ZONES = ['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati', 'Asia/Kolkata', 'America/New_York'];

const tallied = {
  rounds: 0,
  operations: 0,
  refused: 0,
  answered: 0,
  unnamed: 0,
  rejected: 0,
  duplicates: 0,
  repeats: 0,
  races: 0,
  undone: 0,
  byHand: 0,
  invoices: 0,
  taxed: 0,
  payments: 0,
  voided: 0,
  claims: 0,
  costs: 0,
  clawbacks: 0,
  late: 0,
  sharedLeads: 0,
  termChanges: 0,
  statements: 0,
  statementRepeats: 0,
  payouts: 0,
  payoutsRefused: 0,
};
type Tally = typeof tallied;
/** `round` is the one after which the faults were found. */
type Result = { readonly faults: readonly string[]; readonly tally: Tally; readonly round: Round };

/** Runs until the service differs from the model, or all operations are done. */
async function run({ seed, operations, batch }: Input): Promise<Result> {
  const market = await openBillingMarket();
  try {
    const { lanes, shared } = await openPartners(market);
    const partners = [...lanes.flatMap(({ own }) => own), ...shared];
    const model = createMoneyModel(partners);
    const supply = createSupplierModel(await openSuppliers(market));
    const accounts = new Map([...model.accounts, ...supply.accounts]);
    const tally = { ...tallied };
    let checks = 0;
    for (const round of planMoney({ seed, batch, lanes, shared, model, supply })) {
      const faults = [...(await performRound(market, round)), ...(await accountFaults(market, accounts))];
      count(tally, round);
      Object.assign(tally, supply.tally);
      const isOver = tally.operations >= operations;
      if (faults.length === 0 && (isOver || tally.operations >= ((checks + 1) * operations) / CHECKS)) {
        checks += 1;
        faults.push(...(await messagesOf(() => market.expectNoFaults())));
        faults.push(...(await market.database.tx((tx) => checkStatements(tx), { snapshot: true, patient: true })));
      }
      if (isOver) {
        for (const partner of partners) {
          const how = { isOrdered: !shared.includes(partner), now: round.now };
          faults.push(...(await historyFaults(market, { model, partner, ...how })));
        }
        faults.push(...(await statementFaults(market, supply)));
        faults.push(...(await reportFaults(market, new Date(round.now))));
      }
      if (isOver || faults.length > 0) return { faults, tally, round };
    }
    throw new Error('the plan has no end');
  } finally {
    await market.close();
  }
}

/** Folds half of the changes, so that reports are added up from all that they are read from. */
async function reportFaults({ database }: BillingMarket, now: Date): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ waiting: number }>('SELECT count(*)::int AS waiting FROM report_change');
  const changes = Math.ceil((rows[0]?.waiting ?? 0) / 2) + 1;
  await database.tx((tx) => foldSome(tx, now, { changes, rows: 1, facts: Math.ceil(changes / 10) }), { patient: true });
  return database.tx((tx) => checkReports(tx), { snapshot: true, patient: true });
}

/** Per lane one prepaid partner and one with a credit limit, and three partners shared by all lanes. */
async function openPartners(market: BillingMarket) {
  let made = 0;
  const partner = async (limitCents: number | null): Promise<ModelPartner> => {
    const opened = await market.partner(ZONES[made % ZONES.length]);
    made += 1;
    // One in three pays no tax.
    return { ...opened, limitCents, taxBasisPoints: TAXES[made % TAXES.length] ?? 0 };
  };
  const lanes = [];
  for (let lane = 0; lane < LANES; lane += 1) lanes.push({ own: [await partner(0), await partner(50_000_000)] });
  return { lanes, shared: [await partner(null), await partner(null), await partner(null)] };
}

/** The first has the key of a partner. */
async function openSuppliers(market: BillingMarket): Promise<ModelSupplier[]> {
  const suppliers: ModelSupplier[] = [
    {
      supplierKey: 'partner-1',
      timeZone: 'America/Los_Angeles',
      terms: { model: 'share', rate: 6000, clawbackDays: 30 },
    },
    { supplierKey: 'fixed', timeZone: 'Pacific/Kiritimati', terms: { model: 'fixed', rate: 1234, clawbackDays: 30 } },
    { supplierKey: 'none', timeZone: 'UTC', terms: { model: 'none', rate: 0, clawbackDays: null } },
  ];
  const rows = suppliers.map(({ supplierKey, timeZone }) =>
    supplierOfRow({
      ...{ supplierKey, timeZone, name: supplierKey, status: 'approved', fieldMapping: [] },
      ...{ vertical: null, verticals: [], callback: null, rateLimit: null, pay: null },
    }),
  );
  await market.database.tx((tx) => saveSuppliers(tx, rows, new Date()));
  return suppliers;
}

/** Performs a round; returns the differences from the plan. */
async function performRound(market: BillingMarket, round: Round): Promise<string[]> {
  const walk = (steps: readonly Step[]): Promise<string[]> =>
    messagesOf(async () => {
      for (const step of steps) await perform(market, step, round);
    });
  const faults = (await Promise.all(round.lanes.map(walk))).flat();
  return faults.length > 0 ? faults : walk(round.after);
}

async function messagesOf(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function count(tally: Tally, { lanes, after }: Round): void {
  tally.rounds += 1;
  for (const step of [...lanes.flat(), ...after]) {
    if (step.what === 'transaction') {
      const { holds, charges, confirms, postings, releases } = step;
      tally.operations += holds.length + charges.length + postings.length + releases.length;
      tally.refused += holds.filter(({ isTaken }) => !isTaken).length;
      tally.answered += confirms.filter(({ least, named }) => least !== null && named !== null).length;
      tally.unnamed += confirms.filter(({ least, named }) => least !== null && named === null).length;
      tally.rejected += releases.filter(({ why }) => why === 'rejected').length;
      tally.duplicates += releases.filter(({ why }) => why === 'duplicate').length;
      tally.repeats += step.repeats;
      tally.races += step.races;
      tally.undone += step.undone === 'never' ? 0 : 1;
      continue;
    }
    tally.operations += 1;
    tally.claims += step.what === 'claim' ? 1 : 0;
    tally.byHand += step.what === 'by hand' ? 1 : 0;
    tally.invoices += step.what === 'issue' && typeof step.expected !== 'string' ? 1 : 0;
    tally.taxed += step.what === 'issue' && typeof step.expected !== 'string' && step.expected.tax > 0 ? 1 : 0;
    tally.payments += step.what === 'pay' && step.expected === 'ok' ? 1 : 0;
    tally.voided += step.what === 'void' && step.expected === 'ok' ? 1 : 0;
  }
}

/** The settings that repeat the run, the faults, and the steps of the round unless they are too long to read. */
function report({ seed, batch }: Input, { faults, tally, round }: Result): string {
  const again = `MONEY_SEED=${seed} MONEY_BATCH=${batch} MONEY_OPERATIONS=${tally.operations}`;
  const steps = JSON.stringify(round, null, 1);
  return [`${again}: round ${tally.rounds}`, ...faults.slice(0, 20), steps.length < 20_000 ? steps : ''].join('\n');
}

describe('Money', () => {
  it('keeps every balance, entry and invoice equal to the model under random concurrent operations', async () => {
    const result = await run(INPUT);
    console.log(`${INPUT.operations} operations on money, by seed ${INPUT.seed}: ${JSON.stringify(result.tally)}`);
    const reports = result.faults.length === 0 ? [] : [report(INPUT, result)];
    for (const batch of reports.length === 0 ? [] : SMALLER_BATCHES) {
      const smaller = { seed: INPUT.seed, batch, operations: batch * SMALLER_TRANSACTIONS };
      const again = await run(smaller);
      if (again.faults.length > 0) reports.unshift(report(smaller, again));
    }
    expect(reports.join('\n\n')).toBe('');
    // Each kind of step must occur; if one does not, adjust the weights of the plan.
    for (const [what, times] of Object.entries(result.tally))
      if (INPUT.operations >= 250_000) expect(times, what).toBeGreaterThan(3);
  });
});
