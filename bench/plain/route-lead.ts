// Routes one lead in one transaction: rejects duplicates, sells to the best price whose cap has room, holds the money, queues the sending.
import { createHmac } from 'node:crypto';

import type pg from 'pg';
import type { PgBoss } from 'pg-boss';

import { addJob, type Handler, inTransaction } from './jobs.ts';
import type { Lead } from './take-lead.ts';

type Offer = {
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly priceCents: number;
  readonly dailyCap: number;
  readonly states: readonly string[];
  readonly debtMin: number;
  readonly debtMax: number;
};

const HASH_KEY = 'kept outside of the database';

/** Offers are read once; to read them again now and then would cost next to nothing. */
export async function prepareRouting(pool: pg.Pool, boss: PgBoss): Promise<Handler<'route-lead'>> {
  const { rows: offers } = await pool.query<Offer>(
    `SELECT offer_key AS "offerKey", buyer_key AS "buyerKey", price_cents AS "priceCents", daily_cap AS "dailyCap", states,
            debt_min_cents AS "debtMin", debt_max_cents AS "debtMax" FROM offer`,
  );
  return ({ leadId }) =>
    inTransaction(pool, async (client) => {
      const lead = await lockLead(client, leadId);
      if (lead === null) return;
      const hashes = hashContacts(lead);
      if (!(await insertPersons(client, leadId, hashes))) return reject(client, leadId, hashes, 'duplicate');
      for (const offer of best(offers, lead)) {
        const deliveryId = await sell(client, leadId, offer);
        if (deliveryId !== undefined) return addJob(boss, client, 'send-delivery', { deliveryId });
      }
      return reject(client, leadId, hashes, 'no_buyer');
    });
}

/** Null where it is decided: the job ran before and was not marked as done. */
async function lockLead(client: pg.PoolClient, leadId: string): Promise<Lead | null> {
  const { rows } = await client.query<{ fields: string }>({
    name: 'lock-lead',
    text: `SELECT fields FROM lead WHERE lead_id = $1 AND status = 'received' FOR NO KEY UPDATE`,
    values: [leadId],
  });
  return rows[0] === undefined ? null : (JSON.parse(rows[0].fields) as Lead);
}

function hashContacts({ phone, email }: Lead): Buffer[] {
  return [phone, email?.toLowerCase()]
    .filter((contact) => contact !== undefined)
    .map((contact) => createHmac('sha256', HASH_KEY).update(contact).digest());
}

/** False where phone or email was sold in the past 30 days. Waits for other transactions that are selling the same contact. */
async function insertPersons(client: pg.PoolClient, leadId: string, hashes: readonly Buffer[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'insert-person',
    text: `INSERT INTO person (person_hash, lead_id, sold_at) SELECT hash, $2, now() FROM unnest($1::bytea[]) AS hash ORDER BY hash
           ON CONFLICT (person_hash) DO UPDATE SET lead_id = excluded.lead_id, sold_at = excluded.sold_at
             WHERE person.sold_at < now() - interval '30 days'`,
    values: [hashes, leadId],
  });
  return rowCount === hashes.length;
}

/** Those that want the lead, best price first, equal prices in random order. */
function best(offers: readonly Offer[], lead: Lead): Offer[] {
  const debtCents = Math.round(Number(lead.debt_amount) * 100);
  return offers
    .filter(
      ({ states, debtMin, debtMax }) =>
        states.includes(lead.state ?? '') && debtCents >= debtMin && debtCents <= debtMax,
    )
    .map((offer) => ({ offer, chance: Math.random() }))
    .toSorted((one, other) => other.offer.priceCents - one.offer.priceCents || other.chance - one.chance)
    .map(({ offer }) => offer);
}

async function reject(
  client: pg.PoolClient,
  leadId: string,
  hashes: readonly Buffer[],
  status: 'duplicate' | 'no_buyer',
): Promise<void> {
  await client.query('UPDATE lead SET status = $2, decided_at = now() WHERE lead_id = $1', [leadId, status]);
  await client.query('DELETE FROM person WHERE person_hash = ANY ($2::bytea[]) AND lead_id = $1', [leadId, hashes]);
}

/** Undefined where the cap has no room. One statement, because cap and account stay locked to the end of the transaction. */
async function sell(client: pg.PoolClient, leadId: string, offer: Offer): Promise<string | undefined> {
  const { rows } = await client.query<{ deliveryId: string }>({
    name: 'sell',
    text: `WITH counted AS (
             INSERT INTO cap_counter AS counter (offer_key, day, used) VALUES ($2, current_date, 1)
             ON CONFLICT (offer_key, day) DO UPDATE SET used = counter.used + 1 WHERE counter.used < $3
             RETURNING offer_key
           ), decided AS (
             UPDATE lead SET status = 'routed', decided_at = now() FROM counted WHERE lead_id = $1
           ), held AS (
             UPDATE account SET held_cents = held_cents + $5 FROM counted WHERE account_key = 'buyer:' || $4
           )
           INSERT INTO delivery (lead_id, buyer_key, offer_key, price_cents) SELECT $1, $4, offer_key, $5 FROM counted
           RETURNING delivery_id AS "deliveryId"`,
    values: [leadId, offer.offerKey, offer.dailyCap, offer.buyerKey, offer.priceCents],
  });
  return rows[0]?.deliveryId;
}
