// Measures what posting a sale's cost adds to the time that a lead takes in PostgreSQL: batches of leads without terms, with a share and with a
// fixed amount, interleaved. The processor time of one connection, as the kernel counts it, hardly depends on what else the machine does.
import { loadavg } from 'node:os';

import { beginAttempts, dueQueues } from '../../src/deliveries/sending/begin-attempts.ts';
import { finishAttempts } from '../../src/deliveries/sending/finish-attempts.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createMarketReader, type MarketReader } from '../../src/routing/market-reader.ts';
import { marketYaml } from '../support/market.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { connectionClock } from '../support/proc.ts';
import type { Section } from '../support/report.ts';
import { sellBatch } from '../support/sell-batch.ts';
import { holdEngine, makeWorkspace, removeWorkspace } from '../support/service.ts';
import { sized } from '../support/size.ts';

/** As large as under a moderate load; under a small one a lead costs several times as much, terms or not. */
const BATCH = 25;
const BATCHES = sized(100, 3);
const ORIGIN = 'http://127.0.0.1:9';
/** Each is the terms of a supplier of that name. */
const TERMS = {
  none: '{ model: none }',
  share: '{ model: share, percent: 60 }',
  fixed: '{ model: fixed, amount: 12.00 }',
} as const;
const MODELS = ['none', 'share', 'fixed'] as const satisfies ReadonlyArray<keyof typeof TERMS>;

type Model = (typeof MODELS)[number];
/** Microseconds of processor time of the connection per lead of a batch, from the stored submission to the confirmed delivery. */
type Round = Readonly<Record<Model, number>>;

export async function measureCost(options: BenchOptions): Promise<Section> {
  const suppliers = MODELS.map((model) => `  - { key: ${model}, status: approved, pay: ${TERMS[model]} }`);
  const yaml = marketYaml(ORIGIN).replace('suppliers:', ['suppliers:', ...suppliers].join('\n'));
  const workspace = await makeWorkspace(options.directory, ORIGIN, yaml);
  const engine = await holdEngine(workspace);
  const database = openDatabase({ connection: engine.connection, connections: 1 });
  const market = createMarketReader();
  // Also opens the connection.
  await sellAndConfirm(database, { model: 'share', market });
  const spent = await connectionClock(engine);
  const rounds: Round[] = [];
  for (let round = 0; round < BATCHES * options.rounds; round += 1) {
    const runs: Partial<Record<Model, number>> = {};
    // Another order in each round, because the tables grow.
    for (const index of MODELS.keys()) {
      const model = MODELS[(index + round) % MODELS.length] ?? 'none';
      const before = spent();
      await sellAndConfirm(database, { model, market });
      runs[model] = (spent() - before) / 1000 / BATCH;
    }
    rounds.push(runs as Round);
    if (round % BATCHES === 0) options.progress(`cost: ${JSON.stringify(runs)}`);
  }
  await database.close();
  await engine.release();
  removeWorkspace(workspace);
  return describe(rounds);
}

type Run = { readonly model: Model; readonly market: MarketReader };

async function sellAndConfirm(database: Database, { model, market }: Run): Promise<void> {
  const now = new Date();
  await sellBatch(database, { supplierKey: model, market, size: BATCH }, now);
  const { breaker } = defaultSettings;
  const attempts = await database.tx(async (tx) => {
    const queues = (await dueQueues(tx, breaker.probeSeconds, now)).map((queue) => ({ ...queue, jobs: BATCH }));
    return beginAttempts(tx, { queues, leaseMs: 40_000, probeSeconds: breaker.probeSeconds }, now);
  });
  const taken = { kind: 'taken', responseCode: 204, responseSnippet: null, latencyMs: 20, error: null } as const;
  const results = attempts.map((attempt) => {
    return { ...attempt, outcome: taken, judgement: { kind: 'delivered' }, wasTried: true } as const;
  });
  const { confirmed } = await database.tx((tx) => finishAttempts(tx, results, { breaker, now }));
  if (confirmed !== BATCH) throw new Error(`${confirmed} of ${BATCH} leads were confirmed`);
}

function describe(rounds: readonly Round[]): Section {
  const row = (title: string, model: Model): string[] => [
    title,
    shown(median(rounds.map((round) => round[model]))),
    shown(median(rounds.map((round) => round[model] / round.none))),
  ];
  return {
    name: 'cost',
    title: 'What a sale costs, posted with its charge',
    notes: [
      `Ten partners with a webhook each and three suppliers; a batch of ${BATCH} leads of each in turn, from the stored submission to the confirmed delivery, over one connection. Processor time of that connection's process. Medians of ${rounds.length} rounds; ratios are taken within a round. The goal is a ratio of at most 1.08.`,
      `The load average was ${shown(loadavg()[0] ?? 0)} at the end.`,
    ],
    tables: [
      {
        title: 'PostgreSQL per lead',
        columns: ['', 'processor µs', 'to no terms'],
        rows: [row('no terms', 'none'), row('share of the price', 'share'), row('fixed amount', 'fixed')],
      },
    ],
    data: rounds,
  };
}
