// Counts the entries of lists: each value once, whatever was loaded, removed and expired (contract 15.1).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { hashOfValue } from '../../src/lists/list-hash.ts';
import { addPart, beginLoad, finishLoad } from '../../src/lists/load-list.ts';
import { readListByName } from '../../src/lists/read-lists.ts';
import { sweepLists } from '../../src/lists/sweep-lists.job.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { DRAW_SEED, DRAWN_BY } from '../support/drawn.ts';
import { handClock } from '../support/hand-clock.ts';
import { listCommands, type ListCommands } from './list-command.ts';

/** Successive commits draw other cases. */
const CASES = DRAWN_BY === 'all' ? 100 : 20;

const clock = handClock('2026-11-18T12:00:00.000Z');
let home: TestDatabase;
let lists: ListCommands;

beforeAll(async () => {
  home = await createTestDatabase();
  lists = await listCommands(home.database, clock);
});
afterAll(async () => {
  await lists.close();
  await home.drop();
});

const phone = (number: number) => `+1555${2_000_000 + number}`;
const csvOf = (numbers: readonly number[]) => `phone\n${numbers.map(phone).join('\n')}\n`;
const suppressing = (key: string) => lists.run('create', key, '--kind', 'phone', '--use', 'suppress');
const entriesOf = async (key: string) => (await lists.run('show', key))['entries'];

describe('The entries of a list', () => {
  it('counts each value once, in any order of loads, removals and expiry', async () => {
    const DAY_MS = 86_400_000;
    const numbers = fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1, maxLength: 8 });
    const step = fc.oneof(
      fc.record({ what: fc.constant('add' as const), numbers, days: fc.constantFrom(null, 2, 5) }),
      fc.record({ what: fc.constant('replace' as const), numbers, days: fc.constantFrom(null, 2, 5) }),
      fc.record({ what: fc.constant('remove' as const), numbers }),
      fc.record({ what: fc.constant('days' as const), days: fc.integer({ min: 1, max: 3 }) }),
    );
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        made += 1;
        const key = `list-${made}`;
        await suppressing(key);
        // Of each load the values with the time until which they count.
        let loads: Array<Map<number, number>> = [];
        for (const taken of steps) {
          if (taken.what === 'add' || taken.what === 'replace') {
            const until = taken.days === null ? Infinity : clock.now().getTime() + taken.days * DAY_MS;
            const options = taken.days === null ? [] : ['--expires', new Date(until).toISOString()];
            expect((await lists.load(key, csvOf(taken.numbers), '--mode', taken.what, ...options)).exitCode).toBe(0);
            const load = new Map(taken.numbers.map((number) => [number, until]));
            loads = taken.what === 'add' ? [...loads, load] : [load];
          } else if (taken.what === 'remove') {
            await lists.run('remove', key, ...taken.numbers.flatMap((number) => ['--value', phone(number)]));
            for (const load of loads) for (const number of taken.numbers) load.delete(number);
          } else {
            clock.advance(taken.days * DAY_MS);
            await sweepLists({ database: home.database, clock, withExpired: true });
            const now = clock.now().getTime();
            for (const load of loads) for (const [number, until] of load) if (until < now) load.delete(number);
          }
          const values = new Set(loads.flatMap((load) => [...load.keys()]));
          expect(await entriesOf(key)).toBe(values.size);
        }
      }),
      { numRuns: CASES, seed: DRAW_SEED },
    );
    console.log(`the entries of a list: ${CASES} cases, seed ${DRAW_SEED}`);
  });

  it('never counts too few when loads are under way at the same time', async () => {
    await suppressing('dnc');
    const list = await home.database.tx((tx) => readListByName(tx, 'dnc', null));
    if (list === null) throw new Error('there is no list');
    const author = { actor: commandLineActor, origin: noOrigin };
    const begin = (mode: 'add' | 'replace') =>
      home.database.tx(async (tx) => {
        const options = { mode, hashed: false, skipInvalid: false, expiresAt: null };
        const begun = await beginLoad(tx, { list, options, author }, clock.now());
        if (!begun.ok) throw new Error(begun.code);
        const entries = [1, 2, 3].map((number) => ({
          hash: hashOfValue({ isHash: false, text: phone(number) }),
          expiresAt: null,
        }));
        const part = { number: 1, entries, rejected: 0 };
        await addPart(tx, { list, loadId: begun.value.loadId, part }, clock.now());
        return begun.value.loadId;
      });
    const finish = (loadId: number) =>
      home.database.tx((tx) => finishLoad(tx, { list, loadId, parts: 1, author }, clock.now()));
    await lists.load('dnc', csvOf([1, 2, 3]));
    const added = await begin('add');
    await finish(await begin('replace'));
    await finish(added);
    // Its values were counted as repeated, and what they repeated was replaced meanwhile.
    expect(await entriesOf('dnc')).toBe(6);
    await lists.load('dnc', csvOf([1, 2, 3]));
    const again = await begin('add');
    await lists.run('remove', 'dnc', '--value', phone(1));
    await finish(again);
    expect([await entriesOf('dnc'), (await lists.run('show', 'dnc', '--value', phone(1)))['listed']]).toEqual([
      5,
      true,
    ]);
  });
});
