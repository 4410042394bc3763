// Takes a lead over HTTP: checks key and body, and stores lead and job in one transaction before it answers.
import { hash } from 'node:crypto';

import { fastify, type FastifyInstance } from 'fastify';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';

import { addJob, inTransaction } from './jobs.ts';

const TEXTS = [
  ...['external_id', 'full_name', 'email', 'phone', 'business_name', 'state', 'debt_amount', 'source'],
  ...['consent_timestamp', 'source_form_url', 'consent_version', 'utm_source', 'utm_medium', 'utm_campaign'],
  ...['lead_ip', 'notes'],
] as const;
export type Lead = Readonly<Partial<Record<(typeof TEXTS)[number], string>>>;

const LeadSchema = {
  type: 'object',
  required: ['full_name'],
  anyOf: [{ required: ['phone'] }, { required: ['email'] }],
  properties: {
    ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string', maxLength: 500 }])),
    email: { type: 'string', format: 'email', maxLength: 254 },
    phone: { type: 'string', pattern: '^\\+[1-9]\\d{6,14}$' },
    state: { type: 'string', pattern: '^[A-Z]{2}$' },
    debt_amount: { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,2})?$' },
    consent_timestamp: { type: 'string', format: 'date-time' },
    source_form_url: { type: 'string', format: 'uri', maxLength: 500 },
  },
} as const;

const KEY_CACHE = { max: 10_000, ttl: 10_000 };

export function buildApp(pool: pg.Pool, boss: PgBoss): FastifyInstance {
  const app = fastify();
  const suppliers = new LRUCache<string, string>(KEY_CACHE);
  const findSupplier = async (key: string): Promise<string | undefined> => {
    const cached = suppliers.get(key);
    if (cached !== undefined) return cached;
    const { rows } = await pool.query<{ supplier: string }>(
      'SELECT supplier_key AS supplier FROM supplier WHERE api_key_hash = $1',
      [hash('sha256', key, 'buffer')],
    );
    const supplier = rows[0]?.supplier;
    if (supplier !== undefined) suppliers.set(key, supplier);
    return supplier;
  };
  app.decorateRequest('rawBody', '');
  app.decorateRequest('supplier', '');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.setDecorator('rawBody', body);
    void parseJson(request, body, done);
  });
  app.addHook('onRequest', async (request, reply) => {
    const supplier = await findSupplier(String(request.headers['x-api-key']));
    if (supplier === undefined) await reply.code(401).send({ error: 'unknown key' });
    else request.setDecorator('supplier', supplier);
  });
  app.post<{ Body: Lead }>('/api/v1/ingest', { schema: { body: LeadSchema } }, async (request, reply) => {
    const { body } = request;
    const supplier = request.getDecorator<string>('supplier');
    const key = [supplier, body.external_id ?? null];
    const leadId = await inTransaction(pool, async (client) => {
      const inserted = await client.query<{ leadId: string }>({
        name: 'insert-lead',
        text: `INSERT INTO lead (supplier_key, external_id, score, fields, raw_body) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT (supplier_key, external_id) DO NOTHING RETURNING lead_id AS "leadId"`,
        values: [...key, score(body), JSON.stringify(body), request.getDecorator<string>('rawBody')],
      });
      const lead = inserted.rows[0];
      if (lead !== undefined) await addJob(boss, client, 'route-lead', lead);
      const before = 'SELECT lead_id AS "leadId" FROM lead WHERE supplier_key = $1 AND external_id = $2';
      return (lead ?? (await client.query<{ leadId: string }>(before, key)).rows[0])?.leadId;
    });
    return reply.code(202).send({ leadId, status: 'received' });
  });
  return app;
}

function score(lead: Lead): number {
  const phone = parsePhoneNumberFromString(lead.phone ?? '')?.isValid() === true ? 30 : 0;
  const given = TEXTS.filter((name) => lead[name] !== undefined && lead[name] !== '').length;
  const consent = lead.consent_timestamp === undefined ? 0 : 20;
  return phone + consent + Math.round((50 * given) / TEXTS.length);
}
