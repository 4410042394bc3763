import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkHolds } from '../../src/deliveries/settle-deliveries.ts';
import { registerLedgerCommands } from '../../src/ledger/ledger.cli.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const clock = { now: () => new Date('2026-11-20T10:00:00.000Z') };
let home: TestDatabase;
/** Faults that the check of another slice reports. */
let check: readonly string[] = [];

beforeAll(async () => {
  home = await createTestDatabase();
  await home.database.tx((tx) => openAccounts(tx, ['summit', 'rival', 'typist']));
});
afterAll(() => home.drop());

function run(...argv: string[]): Promise<Captured> {
  return captureCommand(['ledger', ...argv], (program, out) =>
    registerLedgerCommands(program.command('ledger'), {
      ...contextOf(home.database, clock, out),
      otherChecks: [checkHolds, () => Promise.resolve(check)],
    }),
  );
}

const payment = ['post', '--partner', 'summit', '--type', 'payment', '--amount'];

describe('ledger post', () => {
  it('posts the given transfer and prints its entry', async () => {
    const { exitCode, json } = await run(...payment, '100.00', '--description', 'Wire of 20 November', '--json');
    expect([exitCode, json]).toEqual([
      0,
      {
        partner: 'summit',
        entryId: expect.stringMatching(/^txn_[0-9a-z]{26}$/) as unknown,
        createdAt: '2026-11-20T10:00:00.000Z',
        type: 'payment',
        amount: 100,
        balanceAfter: 100,
        description: 'Wire of 20 November',
      },
    ]);
    const adjusted = await run('post', '--partner', 'summit', '--type', 'adjustment', '--amount', '-20.5', '--json');
    expect(adjusted.json).toMatchObject({ amount: -20.5, balanceAfter: 79.5, description: 'Adjustment' });
    const { stdout } = await run('post', '--partner', 'summit', '--type', 'credit', '--amount', '0.01');
    expect(stdout).toMatch(/^txn_\w{26}: 0\.01, balance 79\.51\.\n$/);
  });

  it('posts once per idempotency key and rejects another posting under the same key', async () => {
    const typed = ['post', '--partner', 'typist', '--type', 'payment', '--idempotency-key', 'wire 7', '--amount'];
    const first = await run(...typed, '5', '--json');
    expect(await run(...typed, '5.00', '--json')).toEqual(first);
    expect((await run(...typed, '5')).stdout).toContain('was already posted');
    const { exitCode, json } = await run(...typed, '6', '--json');
    expect([exitCode, json]).toMatchObject([1, { error: { code: 'idempotency_key_reused' } }]);
  });

  it('rejects an unknown partner', async () => {
    const { exitCode, json } = await run('post', '--partner', 'nobody', '--type', 'credit', '--amount', '1', '--json');
    expect([exitCode, json]).toEqual([
      1,
      { error: { code: 'partner_not_found', message: 'There is no partner nobody.' } },
    ]);
  });

  it.each([
    ['an amount of 0', [...payment, '0.00']],
    ['a negative payment', [...payment, '-1']],
    ['three decimals', [...payment, '1.001']],
    ['an amount in scientific notation', [...payment, '1e3']],
    ['an amount with a thousands separator', [...payment, '1,000.00']],
    ['a missing amount', payment.slice(0, -1)],
    ['a type that operators cannot post', ['post', '--partner', 'summit', '--type', 'charge', '--amount', '1']],
    ['a missing partner', ['post', '--type', 'credit', '--amount', '1']],
  ])('reports a usage error for %s', async (_case, argv) => {
    expect(await run(...argv, '--json')).toMatchObject({ exitCode: 2, json: { error: { code: 'usage' } } });
  });
});

describe('ledger check', () => {
  it('prints the counts of a consistent ledger and exits 1 for an inconsistent one', async () => {
    const well = await run('check', '--json');
    expect(well.exitCode).toBe(0);
    expect(well.json).toEqual({ ok: true, accounts: 15, entries: expect.any(Number) as unknown, difference: 0 });
    expect((await run('check')).stdout).toMatch(
      /^The ledger is consistent\.\n15 accounts, \d+ entries, difference 0\.00\.\n$/,
    );

    await home.database.pool.query(`UPDATE account SET held_cents = 3 WHERE account_key = 'buyer:rival'`);
    check = ['2 things elsewhere'];
    const elsewhere = await run('check');
    expect([elsewhere.exitCode, elsewhere.stdout.split('\n').slice(2, -1)]).toEqual([
      1,
      ['1 partners whose held money differs from their pending deliveries', '2 things elsewhere'],
    ]);
    expect((await run('check', '--json')).json).toMatchObject({ ok: false, difference: 0 });
    await home.database.pool.query(`UPDATE account SET held_cents = 0 WHERE account_key = 'buyer:rival'`);
    check = [];
    expect(await run('check', '--json')).toEqual(well);

    await home.database.pool.query(`UPDATE account SET balance_cents = 3 WHERE account_key = 'cash:rival'`);
    const { exitCode, json } = await run('check', '--json');
    expect([exitCode, json]).toMatchObject([1, { ok: false, accounts: 15, difference: 0.03 }]);
    const words = await run('check');
    expect(words.exitCode).toBe(1);
    expect(words.stdout).toContain('1 accounts whose balance is not the sum of their entries');
  });
});
