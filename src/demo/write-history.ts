// Writes the demo's history with the real operations at past times: leads, deliveries, invoices, payments and claims.
import { strict as assert } from 'node:assert';

import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { newUuidAt } from '../base/id-time.ts';
import { DAY_MS } from '../base/time.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { fileClaim } from '../claims/file-claim.ts';
import type { ReasonCode } from '../claims/reason.rules.ts';
import { reviewClaim } from '../claims/review-claim.ts';
import { listDeliveries } from '../deliveries/list-deliveries.ts';
import { beginAttempts, dueQueues } from '../deliveries/sending/begin-attempts.ts';
import { type AttemptResult, finishAttempts } from '../deliveries/sending/finish-attempts.ts';
import { findInvoices } from '../invoices/find-invoices.ts';
import { issueInvoice } from '../invoices/issue-invoice.ts';
import { payInvoice } from '../invoices/pay-invoice.ts';
import { prepareSubmission } from '../leads/ingest-lead.ts';
import { storeSubmissions } from '../leads/store-submissions.ts';
import { defaultSettings } from '../marketplace/settings.ts';
import { readPersonPepper } from '../marketplace/stored-settings.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { createMarketReader, type MarketReader } from '../routing/market-reader.ts';
import { routeLeads } from '../routing/route-leads.ts';
import { compileFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { demoLead } from './demo-leads.rules.ts';
import type { HistoryStep } from './history-plan.rules.ts';

/** Leads come in bursts, a second apart, and are routed together, which is several times faster than one by one. */
const BURST = 3;
const BETWEEN_LEADS_MS = 1000;
const BETWEEN_BURSTS_MS = 27 * 60_000;
const RECEIVER_LATENCY_MS = 180;
/** In every twentieth burst one webhook fails until its attempts are used up. */
const FAILING_EVERY = 20;
/** More than the deliveries of a burst. */
const BATCH = 20;

/** At most one per partner for the month. */
const EVERY_OPEN = { buyerKey: null, status: 'issued', after: null, limit: 100 } as const;

type History = {
  readonly supplierKey: string;
  /** The partner that does not pay its invoice, so that there is an open one. */
  readonly latePayer: string;
  readonly steps: readonly HistoryStep[];
};

/** One transaction per step, because hundreds of commits would take most of the first start. */
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
    await storeLeads(tx, supplierKey, leads);
    const at = new Date(begin + indexes.length * BETWEEN_LEADS_MS);
    await routeAndDeliver(tx, { market, isFailing: Math.trunc((first + done) / BURST) % FAILING_EVERY === 0 }, at);
  }
}

type DatedLead = { readonly index: number; readonly at: Date };

async function storeLeads(tx: Tx, supplierKey: string, leads: readonly DatedLead[]): Promise<void> {
  const context = {
    supplierKey,
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  const submissions = leads.map(({ index, at }) => {
    const members = demoLead(index, at);
    // Lists by day go by the ids.
    return prepareSubmission({ members, text: JSON.stringify(members), leadId: newUuidAt(at) }, context, at);
  });
  await storeSubmissions(tx, submissions);
}

type BurstContext = { readonly market: MarketReader; readonly isFailing: boolean };

async function routeAndDeliver(tx: Tx, { market, isFailing }: BurstContext, at: Date): Promise<void> {
  await routeLeads(tx, { market, limit: BATCH, lockFirst: true }, at);
  const { breaker } = defaultSettings;
  const due = await dueQueues(tx, breaker.probeSeconds, at);
  if (due.length === 0) return;
  const queues = due.map((queue) => ({ ...queue, jobs: BATCH }));
  const attempts = await beginAttempts(tx, { queues, leaseMs: 1000, probeSeconds: breaker.probeSeconds }, at);
  const failing = isFailing ? attempts.find(({ channel }) => channel === 'webhook') : undefined;
  await finishAttempts(
    tx,
    attempts.map((attempt) => ({
      ...attempt,
      ...(attempt === failing ? FAILED_RESULT : acceptedResult(attempt.channel)),
      wasTried: true,
    })),
    { breaker, now: new Date(at.getTime() + RECEIVER_LATENCY_MS) },
  );
}

function acceptedResult(channel: string): Pick<AttemptResult, 'outcome' | 'judgement'> {
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

/** The message may have arrived, so the lead is not offered to another buyer. */
const FAILED_RESULT: Pick<AttemptResult, 'outcome' | 'judgement'> = {
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

/** One transaction per invoice, as `issueInvoice` requires. */
async function issueInvoices(database: Database, month: string, at: Date): Promise<void> {
  for (const buyer of (await database.tx(readBuyers)).values()) {
    const issued = await database.tx((tx) =>
      issueInvoice(tx, { buyer, month, actor: commandLineActor, isQuiet: true }, at),
    );
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

type DemoClaim = {
  /** The index among the partner's confirmed sales, newest first. */
  readonly position: number;
  readonly kind: 'return' | 'dispute';
  readonly reason: ReasonCode;
  readonly statement: string;
  /** Null leaves the claim open. */
  readonly decision: { readonly step: 'approve' | 'deny'; readonly note: string } | null;
};

const CLAIMS: readonly DemoClaim[] = [
  {
    position: 6,
    kind: 'return',
    reason: 'invalid_phone',
    statement: 'Called three times on two days: the number is not in service.',
    decision: { step: 'approve', note: 'The line is dead, as you say. Credited.' },
  },
  {
    position: 4,
    kind: 'return',
    reason: 'out_of_filter',
    statement: 'We do not buy amounts like this one.',
    decision: { step: 'deny', note: 'The amount is within the bounds of your offer.' },
  },
  {
    position: 2,
    kind: 'return',
    reason: 'duplicate',
    statement: 'This person is in our system since last week.',
    decision: null,
  },
  {
    position: 3,
    kind: 'dispute',
    reason: 'bot',
    statement: 'The person who answered has never filled in a form.',
    decision: null,
  },
];

/** Claims whose window is closed on this day of the week are left out. */
export async function fileClaims(database: Database, buyerKey: string, now: Date): Promise<void> {
  const filed = new Date(now.getTime() - DAY_MS / 4);
  for (const { position, kind, reason, statement, decision } of CLAIMS) {
    await database.tx(async (tx) => {
      const buyer = (await readBuyers(tx)).get(buyerKey);
      const page = { page: 1, pageSize: 20, status: 'Confirmed', from: null, until: null } as const;
      const { rows } = await listDeliveries(tx, buyerKey, page);
      const sales = rows.filter(({ eventType }) => eventType === 'Lead Sale');
      const deliveryId = sales[position]?.deliveryId ?? null;
      if (buyer === undefined) return;
      const personPepper = await readPersonPepper(tx);
      const author = { actor: { type: 'buyer', name: buyerKey }, origin: noOrigin } as const;
      const filing = { kind, deliveryId, reason, statement, evidenceUrl: null, author, personPepper };
      const claim = await fileClaim(tx, buyer, filing, filed);
      if (!claim.ok || decision === null) return;
      const { claimId } = claim.value;
      await reviewClaim(tx, { claimId, ...decision, actor: commandLineActor }, now);
    });
  }
}
