// Measures routing alone: worker processes work off backlogs while partners only read the API.
import { makeBacklog, type WorkedOff, type Workforce, workOff } from '../support/backlog.ts';
import { plantHistory } from '../support/history.ts';
import { ownCores, sharedCores } from '../support/layout.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { Section, Table } from '../support/report.ts';
import { type Engine, holdEngine, makeWorkspace, type Workspace, removeWorkspace } from '../support/service.ts';
import type { Sharing } from '../support/market.ts';
import { fewAndMany, measureSpread, type Spread } from '../support/spread.ts';
import { IS_TINY, sized } from '../support/size.ts';

const BACKLOG_SECONDS = sized(5, 1);
// Each takes a quarter of a minute, and there are some thirty of them.
const MOST_ROUNDS = 3;
const SHARINGS: readonly Sharing[] = IS_TINY ? ['mixed'] : ['exclusive', 'shared', 'mixed'];

/** Leads accepted per second while the backlog was made, and the processing of the backlog afterwards. */
type Run = WorkedOff & { readonly accepted: number };
type Hot = { readonly shared: readonly Pair[]; readonly own: readonly Pair[] };
type Pair = { readonly one: Run; readonly two: Run };
type Known = { readonly leads: number; readonly runs: readonly Run[] };

export async function measureRouting(options: BenchOptions): Promise<Section> {
  const rounds = Math.min(options.rounds, MOST_ROUNDS);
  const known = await measureHistory(options, rounds);
  const hot = await measureHotCaps(options, rounds);
  const spread: Spread[] = [];
  for (const sharing of SHARINGS) {
    spread.push(await measureSpread(options, { sharing, rounds, backlogSeconds: BACKLOG_SECONDS }));
  }
  return describe(hot, known, spread);
}

type Site = { readonly workspace: Workspace; readonly engine: Engine };

async function open({ directory }: BenchOptions): Promise<Site> {
  const workspace = await makeWorkspace(directory, null);
  return { workspace, engine: await holdEngine(workspace) };
}

async function close({ workspace, engine }: Site): Promise<void> {
  await engine.release();
  removeWorkspace(workspace);
}

async function runOnce(
  { patience, progress }: BenchOptions,
  { workspace, engine }: Site,
  force: Workforce,
): Promise<Run> {
  await untilQuiet(patience);
  const accepted = await makeBacklog(workspace, BACKLOG_SECONDS);
  await untilQuiet(patience);
  const result = { accepted, ...(await workOff(workspace, engine, force)) };
  const where = force.layout === undefined || force.layout === sharedCores ? 'shared cores' : 'cores of their own';
  progress(`routing: ${force.workers} on ${where}: ${shown(result.perSecond)}/s, accepted ${shown(accepted)}/s`);
  return result;
}

/** Ten offers share all leads; one worker and two in turn, in both layouts. */
async function measureHotCaps(options: BenchOptions, rounds: number): Promise<Hot> {
  const site = await open(options);
  const apart = await ownCores();
  const shared: Pair[] = [];
  const own: Pair[] = [];
  const pair = async (layout = sharedCores): Promise<Pair> => ({
    one: await runOnce(options, site, { workers: 1, layout }),
    two: await runOnce(options, site, { workers: 2, layout }),
  });
  for (let round = 0; round < rounds; round += 1) {
    shared.push(await pair());
    if (apart !== null) own.push(await pair(apart));
  }
  await close(site);
  return { shared, own };
}

/** One worker on separate databases with this many known leads each, in turn. */
async function measureHistory(options: BenchOptions, rounds: number): Promise<Known[]> {
  const past: Array<{ leads: number; site: Site; runs: Run[] }> = [];
  for (const leads of options.known) {
    const site = await open(options);
    const began = performance.now();
    await plantHistory(site.engine, leads);
    options.progress(`routing: planted ${leads} leads in ${shown((performance.now() - began) / 1000)} s`);
    past.push({ leads, site, runs: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { site, runs } of past) runs.push(await runOnce(options, site, { workers: 1 }));
  }
  for (const { site } of past) await close(site);
  return past.map(({ leads, runs }) => ({ leads, runs }));
}

function describe(hot: Hot, known: readonly Known[], spread: readonly Spread[]): Section {
  const pairs = [...hot.shared, ...hot.own];
  const all = [
    ...pairs.flatMap(({ one, two }) => [one, two]),
    ...known.flatMap(({ runs }) => runs),
    ...spread.flatMap(({ whole }) => whole.flat()),
  ];
  return {
    name: 'routing',
    title: 'Routing alone',
    notes: [
      'Partners without a push channel, each with one offer with filters and caps; nothing is sent, each delivery is confirmed and charged at once.',
      `Backlogs of about ${shown(median(all.map(({ leads }) => leads)))} leads; medians of ${known[0]?.runs.length ?? pairs.length} interleaved rounds, ratios taken within a round.`,
      'In a worker two batches are under way at a time: one is decided while the other waits for its commit.',
      'What many workers do at once ends where the counters and accounts of the offers that all of them sell are locked, from the first of them to the commit: so long one batch stands in line behind the other, whatever the processors do.',
      all.every(({ finished }) => finished) ? '' : 'A backlog was not worked off in time.',
    ],
    tables: [hotTable(hot), knownTable(known), rulesTable(spread), wholeTable(spread)],
    data: { hot, known, spread },
  };
}

const medianOf = <Item>(items: readonly Item[], pick: (item: Item) => number): string => shown(median(items.map(pick)));

function hotTable({ shared, own }: Hot): Table {
  const rows = (layout: string, pairs: readonly Pair[]): string[][] => {
    if (pairs.length === 0) return [];
    const row = (name: string, pick: (pair: Pair) => Run): string[] => [
      `${name}, ${layout}`,
      medianOf(pairs, (pair) => pick(pair).perSecond),
      medianOf(pairs, (pair) => pick(pair).nodeMicros),
      medianOf(pairs, (pair) => pick(pair).postgresMicros),
    ];
    const ratio = (pair: Pair): number => pair.two.perSecond / pair.one.perSecond;
    const ratios = pairs.map((pair) => shown(ratio(pair))).join(', ');
    return [
      row('one worker', (pair) => pair.one),
      row('two workers', (pair) => pair.two),
      [`ratio, ${layout} (rounds: ${ratios})`, medianOf(pairs, ratio), '', ''],
    ];
  };
  return {
    title: 'Ten offers share all leads',
    columns: ['', 'leads per second', 'Node, µs of processor per lead', 'PostgreSQL, µs of processor per lead'],
    rows: [...rows('all on two cores', shared), ...rows('a core per worker, two for PostgreSQL', own)],
  };
}

function knownTable(known: readonly Known[]): Table {
  const [first] = known;
  return {
    title: 'Leads in the duplicate window, one worker and PostgreSQL on two cores',
    columns: [
      '',
      'routed per second',
      'to the first row',
      'accepted per second by one process',
      'routed to accepted',
      'all processor time, µs per lead',
    ],
    rows: known.map(({ leads, runs }) => [
      `${leads.toLocaleString('en-US')} leads`,
      medianOf(runs, (run) => run.perSecond),
      shown(median(runs.map((run, round) => run.perSecond / (first?.runs[round]?.perSecond ?? Number.NaN)))),
      medianOf(runs, (run) => run.accepted),
      medianOf(runs, (run) => run.perSecond / run.accepted),
      medianOf(runs, (run) => run.nodeMicros + run.postgresMicros),
    ]),
  };
}

const ratioColumn = 'ratio';

function rulesTable(spread: readonly Spread[]): Table {
  return {
    title: 'Choosing by the rules alone, µs per lead, leads from all states',
    columns: ['offers, strategy', ...fewAndMany.map((offers) => `${offers} offers`), ratioColumn],
    rows: spread.flatMap(({ sharing, rules }) =>
      (['price', 'weighted', 'round_robin'] as const).map((strategy) => [
        `${sharing}, ${strategy}`,
        medianOf(rules[strategy], ([few]) => few),
        medianOf(rules[strategy], ([, many]) => many),
        medianOf(rules[strategy], ([few, many]) => many / few),
      ]),
    ),
  };
}

function wholeTable(spread: readonly Spread[]): Table {
  const cost = ({ nodeMicros, postgresMicros }: WorkedOff): number => nodeMicros + postgresMicros;
  return {
    title: 'Routing by price, all processor time of Node and PostgreSQL, µs per lead, leads from all states',
    columns: [
      'offers',
      ...fewAndMany.map((offers) => `${offers} offers`),
      ratioColumn,
      ...fewAndMany.map((offers) => `leads per second, ${offers} offers`),
    ],
    rows: spread.map(({ sharing, whole }) => [
      sharing,
      medianOf(whole, ([few]) => cost(few)),
      medianOf(whole, ([, many]) => cost(many)),
      medianOf(whole, ([few, many]) => cost(many) / cost(few)),
      medianOf(whole, ([few]) => few.perSecond),
      medianOf(whole, ([, many]) => many.perSecond),
    ]),
  };
}
