// Writes leads, deliveries and transfers straight into the tables, for tests of what is counted from them.
import pg from 'pg';

import { newUuid, type Uuid } from '../../src/base/ids.ts';
import type { TestDatabase } from './database.ts';

type Lead = {
  readonly receivedAt: string;
  readonly status: string;
  readonly score: number | null;
  readonly supplier?: string;
  readonly fields?: object;
  readonly isTest?: boolean;
};
type Delivery = {
  readonly leadId: Uuid;
  readonly deliveredAt: string;
  readonly cents: number;
  readonly status?: 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
  readonly buyer?: string;
  readonly supplier?: string;
};
type Transfer = {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly cents: number;
  readonly deliveryId: Uuid | null;
  readonly at?: string;
};

export type ReportRows = {
  readonly client: pg.Client;
  lead(lead: Lead): Promise<Uuid>;
  delivery(delivery: Delivery): Promise<Uuid>;
  transfer(transfer: Transfer): Promise<void>;
};

export async function onConnection<Value>(
  home: TestDatabase,
  work: (rows: ReportRows) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client(home.connection);
  await client.connect();
  try {
    return await work(rowsOn(client));
  } finally {
    await client.end();
  }
}

function rowsOn(client: pg.Client): ReportRows {
  return {
    client,
    async lead({ receivedAt, status, score, supplier = 'acme', fields = {}, isTest = false }) {
      const id = newUuid();
      await client.query(
        `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, score, received_at, content_hash, fields)
         VALUES ($1, $2, $3, $4::smallint IS NOT NULL, 'routed', $5, $4, $6, CASE WHEN $4 IS NOT NULL THEN '\\x00'::bytea END,
                 CASE WHEN $4 IS NOT NULL THEN $7::text END)`,
        [id, supplier, isTest, score, status, receivedAt, JSON.stringify(fields)],
      );
      return id;
    },
    async delivery({ leadId, deliveredAt, cents, status = 'Confirmed', buyer = 'summit', supplier = 'acme' }) {
      const id = newUuid();
      await client.query(
        `INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status, payout_cents,
                               cap_windows, delivered_at, confirmed_at, failed_at, returned_at)
         VALUES ($1, $2, $3, $2 || '-west', $4, 'Lead Sale', false, $5, $6, '[]', $7,
                 CASE WHEN $5 IN ('Confirmed', 'Returned') THEN $7::timestamptz END, CASE WHEN $5 = 'Failed' THEN $7::timestamptz END,
                 CASE WHEN $5 = 'Returned' THEN $7::timestamptz END)`,
        [id, buyer, leadId, supplier, status, cents, deliveredAt],
      );
      return id;
    },
    async transfer({ type, from, to, cents, deliveryId, at = '2026-11-20T12:00:00Z' }) {
      for (const [account, change] of [
        [from, -cents],
        [to, cents],
      ] as const)
        await openAccount(client, account, change);
      await client.query(
        `INSERT INTO transfer (transfer_id, business_key, type, from_account, to_account, amount_cents, description, delivery_id, created_at)
         VALUES ($1, $1::uuid::text, $2, $3, $4, $5, 'test', $6, $7)`,
        [newUuid(), type, from, to, cents, deliveryId, at],
      );
    },
  };
}

async function openAccount(client: pg.Client, account: string, change: number): Promise<void> {
  const [kind = '', key = ''] = account.split(':');
  const isSupplier = ['supplier', 'cost', 'payout', 'supplier_adjustment'].includes(kind);
  await client.query(
    `INSERT INTO account (account_key, kind, buyer_key, supplier_key, balance_cents) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_key) DO UPDATE SET balance_cents = account.balance_cents + excluded.balance_cents`,
    [account, kind, isSupplier ? null : key, isSupplier ? key : null, change],
  );
}
