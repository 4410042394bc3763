// Runs a scenario: applies its marketplace file, and ingests, routes and explains its leads with the operations of the service, each at its
// time, in one transaction that is rolled back at the end.
import { strict as assert } from 'node:assert';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type DeliveryId, type LeadId, newUuid, type Uuid, uuidOf } from '../../src/base/ids.ts';
import { centsOfNumber } from '../../src/base/money.ts';
import { capSpan, DAY_MS } from '../../src/base/time.ts';
import { readBuyers } from '../../src/buyers/read-buyers.ts';
import { setBuyerStatus } from '../../src/buyers/save-buyers.ts';
import { disableEndpoints } from '../../src/buyers/set-endpoint.ts';
import { addToCounterUse, lockCounters } from '../../src/caps/cap-counters.ts';
import { failDeliveries } from '../../src/deliveries/settle-deliveries.ts';
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { identityHashes } from '../../src/leads/identity-hash.ts';
import { EVERY_BUYER } from '../../src/leads/identity.rules.ts';
import { recordIdentitySales } from '../../src/leads/identity-sales.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { postByHand } from '../../src/ledger/post-by-hand.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { readPersonPepper } from '../../src/marketplace/stored-settings.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import type { Database, Tx } from '../../src/platform/database/database.ts';
import { createMarketReader, type MarketReader } from '../../src/routing/market-reader.ts';
import { readOffers } from '../../src/routing/stored-offers.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import type { ExplainedDecision } from '../../src/routing/stored-decisions.ts';
import { type LeadTrace, traceLead } from '../../src/routing/trace-lead.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { contactOf, type Expectation, type ScenarioEvent, type Scenario, type ScenarioLead } from './scenario-file.ts';

/** Whether leads of one instant are decided together, and whether locks are taken before deciding: neither may change a decision. */
export type Manner = { readonly together: boolean; readonly lockFirst: boolean };

/** The decisions on each lead in the form of the expectations, with the reasons of the expected offers. */
export async function runScenario(database: Database, scenario: Scenario, manner: Manner): Promise<Expectation[][]> {
  const undo = new Error('undone on purpose');
  let story: Expectation[][] = [];
  try {
    await database.tx(async (tx) => {
      story = await playStory(tx, scenario, manner);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return story;
}

type Posted = { readonly leadId: LeadId; readonly expected: readonly Expectation[]; readonly seen: Expectation[] };
type Play = { readonly tx: Tx; readonly market: MarketReader; readonly manner: Manner; readonly posted: Posted[] };

/** A lead that is held more often than this would be held forever. */
const DECISIONS_AT_MOST = 20;

async function playStory(tx: Tx, { now, file, history, steps }: Scenario, manner: Manner): Promise<Expectation[][]> {
  const play: Play = { tx, market: createMarketReader(), manner, posted: [] };
  await apply(tx, file, new Date(now.getTime() - 40 * DAY_MS));
  for (const happens of history) await applyEvent(play, happens, now);
  let waiting: Date | null = null;
  for (const step of steps) {
    // Leads are collected until the time changes or an event happens.
    if (waiting !== null && (step.kind === 'event' || step.at > waiting || !manner.together))
      await decide(play, waiting);
    await decideHeld(play, step.at);
    if (step.kind === 'event') {
      waiting = null;
      await applyEvent(play, step.happens, step.at);
      await decide(play, step.at);
    } else {
      play.posted.push({ leadId: (await post(tx, step.lead, step.at)) as LeadId, expected: step.expected, seen: [] });
      waiting = step.at;
    }
  }
  if (waiting !== null) await decide(play, waiting);
  await decideHeld(play, null);
  return play.posted.map(({ seen }) => seen);
}

/** Decides all due leads, and records the decisions. */
async function decide({ tx, market, manner, posted }: Play, at: Date): Promise<void> {
  for (;;) {
    const { leads } = await routeLeads(tx, { market, limit: 100, lockFirst: manner.lockFirst }, at);
    if (leads === 0) return;
    for (const lead of posted) {
      const trace = await traceLead(tx, lead.leadId);
      if (trace?.decision === null || trace?.decision.round === lead.seen.length) continue;
      assert(trace !== null, 'the lead is there');
      assert.equal(trace.decision.round, lead.seen.length + 1, 'no decision goes unseen');
      lead.seen.push(formOf(trace, trace.decision, lead.expected[lead.seen.length]));
    }
  }
}

/** Advances the clock to the time (null: until no lead is held), and decides each held lead at its time. */
async function decideHeld(play: Play, until: Date | null): Promise<void> {
  for (let times = 0; ; times += 1) {
    const moments = play.posted
      .flatMap(({ seen }) => seen.at(-1) ?? [])
      .flatMap((last) => ('heldUntil' in last ? [new Date(last.heldUntil)] : []))
      .toSorted((one, other) => one.getTime() - other.getTime());
    const [next] = moments;
    if (next === undefined || (until !== null && next > until)) return;
    assert(times < DECISIONS_AT_MOST, 'a lead is held again and again');
    await decide(play, next);
  }
}

function formOf(trace: LeadTrace, decision: ExplainedDecision, expected: Expectation | undefined): Expectation {
  const asked = Object.entries(expected?.why ?? {}).map(([offerKey, reason]) => {
    const found = decision.offers.find((offer) => offer.offerKey === offerKey);
    const members = Object.keys(reason) as Array<'code' | 'got' | 'want'>;
    return [offerKey, Object.fromEntries(members.map((name) => [name, found?.[name]]))] as const;
  });
  const why = Object.fromEntries(asked) as Expectation['why'];
  const sold = decision.offers.filter(({ result }) => result === 'sold').map(({ offerKey }) => offerKey);
  const status = trace.lead.status;
  if (decision.outcome === 'held') {
    assert.deepEqual([sold, status], [[], 'Pending']);
    return { heldUntil: String(decision.retryAt), why };
  }
  if (decision.outcome === 'rejected') {
    assert.deepEqual(sold, []);
    return { rejected: status, why };
  }
  const live = trace.deliveries.filter((row) => row.status !== 'Failed');
  const delivered = live.map((row) => row.offer);
  if (live.length > 0) assert.equal(status, live[0]?.eventType);
  assert.deepEqual(
    delivered.toSorted(),

    trace.lead.test ? [] : sold.toSorted(),
    'what is sold is delivered',
  );
  const appointment = live.map((row) => row.appointmentAt).find((at) => typeof at === 'string');
  return appointment === undefined ? { soldTo: sold.toSorted(), why } : { soldTo: sold.toSorted(), appointment, why };
}

async function post(tx: Tx, { supplier, score, body }: ScenarioLead, at: Date): Promise<Uuid> {
  const context = {
    supplierKey: supplier,
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
  };
  const submission = prepareSubmission({ members: body, text: JSON.stringify(body) }, context, at);
  assert.equal(submission.reason, null, `the lead is refused: ${submission.reason}`);
  await storeSubmissions(tx, [score === null ? submission : { ...submission, score }]);
  return submission.leadId;
}

async function apply(tx: Tx, file: object, at: Date): Promise<void> {
  // JSON is YAML, too.
  const parsed = parseFile(JSON.stringify(file), { allowTargets: [] });
  assert(parsed.ok, `the marketplace is faulty: ${JSON.stringify(parsed.ok ? [] : parsed.errors)}`);
  const options = { dryRun: false, prune: false, actor: commandLineActor };
  const applied = await applyFile(tx, parsed.file, options, at);
  assert(applied.ok, `the marketplace is refused: ${JSON.stringify(applied.ok ? [] : applied.errors)}`);
}

async function applyEvent({ tx, posted }: Play, happens: ScenarioEvent, at: Date): Promise<void> {
  if ('apply' in happens) return apply(tx, happens.apply, at);
  if ('sold' in happens) return plantSale(tx, happens.sold, at);
  if ('used' in happens) return plantUse(tx, happens.used, at);
  if ('endpointGone' in happens) {
    const buyerKey = happens.endpointGone;
    const webhookUrl = (await readBuyers(tx)).get(buyerKey)?.settings.webhookUrl ?? '';
    await disableEndpoints(tx, [{ buyerKey, webhookUrl, reason: 'gone', since: at, waiting: 0 }], at);
    return;
  }
  if ('status' in happens) {
    const { partner, is } = happens.status;
    await setBuyerStatus(tx, { buyerKey: partner, status: is, actor: commandLineActor }, at);
    return;
  }
  if ('paid' in happens) {
    const { partner, amount } = happens.paid;
    const posting = { buyerKey: partner, type: 'payment', amountCents: cents(amount), description: 'Payment' } as const;
    await postByHand(tx, { ...posting, idempotencyKey: null, actor: commandLineActor }, at);
    return;
  }
  const { lead, offer, certainlyNotReceived: certain } = happens.failed;
  const trace = await traceLead(tx, (posted[lead - 1]?.leadId ?? '') as LeadId);
  const failures = (trace?.deliveries ?? [])
    .filter((row) => offer === undefined || row.offer === offer)
    .map((row) => ({ deliveryId: uuidOf('delivery', row.deliveryId) ?? ('' as DeliveryId), certain }));
  await failDeliveries(tx, failures, at);
}

type Sold = Extract<ScenarioEvent, { sold: unknown }>['sold'];
type Used = Extract<ScenarioEvent, { used: unknown }>['used'];

async function plantSale(tx: Tx, { person, to, exclusive, daysAgo }: Sold, at: Date): Promise<void> {
  const personPepper = await readPersonPepper(tx);
  const deliveryId = newUuid();
  const sales = identityHashes(personPepper, contactOf(person)).map((hash) => ({
    hash,
    scope: exclusive ? EVERY_BUYER : to,
    deliveryId,
  }));
  await recordIdentitySales(tx, sales, new Date(at.getTime() - daysAgo * DAY_MS));
}

async function plantUse(tx: Tx, { offer: offerKey, window, sales, amount = 0 }: Used, at: Date): Promise<void> {
  const offer = (await readOffers(tx)).find((one) => one.offerKey === offerKey);
  const buyer = (await readBuyers(tx)).get(offer?.buyerKey ?? '');
  assert(buyer !== undefined, `there is no offer ${offerKey}`);
  const counter = { offerKey, window, startsAt: new Date(capSpan(window, at, buyer.timeZone).from) };
  await lockCounters(tx, [counter]);
  await addToCounterUse(tx, [{ ...counter, slots: sales, cents: cents(amount) }]);
}

function cents(amount: number): number {
  const found = centsOfNumber(amount);
  assert(found !== null, `${amount} is no amount`);
  return found;
}
