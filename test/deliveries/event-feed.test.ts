// The order of the feed of events under concurrent writers that commit in another order than they began: no reader misses or repeats an event.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { newUuid, type Uuid } from '../../src/base/ids.ts';
import { appendBuyerEvents, listBuyerEvents } from '../../src/deliveries/feed/buyer-events.ts';
import { selectEvents } from '../../src/deliveries/feed/buyer-event.sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-20T17:00:00.000Z');

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.drop());

type Event = Parameters<typeof appendBuyerEvents>[1][number];

const event = (buyerKey: string, subjectId: Uuid = newUuid()): Event => ({
  buyerKey,
  type: 'return.reviewed',
  subjectId,
});

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** All events that a reader sees that polls with its cursor until it has this many. */
async function follow(
  buyerKey: string,
  count: number,
  limit: number,
): Promise<{ subjects: Uuid[]; numbers: number[] }> {
  const subjects: Uuid[] = [];
  const numbers: number[] = [];
  let after = 0;
  while (subjects.length < count) {
    const page = await testDatabase.database.tx((tx) => listBuyerEvents(tx, buyerKey, { after, limit }), {
      snapshot: true,
    });
    if (!page.ok) throw new Error(page.code);
    subjects.push(...page.value.events.map(({ subjectId }) => subjectId));
    numbers.push(...page.value.events.map(({ number }) => number));
    after = page.value.next;
  }
  return { subjects, numbers };
}

describe('The feed of events under concurrent writers', () => {
  it('gives a writer that began first and commits last no number that a reader has passed', async () => {
    const { database } = testDatabase;
    const [early, late] = [event('summit'), event('summit')];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const slow = database.tx(async (tx) => {
      // The transaction is open, and older than the other one, before it draws its number.
      await tx.query(selectEvents, { buyerKey: 'summit', after: 0, limit: 1 });
      begun();
      await held;
      appendBuyerEvents(tx, [early], NOW);
    });
    await hasBegun;
    await database.tx((tx) => appendBuyerEvents(tx, [late], NOW));
    const first = await follow('summit', 1, 10);
    release();
    await slow;
    expect(first).toEqual({ subjects: [late.subjectId], numbers: [1] });
    expect(await follow('summit', 2, 10)).toEqual({ subjects: [late.subjectId, early.subjectId], numbers: [1, 2] });
  });

  it('shows each event once, in the order of numbers without gaps, to readers beside many writers', async () => {
    const { database } = testDatabase;
    const partners = ['summit', 'harbor', 'quiet'];
    const WRITERS = 6;
    const ROUNDS = 40;
    const committed = new Map<string, Uuid[]>(partners.map((partner) => [partner, []]));
    let undone = 0;
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const events = [
          event('summit'),
          ...partners.flatMap((partner, at) => ((round + writer) % (at + 2) === 0 ? [event(partner)] : [])),
        ];
        try {
          await database.tx(async (tx) => {
            await turns((writer * 7 + round * 3) % 5);
            appendBuyerEvents(tx, events.toReversed(), NOW);
            await turns((writer * 5 + round) % 7);
            // Numbers of a transaction that is rolled back are assigned again.
            if ((writer + round) % 9 === 0) throw new Error('undone');
          });
          for (const { buyerKey, subjectId } of events) committed.get(buyerKey)?.push(subjectId);
        } catch (error) {
          if (!(error instanceof Error && error.message === 'undone')) throw error;
          undone += 1;
        }
      }
    };
    // The number of events is known beforehand, so that the readers can begin first.
    const total = (partner: string): number => {
      let count = 0;
      for (let writer = 0; writer < WRITERS; writer += 1) {
        for (let round = 0; round < ROUNDS; round += 1) {
          if ((writer + round) % 9 === 0) continue;
          if (partner === 'summit') count += 1;
          if ((round + writer) % (partners.indexOf(partner) + 2) === 0) count += 1;
        }
      }
      return count;
    };
    const reading = [
      ...partners.map((partner) => [partner, follow(partner, total(partner), 3)] as const),
      ['summit', follow('summit', total('summit'), 1000)] as const,
    ];
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    expect(undone).toBeGreaterThan(0);
    for (const [partner, read] of reading) {
      const { subjects, numbers } = await read;
      expect(numbers).toEqual(Array.from({ length: total(partner) }, (_, index) => index + 1));
      expect(subjects.toSorted()).toEqual(committed.get(partner)?.toSorted());
    }
  });

  it('reads a page through index ranges and no whole table, also with a generic plan', async () => {
    const { database } = testDatabase;
    await database.pool.query(
      `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at, decided_at,
                       content_hash, fields, raw_body)
     SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 's', false, true, 'routed', 'Lead Sale', 70, '{}', $1, $1, '\\x00', '{}', '{}'
     FROM generate_series(1, 30000) AS n`,
      [NOW],
    );
    await database.pool.query(
      `INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents, channel,
                           cap_windows, delivered_at)
     SELECT lead_id, 'summit', lead_id, 'west', 's', 'Lead Sale', true, 'Pending', 1, 'webhook', '[]', $1 FROM lead`,
      [NOW],
    );
    await database.pool.query(
      `INSERT INTO buyer_event (buyer_key, number, type, subject_id, at)
     SELECT 'summit', row_number() OVER (ORDER BY delivery_id), 'lead.delivered', delivery_id, $1 FROM delivery`,
      [NOW],
    );
    await database.pool.query('ANALYZE lead, delivery, buyer_event');
    const client = await database.connect();
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE page (text, bigint, int) AS ${selectEvents.text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE page ('summit', 12345, 1000)`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toContain('Seq Scan');
      expect(plan).toContain('buyer_event_pkey');
    } finally {
      await client.end();
    }
  });
});
