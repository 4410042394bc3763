// Routing alone: backlogs worked off by processes that only work, with partners who only read the API.
import { openDatabase } from '../../src/platform/database/database.ts';
import { decideBatch } from '../../src/routing/decide-batch.rules.ts';
import type { LeadToRoute } from '../../src/routing/lead-facts.ts';
import { createMarketReader, type MarketInForce } from '../../src/routing/market-reader.ts';
import { makeBacklog, spreadOverStates, type WorkedOff, workOff } from '../support/backlog.ts';
import { spreadMarketYaml, states } from '../support/market.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import type { Section } from '../support/report.ts';
import { type Engine, holdEngine, makePlace, removePlace } from '../support/service.ts';

const BACKLOG_SECONDS = 8;
// Each takes half a minute.
const MOST_ROUNDS = 3;
const OFFERS = [10, 1000] as const;
const KNOWN_LEADS = 1_000_000;
const LEADS_PER_BATCH = 250;
const BATCHES = 40;

export async function measureRouting(options: BenchOptions): Promise<Section> {
  const hot = await measureHotCaps(options);
  const spread: Spread[] = [];
  for (const offers of OFFERS) spread.push(await measureSpread(options, offers));
  return describe(hot, spread);
}

type Hot = { readonly one: readonly WorkedOff[]; readonly two: readonly WorkedOff[]; readonly withHistory: WorkedOff };

/** Ten offers share all leads; one worker and two in turn, and one again once a million leads were sold. */
async function measureHotCaps({ directory, rounds, progress }: BenchOptions): Promise<Hot> {
  const place = await makePlace(directory, null);
  const engine = await holdEngine(place);
  const run = async (workers: number): Promise<WorkedOff> => {
    await makeBacklog(place, BACKLOG_SECONDS);
    const result = await workOff(place, engine, workers);
    progress(`routing: ${workers} worked off ${result.leads} leads at ${shown(result.perSecond)}/s`);
    return result;
  };
  const one: WorkedOff[] = [];
  const two: WorkedOff[] = [];
  for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) {
    one.push(await run(1));
    two.push(await run(2));
  }
  await plantHistory(engine);
  const withHistory = await run(1);
  await engine.release();
  removePlace(place);
  return { one, two, withHistory };
}

/** Leads that were sold three days ago, with two people each: what a month's duplicates are found among. */
async function plantHistory({ client }: Engine): Promise<void> {
  await client.query(
    `INSERT INTO person_sale (person_hash, scope, delivery_id, sold_at, seen_at)
     SELECT ('x' || substr(md5('person ' || g), 1, 16))::bit(64)::bigint, '*', md5('delivery ' || g / 2)::uuid,
            now() - interval '3 days', now() - interval '3 days'
     FROM generate_series(1, $1::int) g ON CONFLICT DO NOTHING`,
    [2 * KNOWN_LEADS],
  );
  await client.query(
    `INSERT INTO lead (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, score, score_factors,
                       received_at, decided_at, content_hash, fields, raw_body)
     SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(g), 12, '0'))::uuid, l.supplier_key, 'known-' || g, false, true, 'routed',
            'Lead Sale', l.score, l.score_factors, now() - interval '3 days', now() - interval '3 days', l.content_hash, l.fields, l.raw_body
     FROM generate_series(1, $1::int) g, (SELECT * FROM lead WHERE is_accepted LIMIT 1) l`,
    [KNOWN_LEADS],
  );
  for (const table of ['lead', 'person_sale']) await client.query(`VACUUM (ANALYZE) ${table}`);
}

type Spread = { readonly offers: number; readonly rulesMicros: number; readonly whole: WorkedOff };

async function measureSpread({ directory, progress }: BenchOptions, offers: number): Promise<Spread> {
  const place = await makePlace(directory, null, spreadMarketYaml(offers));
  const engine = await holdEngine(place);
  const rulesMicros = timeRules(await marketOf(engine));
  await makeBacklog(place, BACKLOG_SECONDS);
  await spreadOverStates(engine);
  const whole = await workOff(place, engine, 1);
  progress(`routing: ${offers} offers, rules ${shown(rulesMicros)} µs, whole batch ${JSON.stringify(whole)}`);
  await engine.release();
  removePlace(place);
  return { offers, rulesMicros, whole };
}

async function marketOf({ connection }: Engine): Promise<MarketInForce> {
  const database = openDatabase({ connection, connections: 1 });
  const market = await database.tx((tx) => createMarketReader().current(tx));
  await database.close();
  return market;
}

/** Microseconds per lead of deciding alone, over the batches of the second half: the first half warms up. */
function timeRules({ book, calendar }: MarketInForce): number {
  const times: number[] = [];
  const now = new Date();
  for (let batch = 0; batch < 2 * BATCHES; batch += 1) {
    const leads = Array.from({ length: LEADS_PER_BATCH }, (_, index) => someLead(batch * LEADS_PER_BATCH + index, now));
    const began = performance.now();
    decideBatch(leads, {
      ...{ now, book, calendar, holdMs: 3_600_000, strategy: 'price', blocksRepeats: true },
      ...{ readings: () => () => null, funds: new Map(), sales: new Map(), turns: new Map(), slots: new Map() },
    });
    if (batch >= BATCHES) times.push(((performance.now() - began) * 1000) / LEADS_PER_BATCH);
  }
  return median(times);
}

function someLead(number: number, now: Date): LeadToRoute {
  return {
    leadId: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    externalId: null,
    isTest: false,
    receivedAt: now.getTime(),
    facts: {
      state: states[number % states.length] ?? null,
      debtAmountCents: 500_000 + (number % 89) * 100_000,
      score: number % 101,
      supplierKey: 'bench',
      source: 'search',
      tcpaConsent: true,
      hasEmail: true,
      hasPhone: true,
    },
    wishedSlot: null,
    persons: [`${2 * number}`, `${2 * number + 1}`],
    buyersBefore: new Set(),
  };
}

function describe({ one, two, withHistory }: Hot, spread: readonly Spread[]): Section {
  const all = [...one, ...two, withHistory, ...spread.map(({ whole }) => whole)];
  const medianOf = (runs: readonly WorkedOff[], pick: (run: WorkedOff) => number): string =>
    shown(median(runs.map(pick)));
  const row = (name: string, runs: readonly WorkedOff[]): string[] => [
    name,
    medianOf(runs, (run) => run.perSecond),
    medianOf(runs, (run) => run.nodeMicros),
    medianOf(runs, (run) => run.postgresMicros),
  ];
  const [few, many] = spread;
  const cost = ({ nodeMicros, postgresMicros }: WorkedOff): number => nodeMicros + postgresMicros;
  return {
    name: 'routing',
    title: 'Routing alone',
    notes: [
      'Partners without a push channel, each with one offer with filters and caps; nothing is sent, each delivery is confirmed and charged at once.',
      `Backlogs of about ${shown(median(all.map(({ leads }) => leads)))} leads; medians of ${one.length} interleaved rounds in the first two rows.`,
      'A worker decides one batch while another of its own waits for its commit, and shares the processors with PostgreSQL.',
      all.every(({ finished }) => finished) ? '' : 'A backlog was not worked off in time.',
    ],
    tables: [
      {
        title: 'Ten offers share all leads',
        columns: ['', 'leads per second', 'Node, µs of processor per lead', 'PostgreSQL, µs of processor per lead'],
        rows: [
          row('one worker', one),
          row('two workers', two),
          [
            'ratio',
            shown(median(two.map((run, round) => run.perSecond / (one[round]?.perSecond ?? Number.NaN)))),
            '',
            '',
          ],
          row(`one worker, ${KNOWN_LEADS.toLocaleString('en-US')} leads in the duplicate window`, [withHistory]),
        ],
      },
      {
        title: 'Choosing among few and many offers, leads from all states',
        columns: ['active offers', 'rules alone, µs per lead', 'all processor time, µs per lead', 'leads per second'],
        rows: [
          ...spread.map(({ offers, rulesMicros, whole }) => [
            offers.toLocaleString('en-US'),
            shown(rulesMicros),
            shown(cost(whole)),
            shown(whole.perSecond),
          ]),
          few === undefined || many === undefined
            ? []
            : ['ratio', shown(many.rulesMicros / few.rulesMicros), shown(cost(many.whole) / cost(few.whole)), ''],
        ],
      },
    ],
    data: { one, two, withHistory, spread },
  };
}
