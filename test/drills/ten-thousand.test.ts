// Load test: thousands of deliveries to endpoints that fail in turn, sent by two services at once. None is lost, none is charged twice, and the
// public library verifies every signature.
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase } from '../support/database.ts';
import { DRAWN_BY } from '../support/drawn.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Reply, startReceiver } from '../support/receiver.ts';

const LEADS = DRAWN_BY === 'all' ? 10_000 : 2500;
const PARTNERS = ['summit', 'harbor', 'lakeside', 'prairie', 'keystone'];
const PER_BATCH = 500;

const yamlOf = (origin: string): string => `
marketplace: { strategy: weighted, retrySeconds: [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1], breaker: { failures: 1000, probeSeconds: 1 } }
suppliers: [{ key: acme, status: approved }]
partners:
${PARTNERS.map(
  (key) => `
  - key: ${key}
    channels: [webhook]
    settings: { webhookUrl: "${origin}/${key}" }
    offers: [{ key: ${key}-all, eventType: Lead Sale, payout: 1.25 }]`,
).join('')}
`;

/** In turn, each failure for the first attempts of some deliveries; every delivery is accepted in the end. */
const FAILURES: readonly Reply[] = [
  { status: 500 },
  'reset',
  { status: 429 },
  { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  { status: 408 },
  { status: 503, headers: { 'retry-after': '1' } },
];

describe('Thousands of deliveries', () => {
  it('all arrive, are charged once each, and have valid signatures', async () => {
    /** Attempts by `webhook-id`. */
    const attempts = new Map<string, number>();
    let unsigned = 0;
    let secrets = new Map<string, Webhook>();
    const receiver = await startReceiver({
      respond({ path, headers, body }) {
        try {
          secrets.get(path.slice(1))?.verify(body, headers as Record<string, string>);
        } catch {
          unsigned += 1;
        }
        const id = String(headers['webhook-id']);
        const before = attempts.get(id) ?? 0;
        attempts.set(id, before + 1);
        const kind = attempts.size % 20;
        const failure = before === 0 ? FAILURES[kind] : undefined;
        return failure ?? { status: 200 };
      },
    });
    const on = await createTestDatabase();
    const options = { yaml: yamlOf(receiver.origin), allowTargets: [receiver.origin], on };
    const services: TestMarketplace[] = [await startTestMarketplace(options)];
    try {
      const [first] = services as [TestMarketplace];
      secrets = new Map(
        await Promise.all(PARTNERS.map(async (key) => [key, new Webhook(await first.secretOf(key))] as const)),
      );
      for (let serial = 0; serial < LEADS; serial += PER_BATCH) await submit(first, serial);
      // Another worker joins, and the first one goes, in the middle of it.
      await eventually('some are there', () => attempts.size > LEADS / 4);
      services.push(await startTestMarketplace(options));
      await eventually('more are there', () => attempts.size > LEADS / 2);
      await first.close();
      services.shift();
      await eventually('nothing waits', async () => (await waiting(on.database)) === 0, { withinMs: 120_000 });

      expect(unsigned).toBe(0);
      expect(attempts.size).toBe(LEADS);
      expect(
        await select(
          on.database,
          `SELECT status, count(*)::int AS deliveries, count(DISTINCT lead_id)::int AS leads,
                (SELECT count(*)::int FROM transfer WHERE type = 'charge') AS charges FROM delivery GROUP BY status`,
        ),
      ).toEqual([{ status: 'Confirmed', deliveries: LEADS, leads: LEADS, charges: LEADS }]);
      expect(await ledgerFaults(on.database)).toEqual([]);
    } finally {
      for (const service of services) await service.close();
      await on.drop();
      await receiver.close();
    }
  });
});

async function submit({ database, runtime }: TestMarketplace, from: number): Promise<void> {
  const context = {
    supplierKey: 'acme',
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  const now = new Date();
  const submissions = Array.from({ length: PER_BATCH }, (_, index) => {
    const members = leadBody(from + index);
    return prepareSubmission({ members, text: JSON.stringify(members) }, context, now);
  });
  await database.tx((tx) => storeSubmissions(tx, submissions));
  await runtime.refresh();
}

async function waiting(database: TestMarketplace['database']): Promise<number> {
  const rows = await select<{ jobs: number }>(
    database,
    'SELECT ((SELECT count(*) FROM routing_inbox) + (SELECT count(*) FROM send_job))::int AS jobs',
  );
  return rows[0]?.jobs ?? 0;
}
