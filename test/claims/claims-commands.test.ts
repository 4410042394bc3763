// Tests the commands `claims list`, `show`, `take`, `approve` and `deny` (contract 7.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { registerClaimsCommands } from '../../src/claims/claims.cli.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import type { Json } from '../support/scope-app.ts';
import { claimFaults } from './claim-ledger.ts';
import { type ClaimMarket, NOW, RETURNS, startClaimMarket } from './claim-market.ts';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());

function run(...argv: string[]): Promise<Captured> {
  return captureCommand(['claims', ...argv], (program, out) =>
    registerClaimsCommands(program.command('claims'), contextOf(home.market.database, home.clock, out)),
  );
}

async function filed(partner = 'summit', more: object = {}): Promise<Json> {
  const [deliveryId = ''] = await home.plant(partner, [{}]);
  return (await home.file(partner, 'return', { deliveryId, reason: 'duplicate', ...more })).json;
}

describe('claims list', () => {
  it('lists filed claims, newest first, by status and partner', async () => {
    const first = await filed();
    home.clock.advance(1000);
    const second = await filed('harbor');
    await home.review(first.returnId, 'take');
    const { exitCode, json } = await run('list', '--json');
    expect([exitCode, json]).toEqual([
      0,
      {
        data: [
          {
            id: second.returnId,
            kind: 'return',
            partner: 'harbor',
            deliveryId: second.deliveryId,
            reason: 'duplicate',
            status: 'submitted',
            filedAt: '2026-11-20T18:00:01.000Z',
          },
          {
            id: first.returnId,
            kind: 'return',
            partner: 'summit',
            deliveryId: first.deliveryId,
            reason: 'duplicate',
            status: 'under_review',
            filedAt: NOW,
          },
        ],
      },
    ]);
    const ids = async (...options: string[]) =>
      ((await run('list', ...options, '--json')).json as Json).data.map(({ id }: Json) => id);
    expect(await ids('--status', 'under_review')).toEqual([first.returnId]);
    expect(await ids('--partner', 'harbor')).toEqual([second.returnId]);
    expect(await ids('--status', 'submitted', '--partner', 'summit')).toEqual([]);
    expect(await ids('--limit', '1')).toEqual([second.returnId]);
    expect((await run('list')).stdout).toContain(first.returnId);
  });

  it.each([['--status', 'lost'], ['--limit', '0'], ['--nothing']])(
    'reports a usage error for %s %s',
    async (...options) => {
      expect((await run('list', ...options.filter(Boolean), '--json')).exitCode).toBe(2);
    },
  );
});

describe('claims show', () => {
  it('shows a claim with its evidence', async () => {
    const claim = await filed('summit', { proof: 'We had her in May.' });
    const { exitCode, json } = await run('show', claim.returnId, '--json');
    expect([exitCode, json]).toEqual([
      0,
      {
        id: claim.returnId,
        kind: 'return',
        partner: 'summit',
        deliveryId: claim.deliveryId,
        deliveryRef: claim.deliveryRef,
        leadId: expect.stringMatching(/^lead_/) as unknown,
        supplier: 'acme-media',
        eventType: 'Lead Sale',
        payout: 45,
        reason: 'duplicate',
        proof: 'We had her in May.',
        status: 'submitted',
        filedAt: claim.filedAt,
        decisionDueAt: claim.decisionDueAt,
        decidedAt: null,
        decisionNote: null,
        credit: null,
        decidedBy: null,
        evidence: { about: 'duplicate', dedupDays: 30, deliveries: [] },
      },
    ]);
    const { stdout } = await run('show', claim.returnId);
    expect(stdout).toContain('We had her in May.');
    expect(stdout).toContain('No other delivery of this contact');
  });

  it.each(['ret_01m7ww5brzff488f6mxkdn36hm', 'dsp_01m7ww5brzff488f6mxkdn36hm', 'dlv_01m7ww5brzff488f6mxkdn36hm', 'x'])(
    'rejects the unknown claim %s',
    async (id) => {
      for (const argv of [['show'], ['take'], ['approve'], ['deny', '--note', 'x']]) {
        const [command = '', ...options] = argv;
        const { exitCode, json } = await run(command, id, ...options, '--json');
        expect([exitCode, json]).toEqual([
          1,
          { error: { code: 'claim_not_found', message: `There is no claim ${id}.` } },
        ]);
      }
    },
  );
});

describe('claims take, approve and deny', () => {
  it('take effect once', async () => {
    const claim = await filed();
    const read = async () => (await home.ask('summit', `${RETURNS}/${claim.returnId}`)).json;
    const taken = await run('take', claim.returnId, '--json');
    expect([taken.exitCode, taken.json]).toMatchObject([0, { id: claim.returnId, status: 'under_review' }]);
    const approved = await run('approve', claim.returnId, '--note', 'So it is.', '--json');
    expect([approved.exitCode, approved.json]).toMatchObject([
      0,
      { status: 'approved', decisionNote: 'So it is.', decidedBy: 'command line', credit: { amount: 45 } },
    ]);
    expect(await read()).toMatchObject({ status: 'approved', decisionNote: 'So it is.', credit: { amount: 45 } });
    for (const command of ['approve', 'deny', 'take']) {
      const again = await run(command, claim.returnId, '--json');
      const message = 'The return is approved already, by command line.';
      expect([again.exitCode, again.json]).toEqual([1, { error: { code: 'claim_closed', message } }]);
    }
    const other = await filed();
    const { stdout } = await run('deny', other.returnId, '--note', 'The line answers.');
    expect(stdout).toBe(`${other.returnId} is denied.\n`);
    const third = await filed();
    expect((await run('approve', third.returnId)).stdout).toBe(
      `${third.returnId} is approved, 45.00 credited to summit.\n`,
    );
    expect(await claimFaults(home.market.database)).toEqual([]);
  });

  it.each([[['--note', '']], [['--note', 'x'.repeat(501)]], [['--note', 'a\nb']], [['--note']]])(
    'report a usage error for %j',
    async (options) => {
      const claim = await filed();
      expect((await run('deny', claim.returnId, ...options, '--json')).exitCode).toBe(2);
    },
  );
});
