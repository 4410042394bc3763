// Tests that `ledger check` finds changes to invoices that bypass the triggers, as the owner of a table can make (contract 7.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Statement, Tx } from '../../src/platform/database/database.ts';
import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { type BillingMarket, openBillingMarket } from './billing-market.ts';

let market: BillingMarket;

beforeAll(async () => {
  market = await openBillingMarket();
  const [one, other] = [await market.partner(), await market.partner()];
  for (const partner of [one, other]) {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    await market.post(partner, 'charge', 4500, '2026-10-06T12:00:00Z');
    await market.post(partner, 'credit', 1000, '2026-10-07T12:00:00Z');
    await market.issued(partner, '2026-10', '2026-11-02T12:00:00Z');
  }
  await market.void('INV-2026-000002', '2026-11-02T12:00:00Z');
  await market.pay('INV-2026-000001', 1000, '2026-11-03T12:00:00Z');
});
afterAll(() => market.close());

class RolledBack extends Error {}

async function checkAfter(...damage: string[]): Promise<unknown> {
  let faults: unknown = null;
  const client = await market.database.connect();
  const query = (text: string): Promise<unknown> => client.query(text);
  try {
    await query('BEGIN');
    for (const table of ['invoice', 'invoice_line', 'invoice_item'])
      await query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    for (const text of damage) await query(text);
    const tx: Tx = {
      query: async <Params, Row>(...[{ text }]: readonly [Statement<Params, Row>, ...unknown[]]) =>
        (await client.query(text)).rows as Row[],
    };
    faults = await checkInvoices(tx);
    throw new RolledBack();
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    await query('ROLLBACK');
  } finally {
    await client.end();
  }
  return faults;
}

const first = `(SELECT invoice_id FROM invoice WHERE number = 'INV-2026-000001')`;
const second = `(SELECT invoice_id FROM invoice WHERE number = 'INV-2026-000002')`;

describe('checkInvoices of consistent invoices', () => {
  it('reports no faults, even for void invoices', async () => {
    expect(await checkAfter()).toEqual([]);
  });
});

describe('checkInvoices of damaged invoices', () => {
  it.each<[string, string[], string[]]>([
    [
      'an amount that differs from its lines',
      [
        `UPDATE invoice SET subtotal_cents = subtotal_cents + 1, total_cents = total_cents + 1, amount_due_cents = amount_due_cents + 1
         WHERE invoice_id = ${first}`,
      ],
      ['1 invoices whose amounts are not the sums of their lines'],
    ],
    [
      'a missing line, and the sale that will never be invoiced',
      [`DELETE FROM invoice_line WHERE invoice_id = ${first} AND account_version = 1`],
      [
        '1 invoices whose amounts are not the sums of their lines',
        '1 invoices whose items differ from their charges',
        '1 partners with charges or credits that no invoice will ever include',
      ],
    ],
    [
      'an item that exceeds its charges',
      [`UPDATE invoice_item SET quantity = 2 WHERE invoice_id = ${first} AND day = 5`],
      ['1 invoices whose items differ from their charges'],
    ],
    [
      'a line with another amount than its transfer',
      [
        `UPDATE invoice_line SET amount_cents = amount_cents + CASE account_version WHEN 1 THEN 1 ELSE -1 END
         WHERE invoice_id = ${first} AND type = 'charge'`,
      ],
      ['2 invoice lines that differ from their transfer'],
    ],
    [
      'a line with the transfer of another partner',
      [
        `UPDATE invoice_line AS line SET transfer_id = other.transfer_id FROM invoice_line AS other
         WHERE line.invoice_id = ${first} AND other.invoice_id = ${second} AND line.account_version = 1 AND other.account_version = 1`,
      ],
      ['1 invoice lines that differ from their transfer'],
    ],
    [
      'a transfer on two invoices',
      [
        'DROP INDEX invoice_line_once',
        `UPDATE invoice SET status = 'issued', voided_at = NULL, void_note = NULL, amount_due_cents = total_cents WHERE invoice_id = ${second}`,
        `UPDATE invoice_line AS line SET transfer_id = other.transfer_id FROM invoice_line AS other
         WHERE line.invoice_id = ${second} AND other.invoice_id = ${first} AND line.account_version = other.account_version`,
      ],
      ['3 invoice lines that differ from their transfer', '3 transfers on more than one invoice'],
    ],
    [
      'a missing number',
      [`UPDATE invoice SET number = 'INV-2026-000003' WHERE invoice_id = ${second}`],
      ['1 years whose invoice numbers have gaps'],
    ],
    [
      'a counter beyond the last number',
      ['UPDATE invoice_counter SET last_number = 3'],
      ['1 years whose invoice numbers have gaps'],
    ],
    [
      'a paid amount without payment',
      [`UPDATE invoice SET paid_cents = 1001, amount_due_cents = amount_due_cents - 1 WHERE invoice_id = ${first}`],
      ['1 invoices with a higher paid amount than their payments'],
    ],
    [
      'a sale that is marked as invoiced but is not',
      [`UPDATE invoice_progress SET settled_version = 3`],
      ['1 partners with charges or credits that no invoice will ever include'],
    ],
    [
      'a draft that was never issued',
      [
        `INSERT INTO invoice (invoice_id, buyer_key, period, time_zone, starts_at, ends_at, seller_name, buyer_name, currency, status, created_at)
         SELECT gen_random_uuid(), buyer_key, '2026-01-01', time_zone, starts_at, ends_at, seller_name, buyer_name, currency, 'draft', created_at
         FROM invoice WHERE invoice_id = ${first}`,
      ],
      ['1 invoices whose amounts are not the sums of their lines', '1 drafts that were never issued'],
    ],
  ])('reports %s', async (_case, damage, faults) => {
    expect(await checkAfter(...damage)).toEqual(faults);
  });
});
