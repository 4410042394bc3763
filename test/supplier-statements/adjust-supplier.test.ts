// Corrections of what is owed to a supplier: by command, console, operator's API and import, once per key, on the next statement (contract 11.3, 7.10).
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { registerImportCommands } from '../../src/imports/import.cli.ts';
import { registerLedgerCommands } from '../../src/ledger/ledger.cli.ts';
import { type ApiResponse, call } from '../support/api-client.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { earningMarket, earningYaml } from './earning-market.ts';

const clock = handClock('2026-11-05T12:00:00.000Z');
let market: TestMarketplace;
let authorization: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: earningYaml, role: 'api', clock });
  await earningMarket(market.database).cost('east', 1200, '2026-10-05T16:00:00.000Z');
  authorization = `Bearer ${await market.operatorToken(['money'])}`;
});
afterAll(() => market.close());

const ledger = (...argv: string[]): Promise<Captured> =>
  captureCommand(['ledger', ...argv], (program, out) =>
    registerLedgerCommands(program.command('ledger'), { ...contextOf(market.database, clock, out), otherChecks: [] }),
  );
const ask = (path: string, body: object, key?: string): Promise<ApiResponse> =>
  call(`${market.url}/api/v1/operator${path}`, {
    headers: { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body,
  });
const linesOf = ({ text }: { readonly text: string }): Json[] =>
  text
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line))
    .filter(({ kind }) => kind !== 'progress' && kind !== 'beat');

describe('An adjustment of a supplier’s balance', () => {
  it('is posted by command, once per key, and only as an adjustment', async () => {
    const post = ['post', '--supplier', 'east', '--type', 'adjustment', '--amount'];
    const first = await ledger(...post, '-2.50', '--description', 'Paid twice', '--idempotency-key', 'fix 1', '--json');
    expect(first.json).toMatchObject({ supplier: 'east', type: 'adjustment', amount: -2.5, balanceAfter: 9.5 });
    const again = await ledger(...post, '-2.50', '--description', 'Paid twice', '--idempotency-key', 'fix 1');
    expect(again.stdout).toContain('was already posted');
    const other = await ledger(...post, '-2.51', '--idempotency-key', 'fix 1', '--json');
    expect([other.exitCode, other.json]).toMatchObject([1, { error: { code: 'idempotency_key_reused' } }]);
    const unknown = await ledger('post', '--supplier', 'nobody', '--type', 'adjustment', '--amount', '1', '--json');
    expect(unknown.json).toMatchObject({ error: { code: 'supplier_not_found' } });
    for (const wrong of [
      ['--supplier', 'east', '--type', 'credit'],
      ['--supplier', 'east', '--partner', 'east', '--type', 'adjustment'],
      ['--type', 'adjustment'],
    ]) {
      expect((await ledger('post', ...wrong, '--amount', '1')).exitCode).toBe(2);
    }
  });

  it('is posted by the operator’s API with a key, and by nobody without the permission', async () => {
    const body = { supplier: 'east', amount: 5, description: 'Bonus for October' };
    expect((await ask('/supplier-adjustments', body)).status).toBe(400);
    const [one, two] = [await ask('/supplier-adjustments', body, 'a'), await ask('/supplier-adjustments', body, 'a')];
    expect([one.status, one.json]).toMatchObject([200, { amount: 5, balanceBefore: 9.5, balanceAfter: 14.5 }]);
    expect(two.json).toEqual(one.json);
    const codes = [];
    for (const wrong of [{ amount: 0 }, { amount: 1.001 }, { description: ' ' }, { supplier: 'nobody' }]) {
      codes.push((await ask('/supplier-adjustments', { ...body, ...wrong }, newUuid())).json.code);
    }
    expect(codes).toEqual(['validation_failed', 'validation_failed', 'validation_failed', 'not_found']);
    const reader = await market.signedIn.operator('reader', 'read-only');
    const refused = await reader.send('POST', '/console/api/supplier-adjustments', body, { 'idempotency-key': 'b' });
    expect(refused.status).toBe(403);
  });

  it('comes from a file of balances as well, beside those of partners, once per reference', async () => {
    const file = join(tmpdir(), `balances-${newUuid()}.csv`);
    const run = async (text: string): Promise<Json> => {
      await writeFile(file, text);
      const captured = await captureCommand(['import', 'balances', file, '--json'], (program, out) =>
        registerImportCommands(program.command('import'), {
          ...contextOf(market.database, clock, out),
          allowedTargets: () => Promise.resolve([]),
          stdin: Readable.from([]),
        }),
      );
      return captured.json;
    };
    const head = 'partner,supplier,amount,reference\n';
    const file1 = `${head},west,100.25,old system\n,east,-1.00,old system\n,west,0,nothing\n`;
    expect(await run(file1)).toMatchObject({ added: 2, unchanged: 1, applied: true });
    expect(await run(file1)).toMatchObject({ added: 0, unchanged: 3 });
    expect((await run(`${head},west,7,old system\nx,west,1,b\n,,1,c\n,nobody,1,d\n`)).errors).toMatchObject([
      { line: 2, path: 'reference' },
      { line: 3, path: 'supplier' },
      { line: 4, path: 'partner' },
      { line: 5, path: 'supplier', message: 'there is no supplier "nobody"' },
    ]);
  });

  it('is on the next statement, which the operator’s API issues for one supplier, and in the audit log', async () => {
    clock.set('2026-12-05T12:00:00.000Z');
    const run = async (body: object) =>
      linesOf(await ask('/statements/run', { month: '2026-11', dryRun: false, ...body }));
    expect((await ask('/statements/run', { month: '2026-11', dryRun: true, supplier: 'nobody' })).status).toBe(404);
    expect(await run({ supplier: 'east' })).toMatchObject([
      { kind: 'line', outcome: 'issued', supplier: 'east', earned: 12, total: 13.5 },
      { kind: 'end', isWhole: true, suppliers: 1, statements: 1 },
    ]);
    expect(await run({ supplier: 'west' })).toMatchObject([{ supplier: 'west', total: 100.25 }, { kind: 'end' }]);
    const { json } = await call(`${market.url}/api/v1/operator/statements?supplier=east`, {
      headers: { authorization },
    });
    expect(json.data[0]).toMatchObject({ earned: 12, adjusted: 1.5, total: 13.5 });
    expect(
      await select(
        market.database,
        "SELECT supplier_key, actor_type, count(*)::int FROM audit_event WHERE action = 'adjustment.posted' GROUP BY 1, 2 ORDER BY 1, 2",
        [],
      ),
    ).toEqual([
      { supplier_key: 'east', actor_type: 'operator', count: 3 },
      { supplier_key: 'west', actor_type: 'operator', count: 1 },
    ]);
    expect(linesOf(await ask('/ledger/check', {})).at(-1)).toMatchObject({ kind: 'end', ok: true, difference: 0 });
  });
});
