// Measures what verticals cost routing, with and without own fields among 1,000 offers: reading and deciding alone in Node, and the whole
// routing of stored leads with its transaction.
import type { LeadId } from '../../src/base/ids.ts';
import type { Buyer } from '../../src/buyers/buyer.ts';
import { type IngestContext, prepareSubmission } from '../../src/leads/ingest-lead.ts';
import type { LeadFields } from '../../src/leads/lead-fields.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { verticalsOf } from '../../src/leads/supplier-verticals.rules.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { cachedSpans } from '../../src/routing/availability.rules.ts';
import { decideBatch } from '../../src/routing/decide-batch.rules.ts';
import { factsOf } from '../../src/routing/lead-facts.ts';
import { cachedLocalDays } from '../../src/routing/local-day.rules.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { makeOfferIndex, type OfferIndex } from '../../src/routing/offer-index.rules.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { leadBody, newRun } from '../support/lead-body.ts';
import { states } from '../support/market.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { untilQuiet } from '../support/quiet.ts';
import { connectionClock } from '../support/proc.ts';
import type { Section, Table } from '../support/report.ts';
import { holdEngine, makeWorkspace, removeWorkspace } from '../support/service.ts';
import { sized } from '../support/size.ts';

const VERTICALS = sized(10, 3);
const FIELDS = 40;
const OFFERS = sized(1000, 30);
const LEADS = sized(250, 20);
const BATCHES = sized(40, 4);
const FILTERED = 4;
/** Leads of a transaction of the whole routing, and transactions per round. */
const WHOLE = { leads: sized(100, 10), batches: sized(12, 2) };

/** One market: its offers, and the stored fields of its leads as JSON. */
type Market = { readonly offerIndex: OfferIndex; readonly leads: readonly string[]; readonly bytes: number };

export async function measureVerticals({ rounds, patience, progress, directory }: BenchOptions): Promise<Section> {
  const now = new Date();
  const [without, withOwn] = [marketOf(false, now), marketOf(true, now)];
  const found: Array<{ readonly before: number; readonly after: number }> = [];
  for (let round = 0; round < rounds; round += 1) {
    await untilQuiet(patience);
    found.push({ before: timeRouting(without, now), after: timeRouting(withOwn, now) });
    progress(`verticals: ${found.at(-1)?.before.toFixed(1)} and ${found.at(-1)?.after.toFixed(1)} µs per lead`);
  }
  const whole = await measureWhole({ rounds, directory, progress });
  const differences = found.map(({ before, after }) => after - before);
  const row = (name: string, { bytes }: Market, times: readonly number[]): string[] => [
    name,
    shown(bytes),
    median(times).toFixed(1),
  ];
  return {
    name: 'verticals',
    title: 'Verticals',
    notes: [
      `Processor time in Node to read the stored fields of a lead and to decide on it among ${OFFERS} offers with standard filters, and in a marketplace of`,
      `${VERTICALS} verticals with ${FIELDS} fields each, whose offers filter on ${FILTERED} of them besides, in interleaved rounds.`,
      `The second takes ${median(differences).toFixed(1)} µs more than the first (median of ${rounds} rounds), to be compared with what routing costs as a whole: see “Routing alone”.`,
    ],
    tables: [
      {
        title: 'Per lead',
        columns: ['marketplace', 'bytes of fields', 'µs'],
        rows: [
          row(
            'without verticals',
            without,
            found.map(({ before }) => before),
          ),
          row(
            'with verticals',
            withOwn,
            found.map(({ after }) => after),
          ),
        ],
      },
      wholeTable(whole),
    ],
    data: { found, whole },
  };
}

type Cost = { readonly node: number; readonly postgres: number };
type WholeRound = { readonly before: Cost; readonly after: Cost };

/** Two databases with a market each, routed in turn. */
async function measureWhole({
  rounds,
  directory,
  progress,
}: Pick<BenchOptions, 'rounds' | 'directory' | 'progress'>): Promise<WholeRound[]> {
  const sites = [await openSite(directory, false), await openSite(directory, true)] as const;
  const [before, after] = sites;
  const found: WholeRound[] = [];
  // The first batches fill caches.
  for (let batch = 0; batch < WHOLE.batches * (rounds + 1); batch += 1) {
    const inTurn = batch % 2 === 0 ? sites : sites.toReversed();
    const costs = new Map<Site, Cost>();
    for (const site of inTurn) costs.set(site, await routeBatch(site));
    const round = { before: costs.get(before) ?? NO_COST, after: costs.get(after) ?? NO_COST };
    if (batch >= WHOLE.batches) found.push(round);
    if (batch % WHOLE.batches === 0) progress(`verticals: whole ${JSON.stringify(round)}`);
  }
  for (const { database, engine, workspace } of sites) {
    await database.close();
    await engine.release();
    removeWorkspace(workspace);
  }
  return found;
}

const NO_COST: Cost = { node: 0, postgres: 0 };

type Site = Awaited<ReturnType<typeof openSite>>;

async function openSite(directory: string, hasVerticals: boolean) {
  const workspace = await makeWorkspace(directory, null, JSON.stringify(fileOf(hasVerticals)));
  const engine = await holdEngine(workspace);
  const database = openDatabase({ connection: engine.connection, connections: 1 });
  const market = createMarketReader();
  const context = contextOf(hasVerticals);
  return { workspace, engine, database, market, context, hasVerticals };
}

async function routeBatch({ database, engine, market, context, hasVerticals }: Site): Promise<Cost> {
  const now = new Date();
  const { run, first } = newRun(WHOLE.leads);
  const submissions = Array.from({ length: WHOLE.leads }, (_, index) => {
    const text = leadBody(run, first + index);
    const members = { ...(JSON.parse(text) as object), ...membersOf(first + index, hasVerticals) };
    return prepareSubmission({ members, text }, context, now);
  });
  await database.tx((tx) => storeSubmissions(tx, submissions));
  // The connection has just been used: an idle one is closed after a while.
  const spent = await connectionClock(engine);
  const [connection, began] = [spent(), process.cpuUsage()];
  const { deliveries } = await database.tx((tx) =>
    routeLeads(tx, { market, limit: WHOLE.leads, lockFirst: false }, now),
  );
  const { user, system } = process.cpuUsage(began);
  if (deliveries !== WHOLE.leads) throw new Error(`${deliveries} of ${WHOLE.leads} leads were sold`);
  return { node: (user + system) / WHOLE.leads, postgres: (spent() - connection) / 1000 / WHOLE.leads };
}

function wholeTable(rounds: readonly WholeRound[]): Table {
  const sum = ({ node, postgres }: Cost): number => node + postgres;
  const row = (name: string, pick: (round: WholeRound) => Cost): string[] => [
    name,
    shown(median(rounds.map((round) => pick(round).node))),
    shown(median(rounds.map((round) => pick(round).postgres))),
    shown(median(rounds.map((round) => sum(pick(round)) / sum(round.before)))),
  ];
  return {
    title: `The whole routing of batches of ${WHOLE.leads} stored leads that are all sold, µs of processor per lead; goal: a ratio of at most 1.30`,
    columns: ['marketplace', 'Node', 'PostgreSQL', 'both, to the first row'],
    rows: [row('without verticals', ({ before }) => before), row('with verticals', ({ after }) => after)],
  };
}

const fieldName = (number: number): string => `field_${number}`;

/** Numbers, choices, amounts and texts in turn. */
function fieldOf(number: number): object {
  const name = fieldName(number);
  const kinds = [
    { name, type: 'integer' },
    { name, type: 'enum', values: ['low', 'middle', 'high'] },
    { name, type: 'money' },
    { name, type: 'text' },
  ];
  return kinds[number % kinds.length] ?? {};
}

function filtersOf(number: number): object {
  return {
    [fieldName(0)]: { min: number % 50 },
    [fieldName(1)]: { in: ['low', 'high'] },
    [fieldName(2)]: { max: 900 + (number % 100) },
    [fieldName(4)]: { notIn: [number % 7] },
  };
}

function valueOf(number: number, lead: number): unknown {
  const values = [(lead * 7) % 100, ['low', 'middle', 'high'][lead % 3], (lead * 13) % 1000, `text of lead ${lead}`];
  return values[number % values.length];
}

const verticalKeys = Array.from({ length: VERTICALS }, (_, number) => `vertical-${number}`);

/** As many offers without verticals as with them, and for each vertical one that takes what the others leave. */
function fileOf(hasVerticals: boolean): object {
  const offerOf = (number: number, filters: object, payout: number) => ({
    key: `offer-${number}`,
    eventType: 'Lead Sale',
    payout,
    ...(hasVerticals ? { vertical: verticalKeys[number % VERTICALS] } : {}),
    filters,
  });
  const partnerOf = (number: number, filters: object, payout: number) => ({
    key: `partner-${number}`,
    offers: [offerOf(number, filters, payout)],
  });
  const filtered = Array.from({ length: OFFERS - VERTICALS }, (_, number) => {
    const wanted = new Set([states[number % states.length], states[(number * 7) % states.length]]);
    const filters = {
      states: [...wanted],
      debtAmount: { min: 1000 + (number % 50) * 100 },
      minScore: number % 40,
      ...(hasVerticals ? { fields: filtersOf(number) } : {}),
    };
    return partnerOf(number, filters, 10 + (number % 90));
  });
  const rest = verticalKeys.map((_, number) =>
    partnerOf(OFFERS + number, hasVerticals ? { fields: { [fieldName(0)]: { min: 0 } } } : {}, 5),
  );
  const verticals = hasVerticals ? verticalKeys : [];
  return {
    verticals: verticals.map((key) => ({
      key,
      fields: Array.from({ length: FIELDS }, (_, number) => fieldOf(number)),
    })),
    suppliers: [{ key: 'bench', status: 'approved', verticals }],
    partners: [...filtered, ...rest],
  };
}

function parsedFile(hasVerticals: boolean) {
  const parsed = parseFile(JSON.stringify(fileOf(hasVerticals)), { allowTargets: [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors.slice(0, 3)));
  return parsed.file;
}

function contextOf(hasVerticals: boolean): IngestContext {
  const { verticals, suppliers } = parsedFile(hasVerticals);
  const [supplier] = suppliers;
  if (supplier === undefined) throw new Error('the market has no supplier');
  return {
    supplierKey: 'bench',
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
    verticals: verticalsOf(supplier, new Map(verticals.map((vertical) => [vertical.key, vertical]))),
  };
}

/** What offers filter on. */
function membersOf(lead: number, hasVerticals: boolean): Record<string, unknown> {
  const own = Array.from({ length: FIELDS }, (__, number) => [fieldName(number), valueOf(number, lead)] as const);
  return {
    state: states[lead % states.length],
    debt_amount: String(2000 + (lead % LEADS) * 10),
    ...(hasVerticals ? { vertical: verticalKeys[lead % VERTICALS], ...Object.fromEntries(own) } : {}),
  };
}

function marketOf(hasVerticals: boolean, now: Date): Market {
  const { partners } = parsedFile(hasVerticals);
  const context = contextOf(hasVerticals);
  const leads = Array.from({ length: LEADS }, (_, lead) => {
    const members = {
      full_name: 'Jordan Rivera',
      email: `person-${lead}@example.com`,
      phone: '+15555550123',
      ...membersOf(lead, hasVerticals),
    };
    const { fields, reason } = prepareSubmission({ members, text: '{}' }, context, now);
    if (fields === null) throw new Error(reason ?? '');
    return fields;
  });
  const buyers = partners.map(({ buyer, settings: _settings }): [string, Buyer] => [
    buyer.buyerKey,
    { ...buyer, settings: {}, endpointDisabledAt: null, fundsPausedAt: null, ownPause: null } as unknown as Buyer,
  ]);
  return {
    offerIndex: makeOfferIndex(
      1,
      partners.flatMap(({ offers }) => offers),
      new Map(buyers),
    ),
    leads,
    bytes: Math.round(leads.reduce((sum, text) => sum + text.length, 0) / leads.length),
  };
}

/** Microseconds of processor per lead over the batches of the second half: the first half warms up. */
function timeRouting({ offerIndex, leads }: Market, now: Date): number {
  const calendar = { spanOf: cachedSpans(), dayOf: cachedLocalDays() };
  const times: number[] = [];
  for (let batch = 0; batch < 2 * BATCHES; batch += 1) {
    const began = process.cpuUsage();
    const read = leads.map((text, index) => {
      const fields = JSON.parse(text) as LeadFields;
      const number = batch * LEADS + index;
      return {
        leadId: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}` as LeadId,
        ...{ externalId: null, isTest: false, receivedAt: now.getTime(), requestedSlot: null },
        facts: factsOf({ fields, score: 70, supplierKey: 'bench' }),
        identities: [`${2 * number}`, `${2 * number + 1}`],
        buyersBefore: new Set<string>(),
        listed: [],
      };
    });
    decideBatch(read, {
      ...{ now, offerIndex, calendar, holdMs: 3_600_000, strategy: 'price', blocksRepeats: true },
      ...{ readings: () => () => null, failing: new Map(), funds: new Map() },
      ...{ sales: new Map(), turns: new Map(), slots: new Map() },
    });
    const { user, system } = process.cpuUsage(began);
    if (batch >= BATCHES) times.push((user + system) / LEADS);
  }
  return median(times);
}
