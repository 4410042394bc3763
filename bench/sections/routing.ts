// Routing alone: a backlog worked off by a process that only works, with partners who only read the API.
import { applyLoad } from '../support/load.ts';
import { shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import type { Section } from '../support/report.ts';
import { countOf, holdEngine, makePlace, removePlace, startService, untilEmpty } from '../support/service.ts';

const LOAD = { connections: 64, seconds: 8 };
const PATIENCE_SECONDS = 120;

export async function measureRouting({ directory, progress }: BenchOptions): Promise<Section> {
  const place = await makePlace(directory, null);
  const engine = await holdEngine(place);
  const loader = await startService(place, 'api');
  await applyLoad(loader, LOAD);
  await loader.stop();
  const waiting = await countOf(engine.client, 'routing_inbox');
  progress(`routing: ${waiting} leads wait`);
  const worker = await startService(place, 'worker');
  const [leads, began] = [await countOf(engine.client, 'routing_inbox'), performance.now()];
  const before = [processorMs([worker.pid]), processorMs(postgresPids(place.dataDir))] as const;
  const finished = await untilEmpty(engine.client, 'routing_inbox', PATIENCE_SECONDS);
  const seconds = (performance.now() - began) / 1000;
  const after = [processorMs([worker.pid]), processorMs(postgresPids(place.dataDir))] as const;
  await worker.stop();
  await engine.release();
  removePlace(place);
  const [nodeMicros, postgresMicros] = after.map((ms, index) => ((ms - (before[index] ?? 0)) * 1000) / leads) as [
    number,
    number,
  ];
  return {
    name: 'routing',
    title: 'Routing alone',
    notes: [
      'Ten partners without a push channel, each with one offer with filters and caps; nothing is sent, each delivery is confirmed at once.',
      finished ? '' : `The backlog was not worked off within ${PATIENCE_SECONDS} s.`,
    ],
    tables: [
      {
        title: `A backlog of ${leads.toLocaleString('en-US')} leads`,
        columns: ['leads per second', 'Node, µs of processor per lead', 'PostgreSQL, µs of processor per lead'],
        rows: [[shown(leads / seconds), shown(nodeMicros), shown(postgresMicros)]],
      },
    ],
    data: { leads, seconds, nodeMicros, postgresMicros },
  };
}
