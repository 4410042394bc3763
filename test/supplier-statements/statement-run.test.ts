// Tests runs of statements that are killed half way, happen twice at once, or meet a mail server that refuses (contract 6.20, 11.3, 12.3).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { registerStatementsCommands } from '../../src/statements/statements.cli.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
import { closeAll, storeNoticeMarket, type NoticeMarket, refused, taken } from '../notices/notice-market.ts';
import { type EarningMarket, earningMarket } from './earning-market.ts';

const yaml = `
marketplace: { name: Lead Desk }
suppliers:
  - { key: east, status: approved, timeZone: America/New_York }
  - { key: middle, status: approved }
  - { key: west, status: approved, timeZone: America/Los_Angeles }
`;

const MONTH = '2025-10';
const children = new Set<ChildProcess>();

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});
afterEach(closeAll);

/** The command in a process of its own, which has the time of the machine. */
function start(market: NoticeMarket): { readonly child: ChildProcess; readonly ended: Promise<unknown[]> } {
  const command = join(import.meta.dirname, '../../bin/leadmarket');
  const child = spawn(command, ['statements', 'run', '--month', MONTH], {
    env: { ...process.env, DATABASE_URL: market.testDatabase.url },
    stdio: 'ignore',
  });
  children.add(child);
  const ended = once(child, 'exit');
  return { child, ended };
}

/** The same command in this process. */
const runHere = ({ database }: NoticeMarket): Promise<Captured> =>
  captureCommand(['statements', 'run', '--month', MONTH], (program, out) =>
    registerStatementsCommands(program.command('statements'), contextOf(database, systemClock, out)),
  );

async function statements({ database }: NoticeMarket): Promise<string[]> {
  const rows = await select<{ text: string }>(
    database,
    `SELECT concat_ws(' ', supplier_key, to_char(period, 'YYYY-MM'), right(number, 2), earned_cents, total_cents) AS text
     FROM supplier_statement ORDER BY number`,
  );
  return rows.map(({ text }) => text);
}

describe('A run of statements', () => {
  let market: NoticeMarket;
  let money: EarningMarket;
  beforeAll(async () => {
    market = await storeNoticeMarket({ yaml });
    money = earningMarket(market.database);
    await money.cost('east', 1200, '2025-10-05T12:00:00Z');
    await money.cost('middle', 700, '2025-10-05T12:00:00Z');
    await money.cost('west', 1500, '2025-10-05T12:00:00Z');
  });

  it('that is killed half way leaves whole statements, and two runs at once issue the others, each once', async () => {
    const holder = await market.database.connect();
    await holder.query('BEGIN');
    // The row that the second statement needs first.
    await holder.query(`INSERT INTO supplier_statement_progress (supplier_key) VALUES ('middle')`);
    const { child, ended } = start(market);
    await eventually('the run waits for the second supplier', async () => {
      const waiting = await select<{ pid: number }>(
        market.database,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0 && (await statements(market)).length === 1;
    });
    child.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await statements(market)).toEqual(['east 2025-10 01 1200 1200']);
    const runs = await Promise.all([runHere(market), runHere(market)]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect((await statements(market)).toSorted()).toEqual([
      'east 2025-10 01 1200 1200',
      expect.stringMatching(/^middle 2025-10 0[23] 700 700$/),
      expect.stringMatching(/^west 2025-10 0[23] 1500 1500$/),
    ]);
    expect(await money.faults()).toEqual([]);
  });
});

describe('The statements of the scheduled runs', () => {
  it('catch up on months that the clock jumped over, and are mailed once while the mail server refuses', async () => {
    const outcomes = [refused('later', 'The mail server takes no mail at the moment.'), refused('refused', 'No.')];
    const market = await storeNoticeMarket({ yaml, at: '2026-10-10T12:00:00Z', mail: () => outcomes.shift() ?? taken });
    const money = earningMarket(market.database);
    const bill = async (): Promise<void> => {
      await scheduledJobs(market.database, market.clock)
        .find(({ name }) => name === 'bill')
        ?.run();
    };
    const api = await startTestMarketplace({ yaml, role: 'api', clock: market.clock, on: market.testDatabase });
    const east = await api.signedIn.supplier('east');
    const path = '/portal/api/supplier/notices/settings';
    const { settings } = (await east.get(path)).json;
    expect((await east.send('POST', path, { ...settings, emails: ['desk@east.example'] })).status).toBe(200);
    await api.close();
    market.start();
    await bill();
    await money.cost('east', 1200, '2026-10-15T12:00:00Z');
    market.clock.set('2027-01-02T12:00:00Z');
    await Promise.all([bill(), bill()]);
    await bill();
    expect(await statements(market)).toEqual([
      'east 2026-10 01 1200 1200',
      'east 2026-11 02 0 1200',
      'east 2026-12 03 0 1200',
    ]);
    market.pass(0);
    await eventually('all are mailed', async () => {
      const sends = await market.sends();
      if (sends.every(({ state }) => state === 'sent') && sends.length === 3) return true;
      market.pass(3_600_000);
      return false;
    });
    const mailed = market.mails.map(({ id, subject, attachments }) => `${id} ${subject} ${attachments?.length}`);
    expect([mailed.length, new Set(mailed).size]).toEqual([5, 3]);
    expect([...new Set(market.mails.map(({ to, subject }) => `${to}: ${subject}`))].toSorted()).toEqual([
      'desk@east.example: Statement ST-2027-000001 for 2026-10',
      'desk@east.example: Statement ST-2027-000002 for 2026-11',
      'desk@east.example: Statement ST-2027-000003 for 2026-12',
    ]);
    expect([await money.faults(), market.faults]).toEqual([[], []]);
  });
});
