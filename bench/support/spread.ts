// Measures the cost of choosing among few and many offers: the rules alone, and the whole routing.
import type { LeadId } from '../../src/base/ids.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Strategy } from '../../src/marketplace/settings.ts';
import { decideBatch } from '../../src/routing/decide-batch.rules.ts';
import type { LeadToRoute } from '../../src/routing/lead-facts.ts';
import { createMarketReader, type CurrentMarket } from '../../src/routing/market-reader.ts';
import { makeBacklog, spreadOverStates, type WorkedOff, workOff } from './backlog.ts';
import { type Sharing, spreadMarketYaml, states } from './market.ts';
import { median, shown } from './numbers.ts';
import type { BenchOptions } from './options.ts';
import { untilQuiet } from './quiet.ts';
import { type Engine, holdEngine, makeWorkspace, type Workspace, removeWorkspace } from './service.ts';
import { sized } from './size.ts';

export const fewAndMany = [10, sized(1000, 20)] as const;

const LEADS_PER_BATCH = sized(250, 20);
const BATCHES = sized(40, 2);

/** One measurement for each number of offers, taken one right after the other. */
export type FewAndMany<Measured> = readonly [few: Measured, many: Measured];

export type Spread = {
  readonly sharing: Sharing;
  /** Microseconds per lead, a pair per round. */
  readonly rules: Readonly<Record<Strategy, ReadonlyArray<FewAndMany<number>>>>;
  readonly whole: ReadonlyArray<FewAndMany<WorkedOff>>;
};

export type SpreadOptions = { readonly sharing: Sharing; readonly rounds: number; readonly backlogSeconds: number };

type Stage = { readonly workspace: Workspace; readonly engine: Engine; readonly market: CurrentMarket };

export async function measureSpread(
  options: BenchOptions,
  { sharing, rounds, backlogSeconds }: SpreadOptions,
): Promise<Spread> {
  const few = await setUp(options, fewAndMany[0], sharing);
  const many = await setUp(options, fewAndMany[1], sharing);
  const rules: Record<Strategy, Array<FewAndMany<number>>> = { price: [], weighted: [], round_robin: [] };
  const whole: Array<FewAndMany<WorkedOff>> = [];
  for (let round = 0; round < rounds; round += 1) {
    await untilQuiet(options.patience);
    for (const strategy of ['price', 'weighted', 'round_robin'] as const) {
      rules[strategy].push([timeRules(few.market, strategy), timeRules(many.market, strategy)]);
    }
    const work = async ({ workspace, engine }: Stage): Promise<WorkedOff> => {
      await makeBacklog(workspace, backlogSeconds);
      await spreadOverStates(engine);
      await untilQuiet(options.patience);
      return workOff(workspace, engine, { workers: 1 });
    };
    whole.push([await work(few), await work(many)]);
    options.progress(
      `routing: ${sharing}, ${whole
        .at(-1)
        ?.map(({ perSecond }) => shown(perSecond))
        .join(' and ')}/s among ${fewAndMany.join(' and ')} offers`,
    );
  }
  for (const { engine, workspace } of [few, many]) {
    await engine.release();
    removeWorkspace(workspace);
  }
  return { sharing, rules, whole };
}

async function setUp({ directory }: BenchOptions, offers: number, sharing: Sharing): Promise<Stage> {
  const workspace = await makeWorkspace(directory, null, spreadMarketYaml(offers, sharing));
  const engine = await holdEngine(workspace);
  return { workspace, engine, market: await marketOf(engine) };
}

async function marketOf({ connection }: Engine): Promise<CurrentMarket> {
  const database = openDatabase({ connection, connections: 1 });
  const market = await database.tx((tx) => createMarketReader().current(tx));
  await database.close();
  return market;
}

/** Microseconds per lead of deciding alone, over the batches of the second half: the first half warms up. */
function timeRules({ offerIndex, calendar }: CurrentMarket, strategy: Strategy): number {
  const times: number[] = [];
  const now = new Date();
  for (let batch = 0; batch < 2 * BATCHES; batch += 1) {
    const leads = Array.from({ length: LEADS_PER_BATCH }, (_, index) => someLead(batch * LEADS_PER_BATCH + index, now));
    const began = performance.now();
    decideBatch(leads, {
      ...{ now, offerIndex, calendar, holdMs: 3_600_000, strategy, blocksRepeats: true },
      ...{ readings: () => () => null, failing: new Map(), funds: new Map() },
      ...{ sales: new Map(), turns: new Map(), slots: new Map() },
    });
    if (batch >= BATCHES) times.push(((performance.now() - began) * 1000) / LEADS_PER_BATCH);
  }
  return median(times);
}

function someLead(number: number, now: Date): LeadToRoute {
  return {
    leadId: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}` as LeadId,
    externalId: null,
    isTest: false,
    receivedAt: now.getTime(),
    facts: {
      vertical: null,
      own: {},
      state: states[number % states.length] ?? null,
      debtAmountCents: 500_000 + (number % 89) * 100_000,
      score: number % 101,
      supplierKey: 'bench',
      source: 'search',
      tcpaConsent: true,
      hasEmail: true,
      hasPhone: true,
    },
    requestedSlot: null,
    identities: [`${2 * number}`, `${2 * number + 1}`],
    buyersBefore: new Set(),
    listed: [],
  };
}
