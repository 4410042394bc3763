// Measures how soon a lead that a partner's system rejects is with the next buyer, at a steady rate.
import { sendAndRecord } from '../support/load.ts';
import { percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import { holdEngine, makeWorkspace, removeWorkspace, startService, untilEmpty } from '../support/service.ts';
import { sized } from '../support/size.ts';

const STEADY = { connections: 8, rate: 50 } as const;
const SECONDS = sized(30, 1);
const PATIENCE_SECONDS = 60;
const GOAL_MS = 1000;

/** The first partner rejects every lead; the second one takes it. */
const marketYaml = (origin: string): string => `
suppliers: [{ key: bench, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: picky
    channels: [webhook]
    settings: { webhookUrl: "${origin}/picky-leads" }
    webhook:
      format: custom
      body: { type: json, template: '{ "name": "{{ lead.fullName }}", "email": "{{ lead.email }}" }' }
      response: { rules: [{ when: { status: 409 }, outcome: rejected }] }
    offers: [{ key: picky, eventType: Lead Sale, payout: 60.00 }]
  - key: second
    channels: [webhook]
    settings: { webhookUrl: "${origin}/second" }
    offers: [{ key: second, eventType: Lead Sale, payout: 50.00 }]
`;

type Round = { readonly leads: number; readonly p50Ms: number; readonly p99Ms: number; readonly mostMs: number };

export async function measureRejections({ directory, rounds, progress }: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(directory, receiver.origin, marketYaml(receiver.origin));
  const engine = await holdEngine(workspace);
  const service = await startService(workspace, 'all');
  const found: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { sent } = await sendAndRecord(service, { ...STEADY, seconds: SECONDS });
    await untilEmpty(engine.client, 'routing_inbox', PATIENCE_SECONDS);
    await untilEmpty(engine.client, 'send_job', PATIENCE_SECONDS);
    const arrivals = await receiver.takeArrivals();
    const rejectedAt = new Map(
      arrivals.filter(({ isRejected }) => isRejected).map(({ number, arrivedAt }) => [number, arrivedAt]),
    );
    const delays = arrivals.flatMap(({ number, arrivedAt, isRejected }) => {
      const from = rejectedAt.get(number);
      return isRejected || from === undefined ? [] : [(arrivedAt - from) / 1000];
    });
    if (delays.length !== sent.length)
      throw new Error(`${delays.length} of ${sent.length} leads reached both partners`);
    const [p50Ms, p99Ms] = [percentile(delays, 50), percentile(delays, 99)];
    found.push({ leads: delays.length, p50Ms, p99Ms, mostMs: Math.max(...delays) });
    progress(`rejections: p50 ${shown(p50Ms)} ms, p99 ${shown(p99Ms)} ms`);
  }
  await service.stop();
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return {
    name: 'rejections',
    title: 'Rejected leads',
    notes: [
      `One process, \`--role all\`, gets ${STEADY.rate} leads/s for ${SECONDS} s. The partner that pays most answers each of them with a rejection, which a rule of its custom webhook reads.`,
      `Delay is from that response to the moment the next partner's webhook was read; load generator and receiver share the processors. The goal is ${GOAL_MS} ms at p99.`,
    ],
    tables: [
      {
        title: 'From the rejection to the next buyer',
        columns: ['round', 'leads', 'p50 ms', 'p99 ms', 'most ms'],
        rows: found.map(({ leads, p50Ms, p99Ms, mostMs }, index) => [
          String(index + 1),
          shown(leads),
          shown(p50Ms),
          shown(p99Ms),
          shown(mostMs),
        ]),
      },
    ],
    data: found,
  };
}
