// Forgetting what is old: as the settings say, in slices, and nothing that is still needed (decision 021).
import type { DeliveryId } from '../../src/base/ids.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { DAY_MS } from '../../src/base/time.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { failDeliveries } from '../../src/deliveries/settle-deliveries.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { exportFile } from '../../src/marketplace-file/export-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { readSettings } from '../../src/marketplace/stored-settings.ts';
import { registerRetentionCommand } from '../../src/privacy/retention.cli.ts';
import { runRetention, type RetentionReport } from '../../src/privacy/retention.job.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { accepted, PERSON, privacyYaml, rowsWith, TRACES } from './privacy-market.ts';

let receiver: Receiver;
/** Of two leads that were sold, one of them not delivered yet. */
let prepared: TestDatabase;
/** A copy of it, for one test. */
let home: TestDatabase;

beforeAll(async () => {
  receiver = await startReceiver({
    respond: ({ path, body }) =>
      path === '/dawn' ? { status: 429, headers: { 'retry-after': '86400' } } : { status: 200, body },
  });
  prepared = await createTestDatabase();
  const yaml = privacyYaml(receiver.origin);
  const market = await startTestMarketplace({ yaml, allowTargets: [receiver.origin], on: prepared });
  const key = await market.supplierKey('acme-media');
  await accepted(market, key, PERSON);
  await accepted(market, key, {
    ...PERSON,
    external_id: 'later',
    phone: '+12025550190',
    email: 'q@canary.example',
    state: 'WA',
    consent_text: 'Brightwater agrees',
    source_form_url: 'https://forms.example.com/debt',
  });
  await eventually('one is delivered and copied, one waits', async () => {
    const [row] = await select<{ done: number; waiting: number }>(
      market.database,
      `SELECT (SELECT count(*)::int FROM attempt WHERE state = 'succeeded') AS done,
              (SELECT count(*)::int FROM send_job WHERE attempt_id IS NULL AND attempts = 1) AS waiting`,
    );
    return row?.done === 2 && row.waiting === 1;
  });
  await market.close();
});
afterAll(async () => {
  await prepared.drop();
  await receiver.close();
});
beforeEach(async () => {
  home = await createTestDatabase({ from: prepared });
  return () => home.drop();
});

async function apply(yaml: string): Promise<void> {
  const parsed = parseFile(yaml, { allowTargets: [receiver.origin] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const options = { dryRun: false, prune: false, actor: commandLineActor };
  const applied = await home.database.tx((tx) => applyFile(tx, parsed.file, options, new Date()));
  if (!applied.ok) throw new Error(JSON.stringify(applied.errors));
}

/** As on a later day. */
const later = (days: number): Promise<RetentionReport> =>
  runRetention({
    database: home.database,
    clock: { now: () => new Date(Date.now() + days * DAY_MS) },
    withinMs: Infinity,
  });

const count = async (condition: string): Promise<number> =>
  (await select<{ n: number }>(home.database, `SELECT count(*)::int AS n FROM ${condition}`))[0]?.n ?? -1;

const nothing = {
  leads: 0,
  'raw-bodies': 0,
  snippets: 0,
  attempts: 0,
  callbacks: 0,
  decisions: 0,
  outages: 0,
  counters: 0,
  persons: 0,
  consents: 0,
};

describe('Retention', () => {
  it('deletes nothing on the first day', async () => {
    expect(await later(0)).toEqual({ purged: nothing, isDone: true });
  });

  it('deletes after a month what a script said of its error, which may quote the lead', async () => {
    await home.database.pool.query(
      `UPDATE attempt SET response_snippet = NULL, channel = 'sheets_script', state = 'failed', error = 'no row for Jane Doe'`,
    );
    expect((await later(31)).purged).toMatchObject({ snippets: 3 });
    expect(await count(`attempt WHERE error = 'The text of the error has expired.'`)).toBe(3);
    expect((await later(31)).purged).toEqual(nothing);
  });

  it('deletes responses after a month and bodies after three, each of them once', async () => {
    expect((await later(31)).purged).toEqual({ ...nothing, snippets: 2 });
    expect(await count('attempt WHERE response_snippet IS NOT NULL')).toBe(0);
    expect((await later(31)).purged).toEqual(nothing);
    const quarter = (await later(92)).purged;
    expect(quarter).toMatchObject({ 'raw-bodies': 2, snippets: 0, persons: 4 });
    expect(await count('lead WHERE raw_body IS NOT NULL')).toBe(0);
    expect(await count('lead WHERE fields IS NOT NULL')).toBe(2);
    expect((await later(92)).purged).toEqual(nothing);
    expect(await ledgerFaultsButCounters()).toEqual([]);
  });

  it('keeps the cap counters in which a pending delivery has a slot', async () => {
    const before = await count('cap_counter');
    const { purged } = await later(70);
    expect(purged.counters).toBeGreaterThan(0);
    const [pending] = await select<{ id: string; windows: number }>(
      home.database,
      `SELECT delivery_id AS id, jsonb_array_length(cap_windows) AS windows FROM delivery WHERE status = 'Pending'`,
    );
    expect(await count('cap_counter')).toBe(before - purged.counters);
    expect(await count('cap_counter')).toBe(pending?.windows);
    await home.database.tx((tx) =>
      failDeliveries(tx, [{ deliveryId: (pending?.id ?? '') as DeliveryId, certain: false }], new Date()),
    );
    expect(await count('cap_counter WHERE used <> 0 OR used_cents <> 0')).toBe(0);
  });

  it('deletes attempts and decisions after a year, and proofs of consent after five', async () => {
    const { purged } = await later(401);
    expect(purged).toMatchObject({ attempts: 3, decisions: 2, consents: 0 });
    expect((await later(5 * 366 + 1)).purged).toMatchObject({ consents: 2, attempts: 0 });
    expect(await count('delivery')).toBe(2);
    expect(await count('transfer')).toBe(1);
  });

  it('erases old leads if the file says so, with one audit event for all', async () => {
    await apply(
      privacyYaml(receiver.origin).replace(
        'currency: USD',
        'currency: USD, retention: { leadDays: 10, consentYears: forever }',
      ),
    );
    expect((await later(9)).purged.leads).toBe(0);
    expect((await later(11)).purged.leads).toBe(2);
    expect((await later(11)).purged.leads).toBe(0);
    const rows = await rowsWith(home.database, TRACES);
    expect(rows).toEqual([]);
    expect(
      await select(home.database, `SELECT actor_name, changes FROM audit_event WHERE action = 'leads.erased'`),
    ).toEqual([{ actor_name: 'retention', changes: { leads: { from: null, to: 2 } } }]);
    expect(await ledgerFaults(home.database)).toEqual([]);
    expect((await later(36_000)).purged.consents).toBe(0);
  });

  it('stops when its time is over, and continues there in the next run', async () => {
    let calls = 0;
    const clock = { now: () => new Date(Date.now() + 31 * DAY_MS + 1000 * (calls += 1)) };
    const first = await runRetention({ database: home.database, clock, withinMs: 3500 });
    expect(first.isDone).toBe(false);
    const second = await later(31);
    expect(first.purged.snippets + second.purged.snippets).toBe(2);
  });

  it('runs as a command and reports what it deleted', async () => {
    const clock = { now: () => new Date(Date.now() + 31 * DAY_MS) };
    const { exitCode, json } = await captureCommand(['retention', 'run', '--json'], (program, out) =>
      registerRetentionCommand(program.command('retention'), contextOf(home.database, clock, out)),
    );
    expect([exitCode, json]).toEqual([0, { forgotten: { ...nothing, snippets: 2 } }]);
  });
});

describe('The settings of retention', () => {
  it('are applied from the file and exported again', async () => {
    const yaml = privacyYaml(receiver.origin).replace(
      'currency: USD',
      'currency: USD, retention: { leadDays: 365, rawBodyDays: forever, personDays: 45 }',
    );
    await apply(yaml);
    const { settings } = await home.database.tx(readSettings);
    expect(settings.retention).toEqual({
      leadDays: 365,
      rawBodyDays: null,
      snippetDays: 30,
      attemptDays: 400,
      decisionDays: 400,
      personDays: 45,
      consentYears: 5,
    });
    const { text, content } = await home.database.tx(exportFile);
    expect(content['marketplace']).toMatchObject({
      retention: { leadDays: 365, rawBodyDays: 'forever', personDays: 45 },
    });
    await apply(text);
    expect((await home.database.tx(readSettings)).settings).toEqual(settings);
  });
});

/** Counters of past windows are gone by then, as they should be. */
async function ledgerFaultsButCounters(): Promise<string[]> {
  const faults = await ledgerFaults(home.database, { atRest: false });
  return faults.filter((fault) => !fault.includes('a counter has as many slots'));
}
