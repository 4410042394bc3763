// The demo's past: leads taken in, routed and delivered, and a month invoiced and paid, by the real operations with the clock of their day.
import { strict as assert } from 'node:assert';

import { commandLineActor } from '../audit/audit-event.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { beginAttempts, dueQueues } from '../deliveries/sending/begin-attempts.ts';
import { type AttemptResult, finishAttempts } from '../deliveries/sending/finish-attempts.ts';
import { findInvoices } from '../invoices/find-invoices.ts';
import { issueInvoice } from '../invoices/issue-invoice.ts';
import { payInvoice } from '../invoices/pay-invoice.ts';
import { prepareSubmission } from '../leads/ingest-lead.ts';
import { storeSubmissions } from '../leads/store-submissions.ts';
import { defaultSettings } from '../marketplace/settings.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { createMarketReader, type MarketReader } from '../routing/market-reader.ts';
import { routeLeads } from '../routing/route-leads.ts';
import { compileFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { demoLead } from './demo-leads.rules.ts';
import type { HistoryStep } from './history-plan.rules.ts';

/** Leads come in bursts, a second apart, and are routed together: a round for each would take several times as long. */
const BURST = 3;
const BETWEEN_LEADS_MS = 1000;
const BETWEEN_BURSTS_MS = 27 * 60_000;
const RECEIVER_LATENCY_MS = 180;
/** In one burst of so many a webhook found its endpoint broken until the attempts were used up. */
const AWAY_EVERY = 20;
/** Room for all that a burst is sold and carried to. */
const AT_ONCE = 20;

/** Of a month, one for each partner. */
const EVERY_OPEN = { buyerKey: null, status: 'issued', after: null, limit: 100 } as const;

type History = {
  readonly supplierKey: string;
  /** Does not pay its invoice, so that there is one to be paid. */
  readonly latePayer: string;
  readonly steps: readonly HistoryStep[];
};

/** A step is one transaction: hundreds of commits would be most of what the first start waits for. */
export async function writeHistory(database: Database, { supplierKey, latePayer, steps }: History): Promise<void> {
  const market = createMarketReader();
  let index = 0;
  for (const step of steps) {
    if (step.kind === 'leads') {
      const first = index;
      await database.tx((tx) => writeLeads(tx, { supplierKey, market, first, count: step.count }, step.at));
      index += step.count;
    } else if (step.kind === 'invoices') await issueInvoices(database, step.month, step.at);
    else await database.tx((tx) => payInvoices(tx, latePayer, step.at));
  }
}

type Leads = {
  readonly supplierKey: string;
  readonly market: MarketReader;
  readonly first: number;
  readonly count: number;
};

async function writeLeads(tx: Tx, { supplierKey, market, first, count }: Leads, from: Date): Promise<void> {
  for (let done = 0; done < count; done += BURST) {
    const begin = from.getTime() + (done / BURST) * BETWEEN_BURSTS_MS;
    const indexes = Array.from({ length: Math.min(BURST, count - done) }, (_, position) => first + done + position);
    const leads = indexes.map((index, position) => ({ index, at: new Date(begin + position * BETWEEN_LEADS_MS) }));
    await takeIn(tx, supplierKey, leads);
    const at = new Date(begin + indexes.length * BETWEEN_LEADS_MS);
    await routeAndDeliver(tx, { market, isAway: Math.trunc((first + done) / BURST) % AWAY_EVERY === 0 }, at);
  }
}

type DatedLead = { readonly index: number; readonly at: Date };

async function takeIn(tx: Tx, supplierKey: string, leads: readonly DatedLead[]): Promise<void> {
  const context = {
    supplierKey,
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  const submissions = leads.map(({ index, at }) => {
    const members = demoLead(index, at);
    return prepareSubmission({ members, text: JSON.stringify(members) }, context, at);
  });
  await storeSubmissions(tx, submissions);
}

type Moment = { readonly market: MarketReader; readonly isAway: boolean };

async function routeAndDeliver(tx: Tx, { market, isAway }: Moment, at: Date): Promise<void> {
  await routeLeads(tx, { market, limit: AT_ONCE, lockFirst: true }, at);
  const { breaker } = defaultSettings;
  const due = await dueQueues(tx, breaker.probeSeconds, at);
  if (due.length === 0) return;
  const queues = due.map((queue) => ({ ...queue, jobs: AT_ONCE }));
  const attempts = await beginAttempts(tx, { queues, leaseMs: 1000, probeSeconds: breaker.probeSeconds }, at);
  const broken = isAway ? attempts.find(({ channel }) => channel === 'webhook') : undefined;
  await finishAttempts(
    tx,
    attempts.map(({ attemptId, deliveryId, buyerKey, channel, purpose }) => ({
      ...{ attemptId, deliveryId, buyerKey, channel, purpose },
      ...(attemptId === broken?.attemptId ? BROKEN : taken(channel)),
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

/** Each in a transaction of its own, as issuing asks for. */
async function issueInvoices(database: Database, month: string, at: Date): Promise<void> {
  for (const buyer of (await database.tx(readBuyers)).values()) {
    const issued = await database.tx((tx) => issueInvoice(tx, { buyer, month, actor: commandLineActor }, at));
    assert(issued.ok, 'the month that the demo invoices is not over');
  }
}

async function payInvoices(tx: Tx, latePayer: string, at: Date): Promise<void> {
  for (const { number, buyerKey, amountDueCents } of await findInvoices(tx, EVERY_OPEN, at)) {
    if (buyerKey === latePayer) continue;
    const paid = await payInvoice(tx, { name: number, amountCents: amountDueCents, actor: commandLineActor }, at);
    assert(paid.ok, 'an invoice of the demo cannot be paid');
  }
}
