// Tests the paging of every list command, found in the tree of commands, so that a list without pages fails here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appendAudit } from '../../src/audit/append-audit.ts';
import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { defaultTerms } from '../../src/buyers/buyer-row.rules.ts';
import { Temporal } from '../../src/base/temporal.ts';
import { newUuid, type OperatorId } from '../../src/base/ids.ts';
import { insertClaim } from '../../src/claims/claim.sql.ts';
import type { CredentialKind } from '../../src/credentials/credential.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import { setPartnerSecret } from '../../src/credentials/partner-secrets.ts';
import type { CommandsContext } from '../../src/entry/command-context.ts';
import { commandGroups, registerCommands } from '../../src/entry/commands.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { createList } from '../../src/lists/save-lists.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { postSupplierTransfers } from '../../src/ledger/post-supplier-transfers.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { raiseNotices } from '../../src/notices/raise-notices.ts';
import { runCommand } from '../../src/platform/cli.ts';
import { addPageOptions, type PageOptions, printPages } from '../../src/platform/cli-pages.ts';
import type { CliOutput } from '../../src/platform/cli-output.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import { createMailer } from '../../src/platform/outbound/mail/mailer.ts';
import { moveToDeadLetters } from '../../src/platform/queue/dead-jobs.ts';
import { newKeyText } from '../../src/platform/secrets/seal.ts';
import { openSecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { issueStatement } from '../../src/statements/issue-statement.ts';
import { recordPayout } from '../../src/statements/record-payout.ts';
import { readSupplier } from '../../src/suppliers/read-suppliers.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-20T18:00:00.000Z');
const clock = { now: () => NOW };
const environment = loadConfig({});
if (!environment.ok) throw new Error(environment.faults.join());
const { config } = environment;
const PAGE = 3;
const PLANTED = 2 * PAGE + 1;

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
  passwordHash = await hashPassword('correct horse battery');
  await plantKeys(1);
  await addOperators(1);
});
afterAll(() => home.drop());

const inTx = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => home.database.tx(work);

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await work();
}

let keys = 0;
/** So many more partners and suppliers. */
async function plantKeys(more: number): Promise<void> {
  keys += more;
  // The last one comes first in the order of keys, and a hyphen sorts differently by language.
  const names = Array.from({ length: keys }, (_, index) => (index % 2 === 0 ? `p${90 - index}` : `p-${90 - index}`));
  const yaml = [
    'marketplace: { currency: USD }',
    'suppliers:',
    ...names.map((key) => `  - { key: ${key}, name: ${key}, status: approved }`),
    'partners:',
    ...names.map((key) => `  - { key: ${key}, name: ${key}, timeZone: UTC, channels: [] }`),
  ].join('\n');
  const parsed = parseFile(yaml, { allowTargets: [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const options = { dryRun: false, prune: false, actor: commandLineActor };
  const applied = await inTx((tx) => applyFile(tx, parsed.file, options, NOW));
  if (!applied.ok) throw new Error(JSON.stringify(applied.errors));
}
const PARTNER = 'p90';

let operators = 0;
let passwordHash: string;
const addOperators = (more: number): Promise<void> =>
  repeat(more, () => {
    operators += 1;
    const added = { name: `o${90 - operators}`, passwordHash, totpSecret: null, actor: commandLineActor };
    return inTx((tx) => addOperator(tx, added, NOW));
  });
const OPERATOR = 'o89';

const issue = (kind: CredentialKind) => (more: number) =>
  repeat(more, () =>
    inTx((tx) =>
      issueCredential(tx, { kind, ownerKey: PARTNER, label: null, expiresAt: null, actor: commandLineActor }, NOW),
    ),
  );

const secretKeys = openSecretKeys({ secretsKey: newKeyText(), dataDir: '', databaseUrl: 'elsewhere' });
let secrets = 0;
const setSecrets = (more: number): Promise<void> =>
  repeat(more, () => {
    secrets += 1;
    const change = { buyerKey: PARTNER, name: `s${100 + secrets}`, value: 'hidden', actor: commandLineActor };
    return inTx((tx) => setPartnerSecret(tx, { ...change, origin: noOrigin }, { keys: secretKeys, now: NOW }));
  });

function plantLeads(more: number): Promise<unknown> {
  const submission = () => ({
    leadId: newUuid(),
    supplierKey: PARTNER,
    externalId: null,
    isTest: false,
    receivedAt: NOW,
    score: 70,
    scoreFactors: '{}',
    contentHash: '\0',
    fields: '{"fullName":"Jordan Rivera"}',
    consent: '{}',
    reason: null,
    rawBody: '{}',
    rawBodyBytes: null,
  });
  return inTx((tx) => storeSubmissions(tx, Array.from({ length: more }, submission)));
}

async function plantClaims(more: number): Promise<void> {
  const sold = await plantDeliveries(
    home.database,
    PARTNER,
    Array.from({ length: more }, () => ({ at: NOW })),
  );
  for (const { deliveryId } of sold) {
    // All at one time, so that the order is by id.
    await inTx((tx) =>
      tx.query(insertClaim, {
        claimId: newUuid(),
        kind: 'return',
        buyerKey: PARTNER,
        deliveryId,
        supplierKey: PARTNER,
        eventType: 'Lead Sale',
        reason: 'duplicate',
        statement: null,
        evidenceUrl: null,
        now: NOW,
        decisionDueAt: NOW,
        deliveryMonth: '2026-11-01',
        evidence: 'null',
      }),
    );
  }
}

let months = 0;
const plantInvoices = (more: number): Promise<void> =>
  repeat(more, async () => {
    const month = Temporal.PlainYearMonth.from('2020-01').add({ months }).toString();
    months += 1;
    const transfer = {
      businessKey: `charge:${newUuid()}`,
      type: 'charge',
      buyerKey: PARTNER,
      amountCents: 100,
      description: 'Lead',
    } as const;
    await inTx((tx) => postTransfers(tx, [transfer], new Date(`${month}-10T00:00:00Z`)));
    const input = {
      buyer: { buyerKey: PARTNER, name: PARTNER, timeZone: 'UTC', billing: defaultTerms },
      month,
      actor: commandLineActor,
    };
    await inTx((tx) => issueInvoice(tx, input, NOW));
  });

/** What the operator owes the supplier from the start of 2020 on, so that there is something to state and to pay out. */
const owe = (tx: Tx, supplierKey: string, amountCents: number): Promise<unknown> =>
  postSupplierTransfers(
    tx,
    [{ businessKey: `owed:${newUuid()}`, type: 'adjustment', supplierKey, amountCents, description: 'Bonus' }],
    new Date('2020-01-01T00:00:00Z'),
  );

let statements = 0;
const plantStatements = (more: number): Promise<void> =>
  repeat(more, async () => {
    const month = Temporal.PlainYearMonth.from('2020-01').add({ months: statements }).toString();
    if (statements === 0) await inTx((tx) => owe(tx, 'p-89', 100));
    statements += 1;
    const issued = await inTx(async (tx) => {
      const supplier = await readSupplier(tx, 'p-89');
      return supplier === null ? null : issueStatement(tx, { supplier, month, actor: commandLineActor }, NOW);
    });
    expect(issued).toMatchObject({ value: { kind: 'issued' } });
  });

const plantLists = (more: number): Promise<void> =>
  repeat(more, () =>
    inTx(async (tx) => {
      const definition = {
        key: `l-${newUuid()}`,
        name: 'List',
        kind: 'phone',
        use: 'suppress',
        buyerKey: null,
      } as const;
      const list = { ...definition, partners: [], offers: [] };
      const known = { partners: new Set<string>(), offers: new Map<string, string>() };
      const author = { actor: commandLineActor, origin: noOrigin };
      expect((await createList(tx, { definition: list, known, author }, NOW)).ok).toBe(true);
    }),
  );

const plantPayouts = (more: number): Promise<void> =>
  repeat(more, () =>
    inTx(async (tx) => {
      await owe(tx, PARTNER, 100);
      const payout = { supplierKey: PARTNER, amountCents: 100, reference: newUuid(), actor: commandLineActor };
      expect((await recordPayout(tx, payout, NOW)).ok).toBe(true);
    }),
  );

const raise = (more: number): Promise<void> => {
  const data = { channel: 'webhook', since: NOW.toISOString() };
  const notice = () =>
    ({ kind: 'endpoint.recovered', recipient: { partner: PARTNER }, occurrence: newUuid(), data }) as const;
  return inTx((tx) => raiseNotices(tx, Array.from({ length: more }, notice), NOW));
};

const plantDeadJobs = (more: number): Promise<void> =>
  repeat(more, () => {
    const payload = { leadId: newUuid() };
    return inTx((tx) =>
      moveToDeadLetters(tx, { jobId: newUuid(), name: 'route-lead', payload, attempts: 3, error: 'lost' }, NOW),
    );
  });

async function keepMails(more: number): Promise<void> {
  const { database } = home;
  const mailer = await createMailer({ smtpUrl: null, mailFrom: 'Desk <desk@market.example>', database, clock });
  const content = { to: 'a@example.com', cc: [], subject: 'Lead', text: 'Lead', html: '<p>Lead</p>', calendar: null };
  await repeat(more, () => mailer.send({ id: newUuid(), ...content }));
  await mailer.close();
}

function appendEvents(more: number): Promise<void> {
  const event = (): Parameters<typeof appendAudit>[1][number] => ({
    at: NOW,
    actor: commandLineActor,
    buyerKey: PARTNER,
    supplierKey: null,
    action: 'account.updated',
    target: PARTNER,
    changes: {},
    ...noOrigin,
  });
  return inTx((tx) => appendAudit(tx, Array.from({ length: more }, event)));
}

async function openSessions(more: number): Promise<void> {
  const { rows } = await home.database.pool.query<{ id: string }>(
    'SELECT operator_id AS id FROM operator WHERE name = $1',
    [OPERATOR],
  );
  const owner = { kind: 'operator', ownerKey: OPERATOR, openedWith: (rows[0]?.id ?? '') as OperatorId } as const;
  await repeat(more, () => inTx((tx) => openSession(tx, { owner, userAgent: 'test' }, NOW)));
}

/** By command: its arguments, and how so many more rows come into being, before or between those that are there. */
const LISTS: Readonly<Record<string, { argv?: string[]; plant: (more: number) => Promise<unknown> }>> = {
  'claims list': { plant: plantClaims },
  'invoices list': { plant: plantInvoices },
  'jobs list': { plant: plantDeadJobs },
  'key list': { plant: issue('supplier_key') },
  'lead list': { plant: plantLeads },
  'list list': { plant: plantLists },
  'mail list': { plant: keepMails },
  'notices list': { plant: raise },
  'operator list': { plant: addOperators },
  'operator sessions': { argv: [OPERATOR], plant: openSessions },
  'operator-token list': {
    plant: (count) =>
      inTx(async (tx) => {
        const input = { kind: 'operator_token', ownerKey: 'program', label: null, expiresAt: null } as const;
        for (let made = 0; made < count; made += 1)
          await issueCredential(tx, { ...input, scopes: ['read'], actor: commandLineActor }, NOW);
      }),
  },
  'partner audit': { argv: [PARTNER], plant: appendEvents },
  'partner list': { plant: plantKeys },
  'payouts list': { plant: plantPayouts },
  'secret list': { argv: ['--partner', PARTNER], plant: setSecrets },
  'statements list': { plant: plantStatements },
  'supplier list': { plant: plantKeys },
  'token list': { plant: issue('buyer_token') },
};

const contextFor = (out: CliOutput): CommandsContext => ({
  ...contextOf(home.database, clock, out),
  environment: { ok: true, config },
  config: () => config,
  withReached: () => Promise.reject(new Error('nothing reaches the server')),
  migrate: () => Promise.reject(new Error('nothing migrates')),
  stdin: process.stdin,
  prompts: process.stderr,
});

const run = (list: string, ...options: string[]): Promise<Captured> =>
  captureCommand([...list.split(' '), ...(LISTS[list]?.argv ?? []), ...options], (program, out, called) =>
    registerCommands(program, called, () => contextFor(out)),
  );

type Page = { readonly data: readonly unknown[]; readonly next?: string };

async function page(list: string, ...options: string[]): Promise<Page> {
  const { exitCode, json } = await run(list, ...options, '--json');
  expect(exitCode).toBe(0);
  return json as Page;
}

/** The pages of a list; `meanwhile` happens behind the first one. */
async function walk(list: string, meanwhile?: () => Promise<unknown>): Promise<unknown[]> {
  const first = await page(list, '--limit', String(PAGE));
  await meanwhile?.();
  const rows = [...first.data];
  for (let { next } = first; next !== undefined;) {
    const more: Page = await page(list, '--limit', String(PAGE), '--after', next);
    expect(more.data.length).toBeGreaterThan(0);
    expect(more.data.length === PAGE || more.next === undefined).toBe(true);
    rows.push(...more.data);
    next = more.next;
  }
  return rows;
}

async function all(list: string, ...options: string[]): Promise<unknown[]> {
  const { exitCode, stdout, stderr } = await run(list, '--all', ...options);
  expect([exitCode, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as unknown);
}

function commandsOf(command: Command, path: readonly string[] = []): Array<readonly [string, Command]> {
  return command.commands.flatMap((child) => {
    const here = [...path, child.name()];
    return [[here.join(' '), child] as const, ...commandsOf(child, here)];
  });
}

describe('Every list', () => {
  it('of the program is paged and covered by this test', async () => {
    let found: string[] = [];
    await captureCommand(['--help'], async (program, out) => {
      for (const { usage, register } of commandGroups.flatMap(({ commands }) => commands))
        await register(program.command(usage), contextFor(out));
      const lists = commandsOf(program).filter(
        ([, command]) =>
          // The command `list` has the commands of lists of contacts below it.
          (command.name() === 'list' && command.commands.length === 0) ||
          command.options.some(({ long }) => long === '--all'),
      );
      for (const [name, { options }] of lists)
        expect([name, ...options.map(({ long }) => long)]).toEqual(
          expect.arrayContaining([name, '--limit', '--after', '--all']),
        );
      found = lists.map(([name]) => name);
    });
    expect(found.toSorted()).toEqual(Object.keys(LISTS));
  });

  it.each(Object.keys(LISTS))('%s: its pages together contain every row once', async (list) => {
    await LISTS[list]?.plant(PLANTED);
    const rows = await all(list);
    expect(rows.length).toBeGreaterThanOrEqual(PLANTED);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    expect(await walk(list)).toEqual(rows);
    expect(await page(list)).toEqual({ data: rows });

    const shown = await walk(list, () => LISTS[list]?.plant(1) ?? Promise.resolve());
    expect(new Set(shown.map((row) => JSON.stringify(row))).size).toBe(shown.length);
    expect(shown).toEqual(expect.arrayContaining(rows));
    expect((await all(list)).length).toBe(rows.length + 1);
  });

  it.each(Object.keys(LISTS))(
    '%s: the note below its table shows how to get the next page, until the end',
    async (list) => {
      await LISTS[list]?.plant(PAGE + 1);
      const first = await run(list, '--limit', String(PAGE));
      const { next } = await page(list, '--limit', String(PAGE));
      const cursor = /^More rows: --after (\S+) shows the next page, --all prints everything\.$/m.exec(
        first.stdout,
      )?.[1];
      expect(cursor).toBe(next);
      const rest = await all(list, '--after', cursor ?? '');
      expect((await all(list)).slice(PAGE)).toEqual(rest);
      expect((await run(list, '--after', cursor ?? '')).stdout).not.toContain('--after');
    },
  );

  it.each(Object.keys(LISTS))('%s rejects invalid limits and cursors with a message', async (list) => {
    const faults = [
      [['--limit', '0'], 'It must be a whole number from 1 to 1000.'],
      [['--limit', '1001'], 'It must be a whole number from 1 to 1000.'],
      [['--limit', 'all'], 'It must be a whole number from 1 to 1000.'],
      [['--after', ''], 'It must be the cursor at the end of a page of this list.'],
      [['--after', 'Page 2'], 'It must be the cursor at the end of a page of this list.'],
      [['--all', '--limit', '5'], "option '--all' cannot be used with option '--limit <n>'"],
    ] as const;
    for (const [options, says] of faults) {
      const { exitCode, stdout, stderr } = await run(list, ...options);
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)]);
    }
  });

  it('by id rejects the cursor of another list', async () => {
    const byId = Object.keys(LISTS).filter(
      (list) => !['operator list', 'partner list', 'supplier list'].includes(list),
    );
    const cursors = await Promise.all(
      byId.map(async (list) => {
        await LISTS[list]?.plant(2);
        return (await page(list, '--limit', '1')).next;
      }),
    );
    for (const [index, list] of byId.entries()) {
      const other = cursors[(index + 1) % byId.length] ?? '';
      expect((await run(list, '--after', other)).exitCode).toBe(2);
    }
  });
});

describe('--all', () => {
  const fail = (): never => {
    throw new Error('nothing is written here');
  };
  const environmentOf = (): Record<string, string | undefined> => ({ ...process.env, DATABASE_URL: home.url });
  const start = (...argv: string[]) =>
    spawn(join(import.meta.dirname, '../../bin/leadmarket'), argv, {
      env: environmentOf(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('reads a page when the reader has taken the previous one, and stops when the reader has gone', async () => {
    const cursor = { of: String, read: Number };
    const limits: number[] = [];
    const taken: Array<(error?: Error) => void> = [];
    const ended = runCommand(['rows', '--all'], {
      version: '1.2.3',
      description: 'A list without an end.',
      streams: { stdout: { write: (_text, done) => taken.push(done ?? fail) }, stderr: { write: fail } },
      register(program, { out }) {
        addPageOptions(program.command('rows'), { cursor, limit: 5 }).action((options: PageOptions<number>) =>
          printPages<number, number>(out, options, {
            cursor,
            async read({ after, limit }) {
              limits.push(limit);
              return Array.from({ length: limit }, (_, index) => (after ?? 0) + index + 1);
            },
            json: (row) => ({ row }),
            columns: ['row'],
            cells: (row) => [row],
          }),
        );
      },
    });
    for (const pages of [1, 2, 3]) {
      await eventually('a page is written', () => taken.length === pages);
      await setImmediate();
      expect(limits).toEqual(Array.from({ length: pages }, () => 1000));
      taken[pages - 1]?.(pages === 3 ? Object.assign(new Error('closed'), { code: 'EPIPE' }) : undefined);
    }
    expect([await ended, limits.length]).toEqual([0, 3]);
  });

  it('prints more rows than fit on one page', async () => {
    await plantLeads(1_001);
    const rows = (await all('lead list')) as Array<{ leadId: string }>;
    expect(rows.length).toBeGreaterThan(1_001);
    expect(new Set(rows.map(({ leadId }) => leadId)).size).toBe(rows.length);
    expect(rows.map(({ leadId }) => leadId)).toEqual(
      rows
        .map(({ leadId }) => leadId)
        .toSorted()
        .toReversed(),
    );
  });

  it.each([['--all'], ['--limit=1000']])('ends quietly when the reader has seen enough: %s', async (option) => {
    await plantLeads(1_000);
    const child = start('lead', 'list', option);
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, stderr]).toEqual([0, '']);
  });
});
