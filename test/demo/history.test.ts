// The history that the demo begins with: books that are even, and a month that is over and invoiced, whatever day it is.
import { describe, expect, it } from 'vitest';

import { timeOfId } from '../../src/base/id-time.ts';
import type { Uuid } from '../../src/base/ids.ts';
import { checkHolds } from '../../src/deliveries/settle-deliveries.ts';
import { seedDemo } from '../../src/demo/seed-demo.ts';
import { findInvoices } from '../../src/invoices/find-invoices.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';

const EVERY = { buyerKey: null, status: null, after: null, limit: 100 } as const;

describe.each([
  ['in the middle of a month', '2026-11-22T15:04:05Z', '2026-10', 'paid'],
  ['at the end of a long month', '2026-12-31T23:59:59Z', '2026-11', 'paid'],
  ['on the first day of a month, just after midnight in UTC', '2027-03-01T00:00:01Z', '2027-01', 'paid'],
  ['on the first day of a year, when it has just begun everywhere', '2027-01-01T08:00:00Z', '2026-12', 'issued'],
])('A demo that begins %s', (_when, begin, month, statusOfSummit) => {
  it('has an invoiced month, a balanced ledger and claims', async () => {
    const now = new Date(begin);
    const home = await createTestDatabase();
    try {
      const { database } = home;
      expect(await seedDemo(database, 'http://127.0.0.1:3000', now)).not.toBeNull();
      const invoices = await database.tx((tx) => findInvoices(tx, EVERY, now));
      expect(new Set(invoices.map((invoice) => invoice.month))).toEqual(new Set([month]));
      expect(invoices.map(({ buyerKey }) => buyerKey).toSorted()).toEqual(['harbor', 'keystone', 'prairie', 'summit']);
      for (const { number, subtotalCents, totalCents, issuedAt } of invoices) {
        expect([subtotalCents > 0, totalCents > 0, issuedAt <= now], number).toEqual([true, true, true]);
      }
      const statusOf = new Map(invoices.map(({ buyerKey, status }) => [buyerKey, status]));
      // One paid in advance, and one does not pay.
      expect([statusOf.get('summit'), statusOf.get('harbor')]).toEqual([statusOfSummit, 'paid']);
      expect(['issued', 'overdue']).toContain(statusOf.get('keystone'));

      expect(await ledgerFaults(database)).toEqual([]);
      expect(await database.tx(checkLedger)).toMatchObject({ ok: true, difference: 0 });
      expect(await database.tx(checkHolds)).toEqual([]);
      const poor = `SELECT buyer_key FROM buyer JOIN account a USING (buyer_key)
        WHERE a.kind = 'buyer' AND a.balance_cents + coalesce(credit_limit_cents, 0) - a.held_cents < 20000`;
      expect(await select(database, poor)).toEqual([]);
      expect(await select(database, 'SELECT kind, count(*)::int FROM claim GROUP BY 1 ORDER BY 1')).toEqual([
        { kind: 'dispute', count: 1 },
        { kind: 'return', count: 3 },
      ]);
      const early =
        'SELECT claim_id FROM claim c JOIN delivery d USING (delivery_id) WHERE c.filed_at < d.confirmed_at';
      expect(await select(database, early)).toEqual([]);
      const [late] = await select<{ count: number }>(
        database,
        'SELECT count(*)::int FROM lead WHERE received_at > $1',
        [now],
      );
      expect(late).toEqual({ count: 0 });
      // Lists by day go by the ids.
      const dated = await select<{ leadId: Uuid; receivedAt: Date }>(
        database,
        'SELECT lead_id AS "leadId", received_at AS "receivedAt" FROM lead',
      );
      expect(dated.filter(({ leadId, receivedAt }) => timeOfId(leadId).getTime() !== receivedAt.getTime())).toEqual([]);
    } finally {
      await home.drop();
    }
  });
});
