// Tests that workers that lock before they decide, and workers that lock afterwards, wait for each other without a deadlock (contract 4.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addToCounterUse, lockCounters, insertCounters } from '../../src/caps/cap-counters.ts';
import { select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { CounterKey } from '../../src/caps/counter.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const startsAt = new Date('2026-11-20T00:00:00Z');
const window: CounterKey = { offerKey: 'calls', window: 'daily', startsAt };
const slot: CounterKey = { offerKey: 'calls', window: 'slot', startsAt: new Date('2026-11-21T10:00:00Z') };

describe('A slot that two workers book for the first time', () => {
  it('is created by the worker that holds the locks of the windows', async () => {
    const { database } = home;
    await database.tx((tx) => lockCounters(tx, [window]));
    const second = await database.tx(async (tx) => {
      await lockCounters(tx, [window]);
      const ended = database
        .tx((other) => lockCounters(other, [slot, window]))
        .catch((error: unknown) => `${String(error)} in the second worker`);
      await eventually('the second worker waits for the first', async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await select(database, waiting)).length > 0;
      });
      await insertCounters(tx, [slot]);
      await addToCounterUse(tx, [
        { ...window, slots: 1, cents: 100 },
        { ...slot, slots: 1, cents: 100 },
      ]);
      return { ended };
    });
    expect(await second.ended).toEqual([
      { ...window, used: 1, usedCents: 100 },
      { ...slot, used: 1, usedCents: 100 },
    ]);
  });
});
