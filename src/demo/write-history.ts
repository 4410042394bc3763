// Some days of leads in the past, taken in, routed and delivered by the real operations with the clock of their day.
import { DAY_MS } from '../base/time.ts';
import { beginAttempts, lanesWithDueJobs } from '../deliveries/begin-attempts.ts';
import { type AttemptResult, finishAttempts } from '../deliveries/finish-attempts.ts';
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
/** One webhook of so many found its endpoint broken until the attempts were used up. */
const AWAY_EVERY = 60;
const AWAY_AT = 0;

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
        await routeAndDeliver(tx, { market, isAway: index % AWAY_EVERY === AWAY_AT }, at);
      });
    }
  }
}

async function takeIn(tx: Tx, { supplierKey, index }: { supplierKey: string; index: number }, at: Date): Promise<void> {
  const members = demoLead(index, at);
  const context = {
    supplierKey,
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  await storeSubmissions(tx, [prepareSubmission({ members, text: JSON.stringify(members) }, context, at)]);
}

type Moment = { readonly market: MarketReader; readonly isAway: boolean };

async function routeAndDeliver(tx: Tx, { market, isAway }: Moment, at: Date): Promise<void> {
  await routeLeads(tx, { market, limit: LEADS_PER_DAY, lockFirst: true }, at);
  const { breaker } = defaultSettings;
  const due = await lanesWithDueJobs(tx, breaker.probeSeconds, at);
  if (due.length === 0) return;
  const lanes = due.map((lane) => ({ ...lane, jobs: LEADS_PER_DAY }));
  const attempts = await beginAttempts(tx, { lanes, leaseMs: 1000, probeSeconds: breaker.probeSeconds }, at);
  await finishAttempts(
    tx,
    attempts.map(({ attemptId, deliveryId, buyerKey, channel, purpose }) => ({
      ...{ attemptId, deliveryId, buyerKey, channel, purpose },
      ...(isAway && channel === 'webhook' ? BROKEN : taken(channel)),
      wasTried: true,
    })),
    { breaker, now: new Date(at.getTime() + RECEIVER_LATENCY_MS) },
  );
}

function taken(channel: string): Pick<AttemptResult, 'outcome' | 'judgement'> {
  return {
    outcome: {
      kind: 'taken',
      responseCode: channel === 'email' ? 250 : 200,
      responseSnippet: channel === 'webhook' ? '{"ok":true}' : null,
      latencyMs: RECEIVER_LATENCY_MS,
      error: null,
    },
    judgement: { kind: 'delivered' },
  };
}

/** It may have arrived before the endpoint broke, so the lead is offered to nobody else. */
const BROKEN: Pick<AttemptResult, 'outcome' | 'judgement'> = {
  outcome: {
    kind: 'not_taken',
    why: 'later',
    receipt: 'unknown',
    retryAfterSeconds: 0,
    responseCode: 502,
    responseSnippet: 'Bad gateway',
    latencyMs: RECEIVER_LATENCY_MS,
    error: 'the endpoint answered 502',
  },
  judgement: { kind: 'failed', certain: false, endpointGone: false },
};
