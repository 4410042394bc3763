// Tests leads that cannot be decided: they delay no other lead, become dead jobs, and can be retried by an operator.
import { afterEach, describe, expect, it } from 'vitest';

import { type LeadId, typeId } from '../../src/base/ids.ts';
import { registerJobsCommands } from '../../src/routing/jobs.cli.ts';
import { ledgerFaults, leadsByStatus, select } from '../support/ledger-faults.ts';
import { captureCommand, contextOf, type Captured } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const YAML = `
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: summit
    offers: [{ key: summit-all, eventType: Lead Sale, payout: 10.00, caps: { daily: 1000 } }]
`;

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function begin(role: 'api' | 'worker', on: TestDatabase, clock = handClock(START)): Promise<TestMarketplace> {
  const market = await startTestMarketplace({ yaml: YAML, role, on, clock });
  open.push(() => market.close());
  return market;
}

const START = '2026-11-20T18:00:00.000Z';
const LEADS = 150;
const isPoison = (serial: number): boolean => serial % 10 === 3;
const POISON = Array.from({ length: LEADS }, (_, serial) => serial).filter(isPoison).length;

describe('A lead that cannot be decided', () => {
  it('delays no other lead, becomes a dead job, and is decided by a retry after its repair', async () => {
    const home = await createTestDatabase();
    open.push(() => home.drop());
    const clock = handClock(START);
    const api = await begin('api', home, clock);
    const supplier = connectSupplier(api.url, { key: await api.supplierKey('acme'), connections: 8 });
    open.push(() => supplier.close());
    const posted = await supplier.postAll(Array.from({ length: LEADS }, (_, serial) => leadBody(serial)));
    expect(posted.every(({ status }) => status === 202)).toBe(true);
    // Corrupt stored fields make every decision on these leads fail.
    const spoilt = await select<{ leadId: LeadId; fields: string }>(
      home.database,
      `UPDATE lead SET fields = 'spoilt ' || fields WHERE (substr(external_id, 6)::int % 10) = 3
       RETURNING lead_id AS "leadId", substr(fields, 8) AS fields`,
    );
    expect(spoilt).toHaveLength(POISON);

    // The clock stands still: a valid lead that was postponed would stay undecided.
    await begin('worker', home, clock);
    await eventually(
      'every other lead is sold',
      async () => (await leadsByStatus(home.database))['Lead Sale'] === LEADS - POISON,
    );
    expect(await jobs(home, ['list'])).toMatchObject({ json: { data: [] } });

    const dead = await eventually('the spoilt ones have failed for good', async () => {
      clock.advance(10_000);
      const { json } = await jobs(home, ['list']);
      const { data } = json as { data: DeadJob[] };
      return data.length === POISON ? data : null;
    });
    expect(new Set(dead.map(({ subject }) => subject))).toEqual(
      new Set(spoilt.map(({ leadId }) => typeId('lead', leadId))),
    );
    // One attempt at once and four more within some minutes.
    expect(
      dead.every(({ name, attempts, error }) => name === 'route-lead' && attempts === 5 && error === 'SyntaxError'),
    ).toBe(true);
    expect(await leadsByStatus(home.database)).toEqual({ 'Lead Sale': LEADS - POISON, Pending: POISON });
    expect(await ledgerFaults(home.database, { atRest: false })).toEqual([]);

    const [first, second] = dead;
    const mended = spoilt.find(({ leadId }) => typeId('lead', leadId) === first?.subject);
    await select(home.database, 'UPDATE lead SET fields = $2 WHERE lead_id = $1', [mended?.leadId, mended?.fields]);
    for (const job of [first, second])
      expect(await jobs(home, ['retry', job?.jobId ?? ''])).toMatchObject({ exitCode: 0 });
    await eventually(
      'the mended one is sold',
      async () => (await leadsByStatus(home.database))['Lead Sale'] === LEADS - POISON + 1,
    );
    await eventually('the other one has failed for good once more', async () => {
      clock.advance(10_000);
      const { json } = await jobs(home, ['list']);
      return (json as { data: DeadJob[] }).data.length === POISON - 1;
    });
    expect(await jobs(home, ['retry', first?.jobId ?? ''])).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'job_not_found' } },
    });
    expect(await ledgerFaults(home.database, { atRest: false })).toEqual([]);
  });
});

type DeadJob = { jobId: string; name: string; subject: string; attempts: number; error: string };

function jobs(home: TestDatabase, argv: readonly string[]): Promise<Captured> {
  return captureCommand(['jobs', ...argv, '--json'], (program, out) =>
    registerJobsCommands(program.command('jobs'), contextOf(home.database, { now: () => new Date(START) }, out)),
  );
}
