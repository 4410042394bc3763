import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { registerPartnerCommands } from '../../src/buyers/buyers.cli.ts';
import { readAllowedTargets } from '../../src/demo/allowed-targets.ts';
import { readSettings, writeDemoOrigin } from '../../src/marketplace/stored-settings.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import {
  registerApply,
  registerExportConfig,
  registerFileSchema,
} from '../../src/marketplace-file/marketplace-file.cli.ts';
import { registerSupplierCommands } from '../../src/suppliers/suppliers.cli.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const clock = { now: () => new Date('2026-11-20T10:00:00.000Z') };
const environment = loadConfig({});
if (!environment.ok) throw new Error(environment.faults.join());
const { config } = environment;
let home: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-file-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  home = await createTestDatabase();
  return () => home.drop();
});

function run(...argv: string[]): Promise<Captured> {
  return captureCommand(argv, (program, out) => {
    const context = contextOf(home.database, clock, out);
    const allowedTargets = (tx: Tx) => readAllowedTargets(tx, config);
    registerApply(program.command('apply <file>'), { ...context, allowedTargets });
    registerExportConfig(program.command('export-config'), context);
    registerFileSchema(program.command('file-schema'), context);
    registerSupplierCommands(program.command('supplier'), context);
    registerPartnerCommands(program.command('partner'), context);
  });
}

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const small = 'suppliers: [{ key: acme, name: Acme Media }]\npartners: [{ key: summit, name: Summit }]\n';

describe('apply', () => {
  it('prints the changes, and the second time that there are none', async () => {
    const path = await written('small.yaml', small);
    const created = (kind: string, key: string): unknown => ({
      kind,
      key,
      action: 'create',
      fields: expect.any(Object) as unknown,
    });
    expect(await run('apply', path, '--json')).toMatchObject({
      exitCode: 0,
      json: { changes: [created('supplier', 'acme'), created('partner', 'summit')], unmanaged: [], applied: true },
    });
    expect((await run('apply', path, '--json')).json).toEqual({
      changes: [],
      unmanaged: [],
      notes: [],
      stops: [],
      applied: true,
    });
    expect((await run('apply', path)).stdout).toBe('No changes.\n');
  });

  it('prints the notes of a file as JSON as well, such as that of a negative margin', async () => {
    const path = await written(
      'loss.yaml',
      'suppliers: [{ key: dear, status: approved, pay: { model: fixed, amount: 50 } }]\npartners: [{ key: low, channels: [], offers: [{ key: low, eventType: Lead Sale, payout: 45 }] }]\n',
    );
    const { json } = await run('apply', path, '--dry-run', '--json');
    const note: unknown = expect.stringContaining('negative margin');
    expect(json).toMatchObject({ notes: expect.arrayContaining([note]) as unknown, stops: [], applied: false });
  });

  it('prints the differences as text and applies nothing in a dry run', async () => {
    await run('apply', await written('small.yaml', small));
    const path = await written(
      'next.yaml',
      'marketplace: { holdMinutes: 20 }\npartners: [{ key: summit, name: Summit Debt Relief }]\n',
    );
    const shown = await run('apply', path, '--dry-run', '--prune');
    expect(shown.stdout).toBe(
      [
        '~ marketplace',
        '    holdMinutes: 15 → 20',
        '~ partner summit',
        '    name: Summit → Summit Debt Relief',
        '- supplier acme',
        '    status: pending → suspended',
        '3 changes found, none applied.',
        '',
      ].join('\n'),
    );
    expect((await run('apply', path, '--dry-run')).stdout).toContain(
      'Not in the file and unchanged (--prune closes them): supplier acme',
    );
    expect((await run('apply', path, '--dry-run', '--json')).json).toMatchObject({ applied: false });
    expect((await readSettings(home.database)).settings.holdMinutes).toBe(15);
  });

  it('prints each error with its position, and exits with code 1', async () => {
    const path = await written('faulty.yaml', 'marketplace: { strategy: best }\nsupplier: []\n');
    expect(await run('apply', path, '--json')).toMatchObject({
      exitCode: 1,
      json: {
        errors: [
          { line: 1, column: 26, path: 'marketplace.strategy', message: 'must be one of price, weighted, round_robin' },
          { line: 2, column: 1, path: 'supplier', message: 'is not known here; did you mean "suppliers"?' },
        ],
        applied: false,
      },
    });
    const { exitCode, stdout } = await run('apply', path);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n')[0]).toBe(
      `${path}:1:26  marketplace.strategy: must be one of price, weighted, round_robin`,
    );
  });

  it('rejects a missing file and one that is not UTF-8 text', async () => {
    expect(await run('apply', join(folder, 'none.yaml'), '--json')).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'file_unreadable' } },
    });
    const path = await written('latin1.yaml', Uint8Array.of(0x6b, 0xe4, 0x73, 0x65));
    expect((await run('apply', path, '--json')).json).toEqual({
      error: { code: 'file_unreadable', message: `${path}: is not UTF-8 text` },
    });
    expect(await run('apply')).toMatchObject({ exitCode: 2 });
  });

  it('accepts the demo’s inbox as a target while the demo runs, and no other path of the server', async () => {
    const origin = 'http://127.0.0.1:3000';
    const fileTo = (path: string): Promise<string> =>
      written('demo.yaml', `partners: [{ key: summit, settings: { webhookUrl: "${origin}${path}" } }]\n`);
    const [refused, taken] = [
      { exitCode: 1, json: { applied: false } },
      { exitCode: 0, json: { applied: true } },
    ];
    expect(await run('apply', await fileTo('/demo/inbox/summit'), '--json')).toMatchObject(refused);
    await home.database.tx((tx) => writeDemoOrigin(tx, origin));
    expect(await run('apply', await fileTo('/console/api/health'), '--json')).toMatchObject(refused);
    expect(await run('apply', await fileTo('/demo/inbox/summit'), '--json')).toMatchObject(taken);
  });

  it('rejects a host whose name means this machine', async () => {
    const path = await written(
      'local.yaml',
      'suppliers:\n  - key: acme\n    callback: { url: "https://localhost/" }\n',
    );
    expect((await run('apply', path, '--json')).json).toMatchObject({
      errors: [{ line: 3, column: 22, path: 'suppliers[0].callback.url' }],
    });
  });
});

describe('export-config', () => {
  it('prints a file that changes nothing, as YAML and as JSON', async () => {
    await run('apply', 'examples/marketplace.yaml');
    const text = await written('export.yaml', (await run('export-config')).stdout);
    expect((await run('apply', text, '--json')).json).toEqual({
      changes: [],
      unmanaged: [],
      notes: [],
      stops: [],
      applied: true,
    });
    const json = await written('export.json', (await run('export-config', '--json')).stdout);
    expect((await run('apply', json, '--json')).json).toEqual({
      changes: [],
      unmanaged: [],
      notes: [],
      stops: [],
      applied: true,
    });
  });
});

describe.each([
  ['supplier', 'acme', ['pending', 'approved'], 'supplier_not_found'],
  ['partner', 'summit', ['active', 'paused'], 'partner_not_found'],
] as const)('%s', (kind, key, [before, after], code) => {
  beforeEach(async () => {
    await run('apply', await written('small.yaml', small));
  });

  it('list prints all, as text and as JSON', async () => {
    expect((await run(kind, 'list', '--json')).json).toMatchObject({ data: [{ key, status: before }] });
    expect((await run(kind, 'list')).stdout).toContain(key);
  });

  it('show prints one completely', async () => {
    expect((await run(kind, 'show', key, '--json')).json).toMatchObject({ key, status: before, rateLimit: {} });
    expect((await run(kind, 'show', key)).stdout).toContain('rateLimit');
    expect(await run(kind, 'show', 'nobody', '--json')).toMatchObject({ exitCode: 1, json: { error: { code } } });
  });

  it('set-status changes it once, with a new version, history and audit event', async () => {
    const { version } = await readSettings(home.database);
    expect(await run(kind, 'set-status', key, after, '--json')).toMatchObject({
      exitCode: 0,
      json: { key, status: after },
    });
    expect((await run(kind, 'set-status', key, after)).stdout).toBe(`${key} is ${after}.\n`);
    expect((await readSettings(home.database)).version).toBe(version + 1);
    const { rows: history } = await home.database.pool.query(
      'SELECT definition->>$1 AS status FROM config_history WHERE key = $2 ORDER BY version',
      ['status', key],
    );
    expect(history).toEqual([{ status: before }, { status: after }]);
    const { rows: events } = await home.database.pool.query('SELECT changes FROM audit_event WHERE action = $1', [
      `${kind}.status_set`,
    ]);
    expect(events).toEqual([{ changes: { status: { from: before, to: after } } }]);
  });

  it('set-status rejects an unknown key and an invalid status', async () => {
    expect(await run(kind, 'set-status', 'nobody', after, '--json')).toMatchObject({
      exitCode: 1,
      json: { error: { code } },
    });
    expect(await run(kind, 'set-status', key, 'closed', '--json')).toMatchObject({
      exitCode: 2,
      json: { error: { code: 'usage' } },
    });
  });
});
