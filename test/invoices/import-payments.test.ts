// Tests the import of payments from a bank's CSV file, on the command line and the console (contract 7.11).
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { newUuid } from '../../src/base/ids.ts';
import { readBuyer } from '../../src/buyers/read-buyers.ts';
import { registerPaymentsCommands } from '../../src/imports/payments.cli.ts';
import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { findInvoice } from '../../src/invoices/find-invoices.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { payInvoice } from '../../src/invoices/pay-invoice.ts';
import { voidInvoice } from '../../src/invoices/void-invoice.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { readFunds } from '../../src/ledger/funds.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const KEYS = ['amber', 'birch', 'cedar', 'dune', 'elm', 'fir', 'gorse'];
const yaml = ['partners:', ...KEYS.map((key) => `  - { key: ${key}, channels: [] }`)].join('\n');
const clock = handClock('2026-11-20T18:00:00.000Z');
const NOW = clock.now();
let market: TestMarketplace;
let folder: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api', clock });
  folder = await mkdtemp(join(tmpdir(), 'payments-'));
  for (const key of KEYS) await invoiceOf(key);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await market.close();
});

/** 45.00 each, numbered from 1 in the order of the keys. */
async function invoiceOf(buyerKey: string): Promise<void> {
  const transfer = {
    businessKey: newUuid(),
    type: 'charge',
    buyerKey,
    amountCents: 4500,
    description: 'Lead Sale',
  } as const;
  await market.database.tx((tx) => postTransfers(tx, [transfer], new Date('2026-10-05T12:00:00.000Z')));
  await market.database.tx(async (tx) => {
    const buyer = await readBuyer(tx, buyerKey);
    if (buyer === null) throw new Error(`there is no ${buyerKey}`);
    return issueInvoice(tx, { buyer, month: '2026-10', actor: commandLineActor }, NOW);
  });
}

async function run(text: string, ...options: string[]): Promise<Captured> {
  const file = join(folder, `${newUuid()}.csv`);
  await writeFile(file, text);
  return captureCommand(['payments', 'import', file, ...options], (program, out) =>
    registerPaymentsCommands(program.command('payments'), {
      ...contextOf(market.database, clock, out),
      stdin: Readable.from([]),
    }),
  );
}
const dueOf = async (number: string): Promise<number | undefined> =>
  (await market.database.tx((tx) => findInvoice(tx, number, NOW)))?.amountDueCents;
const balanceOf = async (key: string): Promise<number | undefined> =>
  (await market.database.tx((tx) => readFunds(tx, [key]))).get(key)?.balanceCents;
const expectNoFaults = async (): Promise<void> => {
  const faults = await market.database.tx(async (tx) => [
    ...(await checkLedger(tx)).faults,
    ...(await checkInvoices(tx)),
  ]);
  expect(faults).toEqual([]);
};

const FILE = [
  'Buchungstag;Auftraggeber;Verwendungszweck;Betrag;Währung',
  '03.11.2026;Amber;Rechnung INV-2026-000001;45,00;USD',
  '03.11.2026;Birch;INV2026000002 teil;20,00;USD',
  '03.11.2026;Birch;INV2026000002 teil;20,00;USD',
  '04.11.2026;Cedar;danke;45,00;USD',
  '04.11.2026;Bank;Gebuehr INV-2026-000003;-4,50;USD',
  '05.11.2026;Dune;INV-2026-000004 und INV-2026-000005;90,00;USD',
  '05.11.2026;Dune;INV-2026-999999;45,00;USD',
  '06.11.2026;Elm;INV-2026-000005;50,00;USD',
].join('\r\n');

describe('payments import', () => {
  it('previews every line, with the payments of the same file counted, and posts nothing', async () => {
    const { exitCode, stdout } = await run(FILE, '--dry-run');
    expect([exitCode, stdout.trimEnd().split('\n')]).toEqual([
      0,
      [
        '2: 45.00 pays INV-2026-000001 of amber',
        '3: 20.00 pays, but another amount was due on INV-2026-000002 of birch (45.00 due)',
        '4: 20.00 pays, but another amount was due on INV-2026-000002 of birch (25.00 due)',
        '5: 45.00 names no invoice "danke"',
        '6: -4.50 is not money that came in',
        '7: 90.00 names several invoices; post it with "invoices pay" "INV-2026-000004 und INV-2026-000005"',
        '8: 45.00 names an invoice that does not exist: INV-2026-999999',
        '9: 50.00 pays, but another amount was due on INV-2026-000005 of elm (45.00 due)',
        '8 lines: 4 would be posted (135.00), 3 of them with another amount than was due, 0 known already, 3 to look at, 1 not incoming, 0 with errors.',
      ],
    ]);
    expect(await dueOf('INV-2026-000001')).toBe(4500);
  });

  it('posts two equal lines of a file twice, and the same file again not at all', async () => {
    const [first, second] = await Promise.all([run(FILE), run(FILE)]);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    const again = await run(FILE);
    expect(again.stdout).toContain('4: 20.00 is known already, for INV-2026-000002 of birch\n');
    expect(again.stdout).toContain(
      '8 lines: 0 posted (0.00), 0 of them with another amount than was due, 4 known already',
    );
    expect([await dueOf('INV-2026-000001'), await dueOf('INV-2026-000002'), await dueOf('INV-2026-000005')]).toEqual([
      0, 500, 0,
    ]);
    // What was too much stays in the balance.
    expect([await balanceOf('amber'), await balanceOf('birch'), await balanceOf('elm')]).toEqual([0, -500, 500]);
    await expectNoFaults();
  });

  it('does not post for an invoice that is paid or void, and knows a payment in another shape of the same file', async () => {
    await market.database.tx((tx) =>
      voidInvoice(tx, { name: 'INV-2026-000003', note: 'Wrong', actor: commandLineActor }, NOW),
    );
    const { stdout } = await run(
      'Date,Name,Description,Amount\n2026-11-09,Cedar,INV-2026-000003,45.00\n2026-11-09,Amber,INV-2026-000001,45.00\n' +
        '03.11.2026,Amber,"Rechnung  INV-2026-000001",45.00\n',
    );
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      '2: 45.00 names a void invoice: INV-2026-000003 of cedar',
      '3: 45.00 is not posted: nothing was due on INV-2026-000001 of amber',
      '4: 45.00 is known already, for INV-2026-000001 of amber',
    ]);
  });

  it('reports garbage with its line and cell, and posts the good lines', async () => {
    const { exitCode, stdout } = await run(
      'Date;Reference;Amount\nsoon;INV-2026-000004;1\n2026-11-10;INV-2026-000004;1.234\n2026-11-10;x\ufffdy;5\n' +
        '2026-11-10;INV-2026-000004;45.00\n2026-11-11;too;many;cells;here;5\n2026-11-11;"never closed;5\n',
    );
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      '2: has errors: cell 1 must be a date such as 2026-11-30, 30.11.2026 or 11/30/2026;',
      expect.stringMatching(/^3: has errors: cell 3 must be an amount such as/),
      '4: has errors: cell 2 is not UTF-8 text; save the file as UTF-8;',
      '5: 45.00 pays INV-2026-000004 of dune',
      '6: has errors: cell 1 has 6 cells, the header has 3;',
      expect.stringMatching(/^7: has errors: cell \d+ has a quote that is never closed; nothing below was read;$/),
    ]);
    expect((await run('')).stdout).toContain('is empty');
    expect((await run('Date,'.repeat(1001))).stdout).toContain('has 1002 cells; at most 1000 are read');
    expect((await run('Tag,Was\n1,2\n')).stdout).toContain('no column for the date was found');
    const named = await run('Tag,Was,Wert\n2026-11-12,thanks,5.00\n', '--columns', 'date=Tag,text=Was,amount=Wert');
    expect(named.stdout).toContain('2: 5.00 names no invoice "thanks"');
    await expectNoFaults();
  });
});

describe('payments that were posted before', () => {
  const pay = (number: string, amountCents: number, idempotencyKey?: string) =>
    market.database.tx((tx) =>
      payInvoice(
        tx,
        {
          name: number,
          amountCents,
          actor: commandLineActor,
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        },
        NOW,
      ),
    );
  /** As payments were posted when their dates counted as they were written. */
  const earlierKey = (...parts: ReadonlyArray<string | number>): string =>
    `bank:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}:1`;

  it('are known by their old keys, also after a spreadsheet has changed the file, and are not posted again where they are like', async () => {
    await pay('INV-2026-000006', 2000, earlierKey('2026-11-03', 2000, 'INV-2026-000006 part 1', ''));
    const { stdout } = await run(
      [
        'Date,Description,Amount',
        '11/3/2026,INV-2026-000006 part 1,20',
        // The first part is in the file as well, so that this is another payment.
        '11/4/2026,INV-2026-000006 PART ONE,20',
        // Posted on the 20th, and this is of a later day.
        '11/23/2026,INV-2026-000006 part 2,20',
        '11/23/2026,"INV-2026-000006  Part 2",20.00',
      ].join('\n'),
    );
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '2: 20.00 is known already, for INV-2026-000006 of fir',
      '3: 20.00 pays, but another amount was due on INV-2026-000006 of fir (25.00 due)',
      '4: 20.00 pays, but another amount was due on INV-2026-000006 of fir (5.00 due)',
      '5: 20.00 is not posted: nothing was due on INV-2026-000006 of fir',
    ]);
    await expectNoFaults();
  });

  it('say so when a line has their invoice, amount and day under another text, or may be one that was typed in', async () => {
    await pay('INV-2026-000007', 1000);
    const file = (...lines: string[]): string => ['Date;Reference;Amount', ...lines].join('\n');
    const first = await run(
      file('2026-11-19;INV-2026-000007 from Gorse;10.00', '2026-11-25;INV-2026-000007 again;10.00'),
    );
    expect(first.stdout.split('\n').slice(0, 2)).toEqual([
      '2: 10.00 is not posted: its amount and day are those of a payment posted for INV-2026-000007 of gorse',
      '3: 10.00 pays, but another amount was due on INV-2026-000007 of gorse (35.00 due)',
    ]);
    const second = await run(
      file(
        '2026-11-25 00:00;inv-2026-000007  Again;10',
        '2026-11-25;Gorse Ltd INV-2026-000007;10.00',
        '2026-11-26;Gorse Ltd INV-2026-000007;10.00',
      ),
    );
    expect(second.stdout.split('\n').map((line) => line.split(' ').slice(1, 4).join(' '))).toEqual([
      ...['10.00 is known', '10.00 pays, but', '10.00 pays, but', expect.any(String), ''],
    ]);
    const third = await run(file('2026-11-26;other text INV-2026-000007;10.00'));
    expect(third.stdout).toContain('2: 10.00 is not posted: its amount and day are those of a payment posted');
    await expectNoFaults();
  });

  it('asks which of day and month comes first where no date of the file shows it, and takes the answer', async () => {
    const file = 'Date,Reference,Amount\n11/3/2026,thanks,5.00\n11/11/2026,thanks,5.00\n';
    const { stdout } = await run(file);
    expect(stdout).toMatch(
      /^2: has errors: cell 1 may begin with the day or with the month[^\n]*day-first or month-first/,
    );
    expect(stdout).toContain('3: 5.00 names no invoice');
    expect((await run(file, '--dates', 'month-first')).stdout).toContain('2: 5.00 names no invoice');
    const ada = await market.signedIn.operator('ada');
    const sent = await ada.send('POST', '/console/api/payments/import', {
      text: file,
      dates: 'day-first',
      dryRun: true,
    });
    expect(sent.text).toContain('"line":2,"fate":"no_number"');
  });
});

describe('The console', () => {
  const linesOf = (text: string): Json[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line): Json => JSON.parse(line))
      .filter(({ kind }) => kind !== 'beat');

  it('previews and posts a file for an operator who handles money, and for no other', async () => {
    const file = { text: 'Date;Reference;Amount\n2026-11-12;INV-2026-000002;5.00\n' };
    const ada = await market.signedIn.operator('ada');
    const send = async (body: object) => linesOf((await ada.send('POST', '/console/api/payments/import', body)).text);
    const [line, end] = await send({ ...file, dryRun: true });
    expect(line).toMatchObject({ fate: 'paid', invoice: 'INV-2026-000002', partner: 'birch', amount: 5, due: 5 });
    expect(end).toMatchObject({ isWhole: true, lines: 1, paid: 1, posted: 5 });
    expect((await send({ ...file, dryRun: false }))[0]).toMatchObject({ fate: 'paid' });
    expect((await send({ ...file, dryRun: false }))[0]).toMatchObject({ fate: 'known' });
    expect(await dueOf('INV-2026-000002')).toBe(0);
    const wrong = await ada.send('POST', '/console/api/payments/import', { ...file, columns: 'x', dryRun: true });
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, 'columns']);
    const vera = await market.signedIn.operator('vera', 'support');
    const refused = await vera.send('POST', '/console/api/payments/import', { ...file, dryRun: true });
    expect(refused.status).toBe(403);
  });

  it('shows the automatic runs', async () => {
    const ada = await market.signedIn.operator('ada');
    const { json } = await ada.get('/console/api/billing-runs');
    expect(json).toEqual({
      runOn: 1,
      routines: ['invoices', 'statements'].map((kind) => ({
        ...{ kind, isOn: true, coveredFrom: null, nextRun: '2026-12-01', runs: [], failures: [] },
      })),
    });
  });
});
