import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { firstIdOf } from '../../src/base/id-time.ts';
import { type LeadId, typeId } from '../../src/base/ids.ts';
import { registerLeadList } from '../../src/leads/leads.cli.ts';
import { settleLeads } from '../../src/leads/settle-leads.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
/** Of the leads, oldest first, a minute apart. */
const times = [0, 1, 2, 3].map((minutes) => new Date(now.getTime() + minutes * 60_000));
const ids = times.map((at) => firstIdOf(at));
const names = ids.map((id) => typeId('lead', id as LeadId));

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
  const submission = (index: number, supplierKey: string, isAccepted: boolean) => ({
    leadId: (ids[index] ?? '') as LeadId,
    supplierKey,
    externalId: `A-${index}`,
    isTest: index === 3,
    receivedAt: times[index] ?? now,
    score: isAccepted ? 70 + index : null,
    scoreFactors: isAccepted ? '{}' : null,
    contentHash: isAccepted ? '\0' : null,
    fields: isAccepted ? '{"fullName":"Jordan Rivera"}' : null,
    consent: isAccepted ? '{}' : null,
    reason: isAccepted ? null : 'name required',
    rawBody: '{}',
    rawBodyBytes: null,
  });
  await home.database.tx(async (tx) => {
    await storeSubmissions(tx, [
      submission(0, 'acme-media', true),
      submission(1, 'acme-media', false),
      submission(2, 'rival', true),
      submission(3, 'acme-media', true),
    ]);
    const sale = {
      leadId: (ids[0] ?? '') as LeadId,
      from: 'Pending',
      state: 'routed',
      publicStatus: 'Lead Sale',
      reason: null,
    } as const;
    await settleLeads(tx, [sale], now);
  });
});
afterAll(() => home.drop());

const run = (...argv: string[]) =>
  captureCommand(['lead', 'list', ...argv], (program, out) =>
    registerLeadList(program.command('lead'), contextOf(home.database, { now: () => now }, out)),
  );

describe('lead list', () => {
  it('prints every lead, newest first', async () => {
    const { exitCode, json } = await run('--json');
    expect([exitCode, json]).toEqual([
      0,
      {
        data: [
          {
            leadId: names[3],
            externalId: 'A-3',
            supplier: 'acme-media',
            state: 'received',
            status: 'Pending',
            reason: null,
            score: 73,
            receivedAt: '2026-11-20T18:03:00.000Z',
            vertical: null,
          },
          expect.objectContaining({ leadId: names[2], supplier: 'rival' }),
          expect.objectContaining({
            leadId: names[1],
            state: 'rejected',
            status: 'Invalid',
            reason: 'name required',
            score: null,
          }),
          expect.objectContaining({ leadId: names[0], state: 'routed', status: 'Lead Sale', reason: null, score: 70 }),
        ],
      },
    ]);
  });

  it.each([
    [
      ['--supplier', 'acme-media'],
      [3, 1, 0],
    ],
    [['--supplier', 'nobody'], []],
    [['--state', 'rejected'], [1]],
    [['--state', 'received', '--supplier', 'rival'], [2]],
    [
      ['--since', '2026-11-20T18:02:00Z'],
      [3, 2],
    ],
    [['--since', '2026-11-21'], []],
    [
      ['--limit', '2'],
      [3, 2],
    ],
    [['--limit', '1', '--supplier', 'rival'], [2]],
  ])('filters by %j', async (argv, found) => {
    const { json } = await run(...argv, '--json');
    expect((json as { data: Array<{ leadId: string }> }).data.map(({ leadId }) => leadId)).toEqual(
      found.map((index) => names[index]),
    );
  });

  it.each([
    [['--state', 'sold']],
    [['--since', 'yesterday']],
    [['--limit', '0']],
    [['--limit', '1001']],
    [['--limit', 'all']],
    [['acme-media']],
  ])('reports a usage error for %j', async (argv) => {
    expect(await run(...argv)).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('prints a table without --json', async () => {
    const { stdout } = await run('--supplier', 'rival');
    expect(stdout).toContain('External id');
    expect(stdout).toContain(names[2]);
    expect((await run('--supplier', 'nobody')).stdout).toBe('None.\n');
  });
});
