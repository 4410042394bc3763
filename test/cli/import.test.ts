// Tests the import of CSV files of another system: what is saved, what is rejected, and that a second run changes nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { readBuyers } from '../../src/buyers/read-buyers.ts';
import { readAllowedTargets } from '../../src/demo/allowed-targets.ts';
import { registerImportCommands } from '../../src/imports/import.cli.ts';
import { readFunds } from '../../src/ledger/funds.ts';
import { readSettings } from '../../src/marketplace/stored-settings.ts';
import { registerApply, registerExportConfig } from '../../src/marketplace-file/marketplace-file.cli.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { readSuppliers } from '../../src/suppliers/read-suppliers.ts';
import { postLead } from '../support/api-client.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { holdTable } from '../support/held-table.ts';
import { leadBody } from '../support/leads.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
import { traceOf } from '../support/trace.ts';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const environment = loadConfig({});
if (!environment.ok) throw new Error(environment.faults.join());
const { config } = environment;
const EXAMPLES = ['partners', 'suppliers', 'balances', 'sold'] as const;

let home: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-import-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  home = await createTestDatabase();
  return () => home.drop();
});

type Source = { readonly stdin?: string | Buffer; readonly on?: TestDatabase; readonly now?: Date };

function run(argv: readonly string[], { stdin = '', on = home, now = NOW }: Source = {}): Promise<Captured> {
  return captureCommand(argv, (program, out) => {
    const context = {
      ...contextOf(on.database, { now: () => now }, out),
      allowedTargets: (tx: Parameters<typeof readAllowedTargets>[0]) => readAllowedTargets(tx, config),
      stdin: Readable.from([stdin]),
    };
    registerImportCommands(program.command('import'), context);
    registerApply(program.command('apply <file>'), context);
    registerExportConfig(program.command('export-config'), context);
  });
}

let files = 0;
async function written(content: string | Uint8Array): Promise<string> {
  files += 1;
  const path = join(folder, `rows-${files}.csv`);
  await writeFile(path, content);
  return path;
}

/** Imports the text as a file; the JSON result. */
async function imported(kind: string, content: string | Uint8Array, ...flags: string[]): Promise<unknown> {
  const { json, exitCode } = await run(['import', kind, await written(content), ...flags, '--json']);
  return { ...(json as object), exitCode };
}

type Sale = { readonly hash: string; readonly scope: string; readonly sold: Date };

async function query<Row extends object>(text: string, ...values: string[]): Promise<Row[]> {
  const client = await home.database.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function sales(): Promise<Sale[]> {
  return query<Sale>('SELECT person_hash::text AS hash, scope, sold_at AS sold FROM person_sale ORDER BY 1, 2');
}

async function auditActions(): Promise<Record<string, number>> {
  const rows = await query<{ action: string; count: string }>(
    'SELECT action, count(*) FROM audit_event GROUP BY action',
  );
  return Object.fromEntries(rows.map(({ action, count }) => [action, Number(count)]));
}

describe('import', () => {
  it('imports the examples, and nothing a second time', async () => {
    for (const kind of EXAMPLES) {
      const path = `examples/import/${kind}.csv`;
      const rows = kind === 'sold' ? 4 : 3;
      const dry = await run(['import', kind, path, '--dry-run', '--json']);
      expect([dry.exitCode, dry.json]).toMatchObject([0, { errors: [], rows, rejected: 0, applied: false }]);
      const first = await run(['import', kind, path, '--json']);
      const added = kind === 'balances' ? 2 : rows;
      expect([first.exitCode, first.json]).toMatchObject([
        0,
        { errors: [], rows, added, updated: 0, unchanged: rows - added, rejected: 0, applied: true },
      ]);
      const { version } = await readSettings(home.database);
      const second = await run(['import', kind, path, '--json']);
      expect(second.json).toMatchObject({ rows, added: 0, updated: 0, unchanged: rows, applied: true });
      expect((await readSettings(home.database)).version).toBe(version);
    }
    const buyers = await readBuyers(home.database);
    expect(buyers.get('summit')).toMatchObject({
      name: 'Summit Debt Relief',
      timeZone: 'America/Los_Angeles',
      channels: ['webhook', 'email'],
      settings: { webhookUrl: 'https://crm.summit.example/leads', notificationEmail: 'leads@summit.example' },
      billing: { mode: 'postpaid', creditLimitCents: 500_000 },
    });
    expect(buyers.get('keystone')).toMatchObject({ status: 'paused', returnPolicy: { windowBusinessDays: 10 } });
    expect((await readSuppliers(home.database)).get('brightform')).toMatchObject({
      fieldMapping: { 'contact.name': 'full_name', Mobile: { to: 'phone', transform: 'us_phone' } },
      rateLimit: { perSecond: 100 },
    });
    const funds = await readFunds(home.database, ['summit', 'harbor', 'keystone']);
    expect([...funds.values()].map(({ balanceCents }) => balanceCents).toSorted((a, b) => a - b)).toEqual([
      -8050, 0, 125_000,
    ]);
    expect(await ledgerFaults(home.database)).toEqual([]);
    expect((await sales()).map(({ scope }) => scope).toSorted()).toEqual(['*', '*', '*', 'harbor', 'summit', 'summit']);
    expect(await auditActions()).toMatchObject({
      'partners.imported': 1,
      'suppliers.imported': 1,
      'balances.imported': 1,
      'sold.imported': 4,
      'adjustment.posted': 2,
    });
    // The whole configuration that the import made is a marketplace file that changes nothing.
    const { stdout } = await run(['export-config']);
    expect((await run(['apply', await written(stdout), '--json'])).json).toMatchObject({ changes: [], applied: true });
  });

  it('prints a summary, and each error as FILE:LINE:COLUMN', async () => {
    const path = await written('key,status\nacme,approved\nrival,aproved\n');
    const faulty = await run(['import', 'suppliers', path]);
    expect([faulty.exitCode, faulty.stdout]).toEqual([
      1,
      `${path}:3:2  status: must be one of pending, approved, suspended (did you mean "approved"?)\n` +
        '2 rows read, 1 rejected.\nNothing was imported.\n',
    ]);
    const good = await run(['import', 'suppliers', await written('key,status\nacme,approved\n')]);
    expect([good.exitCode, good.stdout]).toEqual([0, '1 rows read: 1 added, 0 unchanged.\n']);
    expect(await run(['import', 'suppliers', join(folder, 'missing.csv'), '--json'])).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'file_unreadable' } },
    });
  });
});

describe('The form of a file', () => {
  it('may have a byte order mark, CRLF, empty lines and quoted cells with commas, quotes and line breaks', async () => {
    const csv = '\ufeffkey,name\r\n\r\nacme,"Acme, ""Media""\r\nLtd"\r\n,\r\nrival,Rival\nlast,"Last"';
    const faults = await imported('suppliers', csv, '--dry-run');
    expect(faults).toMatchObject({
      rows: 3,
      errors: [{ line: 3, column: 2, path: 'name', message: 'must be one line without control characters' }],
    });
    const good = csv.replace('\r\nLtd', ' Ltd');
    expect(await imported('suppliers', good)).toMatchObject({ rows: 3, added: 3, errors: [], exitCode: 0 });
    expect((await readSuppliers(home.database)).get('acme')?.name).toBe('Acme, "Media" Ltd');
  });

  it('counts lines through quoted line breaks of either kind', async () => {
    const csv = 'key,name\n"a\n\nb",x\n"c\r\nd",x\nUPPER,x\n';
    expect(await imported('suppliers', csv)).toMatchObject({
      errors: [{ line: 2 }, { line: 5 }, { line: 7, path: 'key' }],
    });
  });

  it.each([
    ['an unknown column', 'key,nmae\n', [{ line: 1, column: 2, path: 'nmae', message: /did you mean "name"/ }]],
    ['a missing column', 'name\nAcme\n', [{ line: 1, path: 'key', message: /required column/ }]],
    ['a repeated column', 'key,key\n', [{ line: 1, column: 2, path: 'key', message: /second time/ }]],
    ['a column without a name', 'key,,name\n', [{ line: 1, column: 2, message: /without a name/ }]],
    ['no header', '', [{ line: 1, message: /is empty/ }]],
    ['another number of cells', 'key,name\nacme\nrival,R,x\n', [{ line: 2, message: /1 cells/ }, { line: 3 }]],
    [
      'bytes that are not UTF-8',
      Buffer.from('key,name\nacme,Caf\xe9\nrival,R\n', 'latin1'),
      [{ line: 2, column: 2, path: 'name', message: /UTF-8/ }],
    ],
    ['a quote that is never closed', 'key,name\nUP,x\nacme,"Acme\nrival,R\n', [{ line: 2, path: 'key' }, { line: 3 }]],
    [
      'text behind a closing quote',
      'key,name\nUP,x\nacme,"A"x\n',
      [{ line: 2 }, { line: 3, message: /closing quote/ }],
    ],
    ['a quote inside of a cell', 'key,name\nacme,A"x"\n', [{ line: 2, column: 2, message: /quote inside/ }]],
    ['a row without an end', `key,name\nacme,"${'x'.repeat(1_200_000)}\n`, [{ line: 2, message: /longer than 1 MB/ }]],
    ['a key twice', 'key\nacme\nrival\nacme\n', [{ line: 4, path: 'key', message: '"acme" is taken: line 2 has it' }]],
    ['no key', 'key,name\n,Acme\n', [{ line: 2, path: 'key', message: 'must be given' }]],
    ['a mapping that is no JSON', 'key,fieldMapping\nacme,{a\n', [{ line: 2, path: 'fieldMapping', message: /JSON/ }]],
    ['a mapping to an unknown field', 'key,fieldMapping\nacme,"{""A"": ""x""}"\n', [{ path: 'fieldMapping.A' }]],
    ['a private address', 'key,callback.url\nacme,https://10.0.0.1/\n', [{ line: 2, column: 2, path: 'callback.url' }]],
    ['a callback without an address', 'key,callback.events\na,lead.routed\n', [{ line: 2, path: 'callback.url' }]],
  ])('rejects a file with %s, and saves nothing', async (_what, csv, errors) => {
    const expected = errors.map(({ message, ...rest }: { message?: string | RegExp }) => ({
      ...rest,
      ...(message === undefined
        ? {}
        : { message: message instanceof RegExp ? (expect.stringMatching(message) as unknown) : message }),
    }));
    expect(await imported('suppliers', csv)).toMatchObject({ errors: expected, applied: false, exitCode: 1 });
    expect((await readSuppliers(home.database)).size).toBe(0);
  });

  it('keeps the first thousand errors and counts the rest', async () => {
    const csv = `soldAt,phone\n${'never,+15555550123\n'.repeat(12_000)}`;
    const { errors, ...rest } = (await imported('sold', csv)) as { errors: unknown[] };
    expect(errors.length).toBe(1000);
    expect(rest).toMatchObject({ errorCount: 12_000, rows: 12_000, rejected: 12_000, applied: false });
    expect((await run(['import', 'sold', await written(csv)])).stdout).toContain('… and 11000 more errors');
  });
});

describe('import partners', () => {
  it('leaves what a row does not state, also inside of nested members, and what the partner changed itself', async () => {
    const yaml =
      'partners: [{ key: summit, name: Summit, timeZone: America/Denver, settings: { phone: "+15555550123", webhookUrl: "https://a.example/" },' +
      ' returnPolicy: { windowBusinessDays: 7, disputeWindowDays: 9 }, offers: [{ key: west, eventType: Lead Sale, payout: 45 }] }]';
    await run(['apply', await written(yaml)]);
    const csv = 'key,name,returnPolicy.windowBusinessDays,settings.notificationEmail\nsummit,,3,leads@summit.example\n';
    expect(await imported('partners', csv)).toMatchObject({ added: 0, updated: 1, unchanged: 0 });
    const expected = {
      name: 'Summit',
      timeZone: 'America/Denver',
      returnPolicy: { windowBusinessDays: 3, disputeWindowDays: 9 },
      settings: { phone: '+15555550123', notificationEmail: 'leads@summit.example', webhookUrl: 'https://a.example/' },
    };
    expect((await readBuyers(home.database)).get('summit')).toMatchObject(expected);
    // As the partner does by PATCH: neither a second run, nor another import, nor the file takes it back.
    const own = { notificationEmail: 'new@summit.example', webhookUrl: 'https://b.example/' };
    await query('UPDATE buyer SET notification_email = $1, webhook_url = $2', own.notificationEmail, own.webhookUrl);
    const changed = { ...expected, settings: { ...expected.settings, ...own } };
    expect(await imported('partners', csv)).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await imported('partners', 'key,name\nsummit,Summit\n')).toMatchObject({ updated: 0, unchanged: 1 });
    expect((await readBuyers(home.database)).get('summit')).toMatchObject(changed);
    await run(['apply', await written(yaml)]);
    expect((await readBuyers(home.database)).get('summit')?.settings).toMatchObject(own);
  });

  it('says in a dry run what a run would do', async () => {
    await imported('partners', 'key,name,channels\nsummit,Summit,webhook\n');
    const csv = 'key,name,channels\nsummit,Summit,webhook\nharbor,Harbor,webhook\n';
    expect(await imported('partners', csv, '--dry-run')).toMatchObject({
      added: 1,
      unchanged: 1,
      notes: ['partner harbor: the channel webhook needs webhookUrl, which is not set'],
      applied: false,
      exitCode: 0,
    });
    expect([...(await readBuyers(home.database)).keys()]).toEqual(['summit']);
  });
});

describe('import balances', () => {
  beforeEach(async () => void (await imported('partners', 'key\nsummit\nharbor\n')));

  it('posts nothing if a row has an error, and finds those of partners and references as well', async () => {
    const head = 'partner,amount,reference,description\n';
    expect(await imported('balances', `${head}summit,100.00,a,\n`)).toMatchObject({ added: 1, applied: true });
    const csv = `${head}summit,1,b,\nnobody,1,a,\nsummit,100.01,a,\nharbor,ten,a,\nharbor,5,c,\nharbor,5,c,\nharbor,5,,\n`;
    const expected = [
      { line: 3, column: 1, path: 'partner', message: 'there is no partner "nobody"' },
      { line: 4, column: 3, path: 'reference', message: expect.stringContaining('posted before') as unknown },
      { line: 5, column: 2, path: 'amount' },
      { line: 7, column: 3, path: 'reference', message: 'is taken: line 6 has it for this partner' },
      { line: 8, column: 3, path: 'reference' },
    ];
    for (const flags of [['--dry-run'], []]) {
      expect(await imported('balances', csv, ...flags)).toMatchObject({
        errors: expected,
        rejected: 5,
        applied: false,
      });
    }
    const funds = await readFunds(home.database, ['summit', 'harbor']);
    expect(Object.fromEntries([...funds].map(([key, { balanceCents }]) => [key, balanceCents]))).toEqual({
      summit: 10_000,
      harbor: 0,
    });
    expect(await ledgerFaults(home.database)).toEqual([]);
  });

  it('reads amounts as spreadsheets and banks write them, and rejects what can be read in two ways', async () => {
    const csv =
      'Partner;Amount;Reference;\nsummit;1,250.00;a;\nsummit;-1.000,50;b\nharbor;(80.50);c;\nharbor;$2,000,000;d;\n';
    expect(await imported('balances', csv)).toMatchObject({ added: 4, applied: true });
    const funds = await readFunds(home.database, ['summit', 'harbor']);
    expect([...funds.values()].map(({ balanceCents }) => balanceCents)).toEqual([24_950, 199_991_950]);
    const unclear = 'partner;amount;reference\nsummit;1,250;e\nsummit;€5;f\nsummit;5.00 CR;g\nsummit;5.001;h\n';
    expect(await imported('balances', unclear)).toMatchObject({
      errors: [2, 3, 4, 5].map((line) => ({ line, column: 2, path: 'amount' })),
      applied: false,
    });
  });
});

describe('import sold', () => {
  beforeEach(async () => void (await imported('partners', 'key\nsummit\n')));

  it('keeps the latest sale of a contact, in whatever order rows and files come', async () => {
    const head = 'soldAt,phone,partner\n';
    const day = (number: number): string => `2026-11-${number},(312) 554-0166,summit\n`;
    expect(await imported('sold', head + day(12) + day(14) + day(13))).toMatchObject({ added: 1, unchanged: 2 });
    expect(await sales()).toMatchObject([{ scope: 'summit', sold: new Date('2026-11-14T00:00:00Z') }]);
    expect(await imported('sold', head + day(11))).toMatchObject({ added: 0, unchanged: 1 });
    expect(await imported('sold', head + day(15))).toMatchObject({ added: 1, unchanged: 0 });
    expect(await sales()).toMatchObject([{ scope: 'summit', sold: new Date('2026-11-15T00:00:00Z') }]);
  });

  it('reads days as spreadsheets write them, and asks where day and month could be either', async () => {
    const csv =
      'Phone Number,Sold At,\r415-555-0101,11/14/2026\r4155550102.0,11/15/2026 5:03 PM,\r415-555-0103 x4,2026-11-16 10:00:00\r';
    expect(await imported('sold', csv)).toMatchObject({ added: 3, applied: true });
    const days = (await sales()).map(({ sold }) => sold.toISOString().slice(0, 10));
    expect(days.toSorted()).toEqual(['2026-11-14', '2026-11-15', '2026-11-16']);
    const either = 'phone,soldAt\n4155550104,11/12/2026\n';
    expect(await imported('sold', either)).toMatchObject({
      errors: [{ line: 2, path: 'soldAt', message: expect.stringContaining('--dates') as unknown }],
    });
    expect(await imported('sold', either, '--dates', 'month-first')).toMatchObject({ added: 1 });
  });

  it('leaves out what retention would delete at once', async () => {
    const csv = 'soldAt,email\n2026-09-20,a@example.com\n2026-09-22,b@example.com\n';
    expect(await imported('sold', csv)).toMatchObject({ added: 1, unchanged: 0, expired: 1 });
    expect(await sales()).toMatchObject([{ sold: new Date('2026-09-22T00:00:00Z') }]);
  });

  const mixed =
    'soldAt,phone,email,partner\n2026-11-19,+15555550123,,summit\n2026-11-21,+15555550124,,\n2026-11-31,,x@example.com,\n' +
    '2026-11-19,,,\n2026-11-19,123,not an address,nobody\n2026-11-19,,y@example.com,*\n';
  const mixedErrors = [
    { line: 3, column: 1, path: 'soldAt', message: 'must not be in the future' },
    { line: 4, column: 1, path: 'soldAt' },
    { line: 5, column: 2, path: 'phone', message: 'or "email" must be given' },
    { line: 6, column: 2, path: 'phone' },
    { line: 6, column: 3, path: 'email' },
    { line: 6, column: 4, path: 'partner', message: 'there is no partner "nobody"' },
  ];

  it('imports nothing of a file with errors', async () => {
    expect(await imported('sold', mixed)).toMatchObject({ errors: mixedErrors, rejected: 4, applied: false });
    expect(await sales()).toEqual([]);
  });

  it('imports the rows of standard input that have no error, and exits with code 1 for the others', async () => {
    const { exitCode, json } = await run(['import', 'sold', '-', '--json'], { stdin: mixed });
    expect([exitCode, json]).toMatchObject([1, { errors: mixedErrors, rows: 6, rejected: 4, added: 2, applied: true }]);
    expect((await sales()).length).toBe(2);
  });

  const SOLAR = 'verticals: [{ key: solar, fields: [{ name: roof, type: enum, values: [tile, flat] }] }]';

  // Own marketplace: one without verticals, and one with them.
  it.each([
    ['of none', '', '', ''],
    ['of a vertical, with columns of its own fields', SOLAR, 'vertical: solar, ', 'vertical,fields.roof,'],
  ])('makes a later lead %s a duplicate: for all partners, or for the one that bought it', async (_, ...parts) => {
    const [verticals, vertical, ownColumns] = parts;
    const own = ownColumns === '' ? '' : 'solar,tile,';
    const market = await startTestMarketplace({
      yaml: `
${verticals}
suppliers: [{ key: acme, ${vertical}status: approved }]
partners:
  - { key: first, offers: [{ key: first-all, ${vertical}eventType: Lead Sale, payout: 50 }] }
  - { key: second, offers: [{ key: second-all, ${vertical}eventType: Lead Sale, payout: 40 }] }
`,
    });
    try {
      const body = (serial: number): Record<string, unknown> => leadBody(serial);
      const yesterday = new Date(Date.now() - 86_400_000).toISOString();
      const long = new Date(Date.now() - 40 * 86_400_000).toISOString();
      const csv =
        `${ownColumns}phone,email,partner,soldAt\n${own}${String(body(1)['phone'])},,,${yesterday}\n` +
        `${own},${String(body(2)['email']).toUpperCase()},first,${yesterday}\n` +
        `${own}${String(body(3)['phone'])},,,${long}\n`;
      const done = await run(['import', 'sold', '-', '--json'], {
        stdin: csv,
        on: market.testDatabase,
        now: new Date(),
      });
      expect(done.json).toMatchObject({ added: 3, errors: [] });
      const key = await market.supplierKey('acme');
      const outcomes = [];
      for (const serial of [1, 2, 3]) {
        const posted = await postLead(market.url, key, body(serial));
        const id = (posted.json as { lead_id: string }).lead_id;
        const trace = await eventually('the lead is decided', async () => {
          const found = await traceOf(market.database, id);
          return found.decision === null ? null : found;
        });
        outcomes.push([trace.lead.status, trace.deliveries.map(({ partner }) => partner)]);
      }
      expect(outcomes).toEqual([
        ['Duplicate', []],
        ['Lead Sale', ['second']],
        ['Lead Sale', ['first']],
      ]);
    } finally {
      await market.close();
    }
  });
});

describe('An import that is killed', () => {
  const started = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });

  function start(...argv: string[]): ChildProcess & { stdin: NonNullable<ChildProcess['stdin']> } {
    const child = spawn(join(import.meta.dirname, '../../bin/leadmarket'), argv, {
      env: { ...process.env, DATABASE_URL: home.url },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    started.add(child);
    // The pipe breaks when the process is killed.
    child.stdin.on('error', () => undefined);
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    if (child.pid === undefined) throw new Error('the import did not start');
    process.kill(child.pid, 'SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    started.delete(child);
  }

  it('has committed some sales, and a second run adds the others', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const rows = Array.from({ length: 12_000 }, (_, index) => `+1212${2_000_000 + index},${yesterday}\n`);
    const csv = `phone,soldAt\n${rows.join('')}`;
    const child = start('import', 'sold', '-');
    child.stdin.write(csv.slice(0, csv.indexOf(rows[11_000] ?? '')));
    const first = await eventually('rows were imported', async () => {
      const { length } = await sales();
      return length > 0 && length;
    });
    await kill(child);
    const half = (await sales()).length;
    expect(half).toBeGreaterThanOrEqual(first);
    expect(half).toBeLessThan(12_000);
    const second = await run(['import', 'sold', await written(csv), '--json'], { now: new Date() });
    expect(second.json).toMatchObject({ rows: 12_000, added: 12_000 - half, unchanged: half, errors: [] });
    const all = await sales();
    expect(all.length).toBe(12_000);
    expect(new Set(all.map(({ sold }) => sold.toISOString()))).toEqual(new Set([yesterday]));
  });

  it.each([
    ['partners', 'key,name\nsummit,Summit Debt Relief\nharbor,Harbor\n', { added: 1, updated: 1 }],
    ['balances', 'partner,amount,reference\nsummit,12.50,a\n', { added: 1, updated: 0 }],
  ])('has saved none of its %s, and a second run saves them once', async (kind, csv, counts) => {
    await imported('partners', 'key\nsummit\n');
    const before = await auditActions();
    const path = await written(csv);
    // The audit trail is written last.
    const held = await holdTable(home.database, 'audit_event');
    const child = start('import', kind, path);
    const [pid = 0] = await held.waiters(1);
    await kill(child);
    await held.terminate(pid);
    await held.release();
    expect(await auditActions()).toEqual(before);
    expect((await readBuyers(home.database)).get('summit')?.name).toBe('summit');
    const repeated = [await run(['import', kind, path, '--json']), await run(['import', kind, path, '--json'])];
    expect(repeated.map(({ json }) => json)).toMatchObject([counts, { added: 0, updated: 0 }]);
    expect(await ledgerFaults(home.database)).toEqual([]);
  });
});
