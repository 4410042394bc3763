// Measures sending: the time of one lead in an idle service, the throughput to many endpoints, the cost of hanging endpoints for others,
// and how fast a partner reads a backlog from the feed of events.
import { Pool } from 'undici';

import type { Arrival } from '../webhook-receiver.ts';
import { makeBacklog } from '../support/backlog.ts';
import { sendAndRecord, type SenderReport } from '../support/load.ts';
import { endpointsMarketYaml } from '../support/market.ts';
import { percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { run } from '../support/processes.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import {
  COMMAND,
  type Engine,
  holdEngine,
  makeWorkspace,
  type Workspace,
  removeWorkspace,
  startService,
  untilEmpty,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const ENDPOINTS = { healthy: sized(45, 4), slow: sized(5, 1) };
const IDLE = { connections: 4, seconds: sized(20, 1), rate: 10 } as const;
/** Well below the capacity of two cores, so that the endpoints are measured and not a queue. */
const STEADY = { connections: 16, seconds: sized(30, 1), rate: sized(200, 20) } as const;
const BACKLOG_SECONDS = sized(8, 1);
const PATIENCE_SECONDS = 180;
const EVENTS = sized(50_000, 2000);
const EVENTS_PER_PAGE = 1000;

type Delays = { readonly leads: number; readonly p50Ms: number; readonly p95Ms: number; readonly p99Ms: number };
type Findings = {
  readonly idle: Delays;
  readonly backlog: { readonly deliveries: number; readonly perSecond: number };
  readonly before: Delays;
  readonly hanging: Delays;
  readonly feed: { readonly events: number; readonly perSecond: number; readonly selectedPerSecond: number };
};

export async function measureDelivery(options: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(
    options.directory,
    receiver.origin,
    endpointsMarketYaml(receiver.origin, ENDPOINTS),
  );
  const engine = await holdEngine(workspace);
  const backlog = await measureBacklog(workspace, engine, receiver);
  options.progress(`delivery: ${shown(backlog.perSecond)} deliveries/s`);
  const service = await startService(workspace, 'all');
  const measure = async (input: typeof IDLE | typeof STEADY): Promise<Delays> => {
    const report = await sendAndRecord(service, input);
    await untilEmpty(engine.client, 'routing_inbox', PATIENCE_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return delaysOf(report, await receiver.takeArrivals());
  };
  const idle = await measure(IDLE);
  options.progress(`delivery: idle ${JSON.stringify(idle)}`);
  const before = await measure(STEADY);
  receiver.hang();
  const hanging = await measure(STEADY);
  options.progress(`delivery: p95 of healthy ones ${shown(before.p95Ms)}, beside hanging ones ${shown(hanging.p95Ms)}`);
  const feed = await measureFeed(workspace, engine, service.url);
  options.progress(`delivery: ${shown(feed.perSecond)} events/s`);
  await service.stop();
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return describe({ idle, backlog, before, hanging, feed });
}

/** Throughput of a worker that only sends, from a tenth to nine tenths of the backlog. */
async function measureBacklog(workspace: Workspace, engine: Engine, receiver: Receiver): Promise<Findings['backlog']> {
  await makeBacklog(workspace, BACKLOG_SECONDS);
  const worker = await startService(workspace, 'all');
  await untilEmpty(engine.client, 'routing_inbox', PATIENCE_SECONDS);
  await untilEmpty(engine.client, 'send_job', PATIENCE_SECONDS);
  await worker.stop();
  const times = (await receiver.takeArrivals()).map((arrival) => arrival.arrivedAt).toSorted((one, two) => one - two);
  const [from, to] = [Math.floor(times.length * 0.1), Math.floor(times.length * 0.9)];
  const seconds = ((times[to] ?? 0) - (times[from] ?? 0)) / 1e6;
  return { deliveries: times.length, perSecond: (to - from) / seconds };
}

/** Times of the endpoints that never hang. */
function delaysOf(report: SenderReport, arrivals: readonly Arrival[]): Delays {
  const healthy = arrivals.filter(({ isSlow }) => !isSlow);
  const arrivedAt = new Map(healthy.map((arrival) => [arrival.number, arrival.arrivedAt]));
  const delays = report.sent.flatMap(({ number, answeredAt }) => {
    const arrived = arrivedAt.get(number);
    return arrived === undefined ? [] : [(arrived - answeredAt) / 1000];
  });
  const [p50Ms, p95Ms, p99Ms] = [50, 95, 99].map((percent) => percentile(delays, percent)) as [number, number, number];
  return { leads: delays.length, p50Ms, p95Ms, p99Ms };
}

async function measureFeed(workspace: Workspace, { client }: Engine, url: string): Promise<Findings['feed']> {
  // Extends one partner's feed to the length, from the events that it already has.
  const partner = 'buyer-0';
  await client.query(
    `INSERT INTO buyer_event (buyer_key, number, type, subject_id, at)
     SELECT $1, h.last_number + n, 'lead.delivered', d.delivery_id, d.delivered_at
     FROM buyer_event_head h, generate_series(1, $2) AS n,
          LATERAL (SELECT * FROM delivery WHERE buyer_key = $1 ORDER BY delivery_id OFFSET n % (SELECT count(*) FROM delivery WHERE buyer_key = $1) LIMIT 1) d
     WHERE h.buyer_key = $1`,
    [partner, 100],
  );
  const rows = Math.ceil(EVENTS / 100);
  await client.query(
    `INSERT INTO buyer_event (buyer_key, number, type, subject_id, at)
     SELECT e.buyer_key, h.last_number + 100 + row_number() OVER (), e.type, e.subject_id, e.at
     FROM buyer_event e JOIN buyer_event_head h USING (buyer_key), generate_series(1, $2)
     WHERE e.buyer_key = $1 AND e.number > h.last_number`,
    [partner, rows],
  );
  await client.query(
    `UPDATE buyer_event_head SET last_number = (SELECT max(number) FROM buyer_event WHERE buyer_key = $1) WHERE buyer_key = $1`,
    [partner],
  );
  await client.query('ANALYZE buyer_event');
  const issued = await run(COMMAND, ['token', 'issue', '--partner', partner, '--json'], workspace.env);
  const { token } = JSON.parse(issued) as { token: string };
  const pool = new Pool(url, { connections: 1, pipelining: 1 });
  let [events, after] = [0, ''];
  const began = performance.now();
  for (let more = true; more;) {
    const { statusCode, body } = await pool.request({
      path: `/api/v1/buyer/events?limit=${EVENTS_PER_PAGE}${after}`,
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await body.json()) as { data: unknown[]; next: string; hasMore: boolean };
    if (statusCode !== 200) throw new Error(`the feed answered ${statusCode}`);
    events += page.data.length;
    after = `&after=${encodeURIComponent(page.next)}`;
    more = page.hasMore;
  }
  const perSecond = events / ((performance.now() - began) / 1000);
  await pool.close();
  return { events, perSecond, selectedPerSecond: await selectAsMany(client, partner) };
}

/** The same rows in pages of the same length, without a service. */
async function selectAsMany(client: Engine['client'], partner: string): Promise<number> {
  let [rows, after] = [0, '0'];
  const began = performance.now();
  for (;;) {
    const page = await client.query<{ number: string }>({
      name: 'feed',
      text: `SELECT e.number, e.type, e.at, d.*, l.fields FROM buyer_event e
             JOIN delivery d ON d.delivery_id = e.subject_id JOIN lead l ON l.lead_id = d.lead_id
             WHERE e.buyer_key = $1 AND e.number > $2 ORDER BY e.number LIMIT $3`,
      values: [partner, after, EVENTS_PER_PAGE],
    });
    rows += page.rows.length;
    const last = page.rows.at(-1);
    if (last === undefined) return rows / ((performance.now() - began) / 1000);
    after = last.number;
  }
}

function describe({ idle, backlog, before, hanging, feed }: Findings): Section {
  const line = (title: string, { leads, p50Ms, p95Ms, p99Ms }: Delays): string[] => [
    title,
    String(leads),
    shown(p50Ms),
    shown(p95Ms),
    shown(p99Ms),
  ];
  return {
    name: 'delivery',
    title: 'Sending',
    notes: [
      'One process, `--role all`, 50 partners with a webhook each at one receiver that answers at once; load generator and receiver share the processors.',
      'Delay is from the moment the supplier has its answer to the moment the whole webhook was read, at the 45 endpoints that never hang.',
      'Five of the 50 hang for 15 s each where it says so.',
    ],
    tables: [
      {
        title: 'From answer to webhook',
        columns: ['', 'leads', 'p50 ms', 'p95 ms', 'p99 ms'],
        rows: [
          line(`idle: ${IDLE.rate} leads/s`, idle),
          line(`${STEADY.rate} leads/s`, before),
          line(`${STEADY.rate} leads/s, five endpoints hanging`, hanging),
          [
            'five hanging, ratio',
            '',
            ...(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((key) => shown(hanging[key] / before[key])),
          ],
        ],
      },
      {
        title: 'A backlog, routed and sent',
        columns: ['', 'deliveries', 'per second'],
        rows: [['received at 50 endpoints', String(backlog.deliveries), shown(backlog.perSecond)]],
      },
      {
        title: 'The feed of events, one reader, 1,000 a page',
        columns: ['', 'events', 'per second'],
        rows: [
          ['GET buyer/events', String(feed.events), shown(feed.perSecond)],
          ['the same rows by SELECT over one connection', '', shown(feed.selectedPerSecond)],
          ['ratio', '', shown(feed.perSecond / feed.selectedPerSecond)],
        ],
      },
    ],
    data: { idle, backlog, before, hanging, feed },
  };
}
