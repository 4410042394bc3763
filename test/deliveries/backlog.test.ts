// The statements of routing and sending use indexes beside a long backlog, so that one dead endpoint does not slow down the others.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { attemptsInProgress } from '../../src/deliveries/attempt-log.sql.ts';
import {
  claimJobs,
  countOverdue,
  deleteJobs,
  dueQueuesSql,
  heldLeases,
  rescheduleJobs,
} from '../../src/deliveries/sending/send.sql.ts';
import { claimDueLeadsSql } from '../../src/leads/inbox.sql.ts';
import { lockErasure } from '../../src/endpoints/attempt.sql.ts';
import { selectFailing } from '../../src/endpoints/endpoint.sql.ts';
import type { Statement } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Enough that a full scan would be a mistake of the planner; more rows change nothing. */
const JOBS = 20_000;

const FILL = [
  `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, score_factors, received_at, decided_at,
                     content_hash, fields, raw_body)
   SELECT gen_random_uuid(), 'acme', false, true, 'routed', 'Lead Sale', 70, '{}', at, at, '\\x00', repeat('x', 300), '{}'
   FROM generate_series(1, ${JOBS}), (VALUES (timestamptz '2026-11-20T12:00:00Z')) AS u (at)`,
  `INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents,
                         channel, cap_windows, delivered_at)
   SELECT gen_random_uuid(), 'dead', lead_id, 'west', 'acme', 'Lead Sale', true, 'Pending', 0, 'webhook', '[]', received_at FROM lead`,
  `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at) SELECT delivery_id, 'webhook', buyer_key, delivered_at FROM delivery`,
  `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, is_test, at)
   SELECT gen_random_uuid(), delivery_id, buyer_key, 'webhook', '', 1, 'failed', false, delivered_at FROM delivery`,
  `INSERT INTO routing_inbox (due_at, lead_id, supplier_key) SELECT received_at, lead_id, 'acme' FROM lead`,
  `INSERT INTO routing_inbox (due_at, lead_id, supplier_key)
   SELECT '2026-11-20T12:30:00Z', gen_random_uuid(), 'small-' || n FROM generate_series(1, 20) AS n`,
  'ANALYZE',
];

const NOW = `'2026-11-20T13:00:00Z'`;
const ids = (count: number): string =>
  `'{${Array.from({ length: count }, (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`).join(',')}}'`;
const times = (count: number, value: string): string => `'{${Array.from({ length: count }, () => value).join(',')}}'`;

const cases: ReadonlyArray<{
  what: string;
  statement: Pick<Statement<unknown, unknown>, 'text' | 'params'>;
  /** As SQL, by name of the parameter. */
  values: Readonly<Record<string, string>>;
}> = [
  {
    what: 'who has something due',
    statement: dueQueuesSql,
    values: { now: NOW, latestProbe: NOW },
  },
  {
    what: 'which endpoints take too little',
    statement: countOverdue,
    values: { buyerKeys: `'{dead,harbor}'`, channels: `'{webhook,email}'`, before: NOW },
  },
  { what: 'which leads are routed next', statement: claimDueLeadsSql, values: { now: NOW, limit: '500' } },
  { what: 'who is failing', statement: selectFailing, values: { openedAt: NOW, dueAt: NOW } },
  {
    what: 'what is to be sent next',
    statement: claimJobs,
    values: {
      buyerKeys: `'{dead,harbor,keystone}'`,
      channels: `'{webhook,webhook,email}'`,
      limits: `'{16,16,4}'`,
      now: NOW,
      leasedUntil: NOW,
      attemptIds: ids(36),
    },
  },
  {
    what: 'which leases are held',
    statement: heldLeases,
    values: { deliveryIds: ids(200), channels: times(200, 'webhook'), attemptIds: ids(200) },
  },
  {
    what: 'which jobs are over',
    statement: deleteJobs,
    values: { deliveryIds: ids(200), channels: times(200, 'webhook'), attemptIds: ids(200) },
  },
  { what: 'which leads were erased', statement: lockErasure, values: { deliveryIds: ids(200) } },
  {
    what: 'which attempts are in progress',
    statement: attemptsInProgress,
    values: { deliveryIds: ids(1), buyerKey: 'NULL' },
  },
  {
    what: 'when to try again',
    statement: rescheduleJobs,
    values: {
      deliveryIds: ids(200),
      channels: times(200, 'webhook'),
      attemptIds: ids(200),
      dueTimes: times(200, '2026-11-20'),
      steps: times(200, '1'),
      uncertainCounts: times(200, '1'),
    },
  },
];

let home: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  home = await createTestDatabase();
  client = await home.database.connect();
  for (const sql of FILL) await client.query(sql);
});
afterAll(async () => {
  await client.end();
  await home.drop();
});

describe.each(['force_custom_plan', 'force_generic_plan'])(
  'The statements of routing and sending beside a long backlog, with %s',
  (mode) => {
    it.each(cases)('find by index: $what', async ({ statement, values }) => {
      // As configured on the embedded server and advised in docs/operations.md: the default assumes rotating disks.
      await client.query('SET random_page_cost = 1.1');
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE looked_at AS ${statement.text}`);
      const inOrder = statement.params.map((param) => values[param]).join(', ');
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(
        `EXPLAIN (COSTS OFF) EXECUTE looked_at (${inOrder})`,
      );
      await client.query('DEALLOCATE looked_at');
      const plan = rows.map((row) => row['QUERY PLAN'].trim());
      expect(plan.length).toBeGreaterThan(1);
      expect(
        plan.filter((line) => /Seq Scan on (?:send_job|delivery|lead|attempt|routing_inbox)\b/.test(line)),
      ).toEqual([]);
    });
  },
);
