// The ledger filtered by type and time: pages, counts and sums are those of a filter over all entries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openAccounts } from '../../src/ledger/accounts.ts';
import { listEntries, sumEntries } from '../../src/ledger/entries.ts';
import type { EntryFilter } from '../../src/ledger/entry-versions.ts';
import type { LedgerEntry } from '../../src/ledger/entry.rules.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { transferTypes } from '../../src/ledger/transfer.rules.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const MINUTE_MS = 60_000;
const BEGIN = Date.parse('2026-11-20T00:00:00Z');
/** Entries are 7 minutes apart, and each is up to 14 minutes earlier or later than its turn. */
const STEP_MS = 7 * MINUTE_MS;
const ENTRIES = 300;
const at = (minutes: number): Date => new Date(BEGIN + minutes * MINUTE_MS);

let home: TestDatabase;
let all: readonly LedgerEntry[];

const list = (query: { page: number; pageSize: number; filter?: EntryFilter }, buyerKey = 'cedar') =>
  home.database.tx((tx) => listEntries(tx, buyerKey, query), { snapshot: true });

beforeAll(async () => {
  home = await createTestDatabase();
  await home.database.tx((tx) => openAccounts(tx, ['cedar', 'birch', 'empty']));
  for (let index = 0; index < ENTRIES; index += 1) {
    // Of ten entries seven are charges; the times repeat themselves, and disagree with the order of posting by 14 minutes at most.
    const type = index % 10 < 7 ? 'charge' : (transferTypes[1 + (index % 4)] ?? 'credit');
    const time = new Date(BEGIN + index * STEP_MS + ((index * 37) % 3) * STEP_MS);
    const amountCents = type === 'adjustment' && index % 3 === 0 ? -index - 1 : index + 1;
    await home.database.tx((tx) =>
      postTransfers(
        tx,
        ['cedar', 'birch'].map((buyerKey) => {
          return { businessKey: `${buyerKey}:${index}`, type, buyerKey, amountCents, description: 'Entry' };
        }),
        time,
      ),
    );
  }
  all = (await list({ page: 1, pageSize: ENTRIES })).entries;
});
afterAll(() => home.drop());

const expected = ({ type, from, until }: EntryFilter): LedgerEntry[] =>
  all.filter(
    (entry) =>
      (type === null || entry.type === type) &&
      (from === null || entry.createdAt >= from) &&
      (until === null || entry.createdAt < until),
  );

const DAY_ENDS = [null, -10_000, 0, 35, 1003, 2093, 2114, 10_000].map((minutes) =>
  minutes === null ? null : at(minutes),
);
const TYPES = [null, ...transferTypes];

describe('the filtered ledger of a partner', () => {
  it('has times in another order than its entries', () => {
    expect(all).toHaveLength(ENTRIES);
    const times = all.map(({ createdAt }) => createdAt.getTime());
    expect(times).not.toEqual(times.toSorted((one, two) => two - one));
  });

  it.each(TYPES)('pages, counts and adds up the entries of type %s of any days', async (type) => {
    for (const from of DAY_ENDS) {
      for (const until of DAY_ENDS) {
        const filter = { type, from, until };
        const wanted = expected(filter);
        const pageSize = 17;
        const page = 1 + ((wanted.length * 7) % (Math.ceil(wanted.length / pageSize) + 1));
        const found = await list({ page, pageSize, filter });
        expect([filter, found.total, found.entries]).toEqual([
          filter,
          wanted.length,
          wanted.slice((page - 1) * pageSize, page * pageSize),
        ]);
        const sums = await home.database.tx((tx) => sumEntries(tx, 'cedar', { filter, atMost: ENTRIES }), {
          snapshot: true,
        });
        const sumOf = (sign: number): number =>
          wanted.reduce((sum, { amountCents }) => sum + Math.max(0, sign * amountCents), 0);
        expect([filter, sums]).toEqual([filter, { rows: wanted.length, debitCents: sumOf(-1), creditCents: sumOf(1) }]);
      }
    }
  });

  it('keeps the balance of the whole account', async () => {
    const { balanceCents } = await list({ page: 1, pageSize: 1 });
    const filter = { type: 'payment', from: at(300), until: at(1440) } as const;
    expect((await list({ page: 1, pageSize: 1, filter })).balanceCents).toBe(balanceCents);
  });

  it('has no entries for an account without any', async () => {
    const filter = { type: 'charge', from: at(0), until: at(10_000) } as const;
    expect((await list({ page: 1, pageSize: 25, filter }, 'empty')).total).toBe(0);
    expect((await list({ page: 1, pageSize: 25, filter: { ...filter, type: 'tax' } }, 'empty')).entries).toEqual([]);
  });
});
