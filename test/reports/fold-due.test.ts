// Tests when the scheduled fold of reports has something to do (decision 091).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { foldSome, isFoldDue } from '../../src/reports/fold-reports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { select } from '../support/ledger-faults.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const isDue = (now: Date): Promise<boolean> => isFoldDue(home.database, now);

async function foldAll(now: Date): Promise<void> {
  while (await home.database.tx((tx) => foldSome(tx, now)));
}

describe('The fold of reports', () => {
  beforeEach(() => foldAll(NOON));

  it('is due a minute after the last one, and not before where nothing has changed', async () => {
    expect([await isDue(NOON), await isDue(after(59)), await isDue(after(60))]).toEqual([false, false, true]);
  });

  it('is due before the first one, and when changes wait', async () => {
    await select(home.database, 'UPDATE report_progress SET folded_at = NULL');
    expect(await isDue(NOON)).toBe(true);
    await foldAll(NOON);
    expect(await isDue(after(1))).toBe(false);
    await select(
      home.database,
      `INSERT INTO report_change (kind, id, status) VALUES ('lead', '00000000-0000-7000-8000-000000000001', 'Pending')`,
    );
    expect(await isDue(after(1))).toBe(true);
  });

  it('is due when the marketplace has another time zone', async () => {
    await select(home.database, `UPDATE marketplace SET time_zone = 'Asia/Tokyo'`);
    expect(await isDue(after(1))).toBe(true);
    await foldAll(after(1));
    expect(await isDue(after(2))).toBe(false);
  });

  it('is not due when the marketplace has another name of its time zone', async () => {
    await select(home.database, `UPDATE report_progress SET time_zone = 'Asia/Calcutta'`);
    await select(home.database, `UPDATE marketplace SET time_zone = 'Asia/Kolkata'`);
    expect(await isDue(after(1))).toBe(false);
    // The database computed days of IST by its fixed hours.
    await select(home.database, `UPDATE report_progress SET time_zone = 'IST'`);
    expect(await isDue(after(1))).toBe(true);
    await foldAll(after(1));
    expect(await isDue(after(2))).toBe(false);
  });

  it('is due while rows from before the roll-ups are not folded', async () => {
    await select(home.database, `UPDATE report_progress SET leads_from = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`);
    expect(await isDue(after(1))).toBe(true);
    await foldAll(after(1));
    expect(await isDue(after(2))).toBe(false);
  });
});
