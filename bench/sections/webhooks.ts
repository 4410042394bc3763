// Measures what a webhook in the partner's own format costs on the whole way of a delivery in Node, from the lease of its job to its
// confirmation: batches of leads to a partner with the standard format and to one with a custom format, in turn.
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { createSecretOpener, setPartnerSecret } from '../../src/credentials/partner-secrets.ts';
import type { DeliveryChannel } from '../../src/deliveries/channels/channel.ts';
import { createWebhookChannel } from '../../src/deliveries/channels/webhook.channel.ts';
import { beginAttempts, dueQueues, parcelOf } from '../../src/deliveries/sending/begin-attempts.ts';
import { finishAttempts } from '../../src/deliveries/sending/finish-attempts.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import { notTried } from '../../src/platform/outbound/send-outcome.ts';
import { openSecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import { sellBatch } from '../support/sell-batch.ts';
import { holdEngine, makeWorkspace, removeWorkspace } from '../support/service.ts';
import { sized } from '../support/size.ts';

const BATCH = 25;
const BATCHES = sized(40, 2);
/** The first ones warm the process up. */
const WARM_UP = sized(20, 1);
const FORMATS = ['standard', 'custom'] as const;

type Format = (typeof FORMATS)[number];
/** Microseconds of processor time of this process per lead. */
type Round = Readonly<Record<Format, number>>;

export async function measureWebhooks(options: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(options.directory, receiver.origin, yamlOf(receiver.origin));
  const engine = await holdEngine(workspace);
  const database = openDatabase({ connection: engine.connection, connections: 4 });
  const keys = openSecretKeys({ secretsKey: null, dataDir: workspace.dataDir, databaseUrl: null });
  const secret = { buyerKey: 'custom', name: 'api_token', value: 'token-1234567890', origin: noOrigin };
  await database.tx((tx) => setPartnerSecret(tx, { ...secret, actor: commandLineActor }, { keys, now: new Date() }));
  const client = createGuardedClient({ allowTargets: [receiver.origin] });
  const channel = createWebhookChannel({ client, openSecrets: createSecretOpener(keys) });
  const market = createMarketReader();
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP + BATCHES * options.rounds; round += 1) {
    const spent: Partial<Record<Format, number>> = {};
    for (const index of FORMATS.keys()) {
      const format = FORMATS[(index + round) % FORMATS.length] ?? 'standard';
      await sellBatch(database, { supplierKey: format, market, size: BATCH }, new Date());
      spent[format] = await sendBatch(database, channel);
    }
    if (round >= WARM_UP) rounds.push(spent as Round);
    if (round % BATCHES === 0) options.progress(`webhooks: ${JSON.stringify(spent)}`);
  }
  await client.close();
  await database.close();
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return describe(rounds);
}

/** The custom format is the example for JSON with a token. */
function yamlOf(origin: string): string {
  const example = readFileSync(join(import.meta.dirname, '../../examples/deliveries/generic-json.yaml'), 'utf8');
  const { partners } = parse(example) as { partners: ReadonlyArray<{ readonly webhook: object }> };
  return JSON.stringify({
    suppliers: [...FORMATS, 'bench'].map((key) => ({ key, status: 'approved' })),
    partners: FORMATS.map((key) => ({
      key,
      channels: ['webhook'],
      settings: { webhookUrl: `${origin}/json-${key}` },
      ...(key === 'custom' ? { webhook: partners[0]?.webhook } : {}),
      offers: [{ key, eventType: 'Lead Sale', payout: 45, filters: { suppliers: [key] } }],
    })),
  });
}

async function sendBatch(database: Database, channel: DeliveryChannel): Promise<number> {
  const now = new Date();
  const { breaker } = defaultSettings;
  const began = process.cpuUsage();
  const attempts = await database.tx(async (tx) => {
    const queues = (await dueQueues(tx, breaker.probeSeconds, now)).map((queue) => ({ ...queue, jobs: BATCH }));
    return beginAttempts(tx, { queues, leaseMs: 40_000, probeSeconds: breaker.probeSeconds }, now);
  });
  const results = await Promise.all(
    attempts.map(async (attempt) => {
      const [outcome = notTried('')] = await channel.send(attempt.recipient, [parcelOf(attempt, now)], now);
      return { ...attempt, outcome, judgement: { kind: 'delivered' }, wasTried: true } as const;
    }),
  );
  const { confirmed } = await database.tx((tx) => finishAttempts(tx, results, { breaker, now }));
  const { user, system } = process.cpuUsage(began);
  const refused = results.filter(({ outcome }) => outcome.kind !== 'taken');
  if (confirmed !== BATCH || refused.length > 0) throw new Error(JSON.stringify(refused[0]?.outcome ?? confirmed));
  return (user + system) / BATCH;
}

function describe(rounds: readonly Round[]): Section {
  const row = (title: string, format: Format): string[] => [
    title,
    shown(median(rounds.map((round) => round[format]))),
    shown(median(rounds.map((round) => round[format] / round.standard))),
  ];
  return {
    name: 'webhooks',
    title: 'A webhook in the partner’s own format',
    notes: [
      `Batches of ${BATCH} leads to a partner with the signed standard format, and to one with the format of examples/deliveries/generic-json.yaml with its token, rules and reference, in turn: from the lease of the jobs over the request to a receiver in another process to the confirmation and charge. Processor time of the sending process. Medians of ${rounds.length} rounds; ratios are taken within a round. The goal is a ratio of at most 1.30.`,
      `The load average was ${shown(loadavg()[0] ?? 0)} at the end.`,
    ],
    tables: [
      {
        title: 'Node per lead',
        columns: ['', 'processor µs', 'to standard'],
        rows: [row('standard', 'standard'), row('custom', 'custom')],
      },
    ],
    data: rounds,
  };
}
