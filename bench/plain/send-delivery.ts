// Sends one delivery to its buyer's webhook, signed by the official library, and charges it in one transaction.
import type pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';

import { type Handler, inTransaction } from './jobs.ts';

type Pending = {
  readonly buyerKey: string;
  readonly url: string;
  readonly secret: string;
  readonly priceCents: number;
  readonly fields: string;
};

const TIMEOUT_MS = 10_000;
const CONNECTIONS = 20;

export function prepareSending(pool: pg.Pool): Handler<'send-delivery'> {
  const agent = new Agent({ connections: CONNECTIONS, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  return async ({ deliveryId }) => {
    const pending = await findPending(pool, deliveryId);
    if (pending === null) return;
    await post(agent, deliveryId, pending);
    await charge(pool, deliveryId, pending);
  };
}

/** Returns the hold of a delivery whose sending was given up. */
export function prepareReleasing(pool: pg.Pool): Handler<'release-delivery'> {
  return ({ deliveryId }) =>
    inTransaction(pool, async (client) => {
      await client.query(
        `WITH failed AS (UPDATE delivery SET status = 'failed', settled_at = now() WHERE delivery_id = $1 AND status = 'pending'
                         RETURNING buyer_key, price_cents)
         UPDATE account SET held_cents = held_cents - failed.price_cents FROM failed WHERE account_key = 'buyer:' || failed.buyer_key`,
        [deliveryId],
      );
    });
}

/** Null where it is settled: the job ran before and was not marked as done. */
async function findPending(pool: pg.Pool, deliveryId: string): Promise<Pending | null> {
  const { rows } = await pool.query<Pending>({
    name: 'find-pending',
    text: `SELECT buyer_key AS "buyerKey", webhook_url AS url, signing_secret AS secret, price_cents AS "priceCents", fields
           FROM delivery JOIN lead USING (lead_id) JOIN buyer USING (buyer_key) WHERE delivery_id = $1 AND delivery.status = 'pending'`,
    values: [deliveryId],
  });
  return rows[0] ?? null;
}

async function post(agent: Agent, deliveryId: string, { url, secret, priceCents, fields }: Pending): Promise<void> {
  const now = new Date();
  const data = { deliveryId, priceCents, lead: JSON.parse(fields) as unknown };
  const body = JSON.stringify({ type: 'lead.delivered', timestamp: now.toISOString(), data });
  const response = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      'webhook-id': deliveryId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(deliveryId, now, body),
    },
    body,
  });
  await response.body.dump();
  if (response.statusCode < 200 || response.statusCode > 299) throw new Error(`answered ${response.statusCode}`);
}

async function charge(pool: pg.Pool, deliveryId: string, { buyerKey, priceCents }: Pending): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query({
      name: 'confirm-delivery',
      text: `UPDATE delivery SET status = 'confirmed', settled_at = now() WHERE delivery_id = $1 AND status = 'pending'`,
      values: [deliveryId],
    });
    if (rowCount === 0) return;
    await client.query({
      name: 'charge',
      text: `WITH transfer AS (
               INSERT INTO transfer (delivery_id, from_account, to_account, amount_cents)
               VALUES ($1, 'buyer:' || $2, 'revenue:' || $2, $3) RETURNING transfer_id, from_account, to_account
             ), buyer AS (
               UPDATE account SET balance_cents = balance_cents - $3, held_cents = held_cents - $3, version = version + 1
               FROM transfer WHERE account_key = from_account RETURNING account_key, version, transfer_id, balance_cents, to_account
             ), revenue AS (
               UPDATE account SET balance_cents = account.balance_cents + $3, version = account.version + 1
               FROM buyer WHERE account.account_key = to_account
               RETURNING account.account_key, account.version, transfer_id, account.balance_cents
             )
             INSERT INTO entry (account_key, account_version, transfer_id, amount_cents, balance_after_cents)
             SELECT account_key, version, transfer_id, -$3, balance_cents FROM buyer UNION ALL
             SELECT account_key, version, transfer_id, $3, balance_cents FROM revenue`,
      values: [deliveryId, buyerKey, priceCents],
    });
  });
}
