// Tests the commands `statements` and `payouts` (contract 7.2, 11.3).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { registerPayoutsCommands } from '../../src/statements/payouts.cli.ts';
import { registerStatementsCommands } from '../../src/statements/statements.cli.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { type EarningMarket, earningMarket, earningYaml } from './earning-market.ts';

const clock = handClock('2026-11-02T12:00:00.000Z');
let market: TestMarketplace;
let money: EarningMarket;
let folder: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: earningYaml, role: 'api' });
  money = earningMarket(market.database);
  folder = mkdtempSync(join(tmpdir(), 'statements-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await market.close();
});

function run(...argv: string[]): Promise<Captured & { readonly json: Json }> {
  return captureCommand(argv, (program, out) => {
    const context = contextOf(market.database, clock, out);
    registerStatementsCommands(program.command('statements'), context);
    registerPayoutsCommands(program.command('payouts'), context);
  });
}

describe('statements run', () => {
  it('explains why there is nothing to report', async () => {
    expect((await run('statements', 'run', '--month', '2026-10')).stdout).toBe(
      'Nothing to report for 2026-10: no supplier earned anything, and no balance is open.\n',
    );
    expect((await run('statements', 'run', '--month', '2026-10', '--supplier', 'nobody')).exitCode).toBe(1);
  });

  it('previews, issues, and does not change existing statements when repeated', async () => {
    await money.cost('east', 1200, '2026-10-05T12:00:00Z', 60);
    await money.cost('west', 1500, '2026-10-05T12:00:00Z');
    const amounts = { carried: 0, leads: 1, clawedBack: 0, paidOut: 0, adjusted: 0 };
    const seen = await run('statements', 'run', '--month', '2026-10', '--dry-run', '--json');
    expect([seen.exitCode, seen.json]).toEqual([
      0,
      {
        month: '2026-10',
        dryRun: true,
        data: [
          { outcome: 'due', supplier: 'east', ...amounts, earned: 12, total: 12, held: 12, payable: 0 },
          { outcome: 'due', supplier: 'west', ...amounts, earned: 15, total: 15, held: 0, payable: 15 },
        ],
      },
    ]);
    expect((await run('statements', 'list', '--json')).json).toEqual({ data: [] });
    const issued = await run('statements', 'run', '--month', '2026-10', '--json');
    expect(issued.json.data).toEqual([
      {
        outcome: 'issued',
        statementId: expect.stringMatching(/^stm_[0-9a-z]{26}$/),
        number: 'ST-2026-000001',
        supplier: 'east',
        month: '2026-10',
        timeZone: 'America/New_York',
        periodStart: '2026-10-01T04:00:00.000Z',
        periodEnd: '2026-11-01T04:00:00.000Z',
        currency: 'EUR',
        ...amounts,
        ...{ earned: 12, total: 12, held: 12, payable: 0 },
        issuedAt: '2026-11-02T12:00:00.000Z',
      },
      expect.objectContaining({ outcome: 'issued', number: 'ST-2026-000002', supplier: 'west' }),
    ]);
    const again = await run('statements', 'run', '--month', '2026-10', '--json');
    expect(again.json.data).toEqual(issued.json.data.map((one: Json) => ({ ...one, outcome: 'exists' })));
    expect((await run('statements', 'run', '--month', '2026-10')).stdout).toMatch(
      /All statements of 2026-10 already existed/,
    );
    const listed = await run('statements', 'list', '--limit', '1', '--json');
    expect(listed.json.data).toHaveLength(1);
    const rest = await run('statements', 'list', '--after', listed.json.next, '--json');
    expect(rest.json.data).toHaveLength(1);
    expect((await run('statements', 'list', '--supplier', 'west', '--month', '2026-09', '--json')).json.data).toEqual(
      [],
    );
  });

  it('rejects a month that is not over for all suppliers, and issues none', async () => {
    clock.set('2026-12-01T05:00:00.000Z');
    const all = await run('statements', 'run', '--month', '2026-11', '--json');
    expect([all.exitCode, all.json]).toEqual([
      1,
      {
        error: {
          code: 'month_not_over',
          message:
            '2026-11 is not over for west in America/Los_Angeles: it ends at 2026-12-01T08:00:00.000Z. Nothing was issued.',
        },
      },
    ]);
    clock.set('2026-12-02T12:00:00.000Z');
  });
});

describe('statements show', () => {
  it('writes HTML, PDF and CSV, with formulas made harmless', async () => {
    await money.adjust('east', 250, '2026-11-05T12:00:00Z', '=1+1, a bonus');
    await money.pay('east', 300, 'SEPA 7', '2026-11-06T12:00:00Z');
    await run('statements', 'run', '--month', '2026-11');
    const files = ['html', 'pdf', 'csv'].map((form) => join(folder, `statement.${form}`));
    const [html = '', pdf = '', csv = ''] = files;
    const shown = await run('statements', 'show', 'ST-2026-000003', '--html', html, '--pdf', pdf, '--csv', csv);
    expect([shown.exitCode, shown.stdout]).toEqual([0, `Wrote ${html} and ${pdf} and ${csv}.\n`]);
    expect(readFileSync(csv, 'utf8').split('\r\n')).toEqual([
      'externalId,leadId,time,kind,amount,reference',
      `,,2026-11-05T12:00:00.000Z,adjusted,2.50,"'=1+1, a bonus"`,
      ',,2026-11-06T12:00:00.000Z,paid_out,-3.00,SEPA 7',
      '',
    ]);
    expect(readFileSync(html, 'utf8')).toContain('East &lt;b&gt;');
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-');
    const text = (await run('statements', 'show', 'ST-2026-000003')).stdout;
    expect(text).toMatch(/Carried over from before: 12\.00\n(?:.*\n)*Balance in EUR: 11\.50\n/);
    const { json } = await run('statements', 'show', 'ST-2026-000003', '--json');
    expect(json).toMatchObject({
      supplier: 'east',
      total: 11.5,
      days: [
        { day: 5, adjusted: 2.5 },
        { day: 6, paidOut: 3 },
      ],
    });
    expect((await run('statements', 'show', 'ST-2026-999999')).exitCode).toBe(1);
  });
});

describe('payouts', () => {
  it('are recorded once, listed, and refused beyond the balance with the balance in the message', async () => {
    const record = (amount: string, reference: string) =>
      run('payouts', 'record', '--supplier', 'west', '--amount', amount, '--reference', reference, '--json');
    const first = await record('5.00', 'WIRE 1');
    expect(first.json).toEqual({
      payoutId: expect.stringMatching(/^txn_/),
      supplier: 'west',
      reference: 'WIRE 1',
      amount: 5,
      recordedAt: '2026-12-02T12:00:00.000Z',
      balanceAfter: 10,
    });
    expect((await record('5.00', 'WIRE 1')).json).toEqual(first.json);
    expect((await record('6.00', 'WIRE 1')).json.error.code).toBe('payout_reference_reused');
    const much = await record('10.01', 'WIRE 2');
    expect([much.exitCode, much.json.error]).toEqual([
      1,
      { code: 'payout_exceeds_balance', message: 'The balance of west is 10.00: 10.01 cannot be paid out.' },
    ]);
    const listed = await run('payouts', 'list', '--supplier', 'west', '--json');
    expect(listed.json).toEqual({ data: [first.json] });
  });
});
