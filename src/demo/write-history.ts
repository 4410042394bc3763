// Some days of leads in the past, taken in, routed and delivered by the real operations with the clock of their day.
import { DAY_MS } from '../base/time.ts';
import { beginAttempts, buyersWithDueJobs } from '../deliveries/begin-attempts.ts';
import { finishAttempts } from '../deliveries/finish-attempts.ts';
import { prepareSubmission } from '../leads/ingest-lead.ts';
import { storeSubmissions } from '../leads/store-submissions.ts';
import { defaultSettings } from '../marketplace/settings.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { createMarketReader, type MarketReader } from '../routing/market-reader.ts';
import { routeLeads } from '../routing/route-leads.ts';
import { compileFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { demoLead } from './demo-leads.rules.ts';

const LEADS_PER_DAY = 12;
/** 17:00 UTC and on: business hours all over the country. */
const FIRST_HOUR_MS = 17 * 3_600_000;
const BETWEEN_LEADS_MS = 9 * 60_000;
const RECEIVER_LATENCY_MS = 180;

export async function writeHistory(
  database: Database,
  { supplierKey, days }: { supplierKey: string; days: number },
  now: Date,
): Promise<void> {
  const market = createMarketReader();
  const midnight = now.getTime() - (now.getTime() % DAY_MS);
  for (let day = days; day >= 1; day -= 1) {
    for (let slot = 0; slot < LEADS_PER_DAY; slot += 1) {
      const at = new Date(midnight - day * DAY_MS + FIRST_HOUR_MS + slot * BETWEEN_LEADS_MS);
      const index = (days - day) * LEADS_PER_DAY + slot;
      await database.tx(async (tx) => {
        await takeIn(tx, { supplierKey, index }, at);
        await routeAndDeliver(tx, market, at);
      });
    }
  }
}

async function takeIn(tx: Tx, { supplierKey, index }: { supplierKey: string; index: number }, at: Date): Promise<void> {
  const members = demoLead(index, at);
  const context = {
    supplierKey,
    mapping: compileFieldMapping({}),
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  await storeSubmissions(tx, [prepareSubmission({ members, text: JSON.stringify(members) }, context, at)]);
}

async function routeAndDeliver(tx: Tx, market: MarketReader, at: Date): Promise<void> {
  await routeLeads(tx, { market, limit: LEADS_PER_DAY, lockFirst: true }, at);
  const places = new Map((await buyersWithDueJobs(tx, at)).map((buyerKey) => [buyerKey, LEADS_PER_DAY]));
  if (places.size === 0) return;
  const attempts = await beginAttempts(tx, { places, leaseMs: 1000 }, at);
  await finishAttempts(
    tx,
    attempts.map(({ attemptId, buyerKey, channel, row }) => ({
      attemptId,
      buyerKey,
      channel,
      deliveryId: row.deliveryId,
      outcome: {
        kind: 'response',
        status: 200,
        snippet: '{"ok":true}',
        latencyMs: RECEIVER_LATENCY_MS,
        retryAfter: null,
        location: null,
      },
      judgement: { kind: 'delivered' },
    })),
    new Date(at.getTime() + RECEIVER_LATENCY_MS),
  );
}
