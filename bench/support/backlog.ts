// Creates backlogs of accepted leads through the API, and has worker processes work them off.
import { type Layout, placePostgres, sharedCores } from './layout.ts';
import { applyLoad } from './load.ts';
import { states } from './market.ts';
import { postgresPids, processorMs } from './proc.ts';
import { asExternal, countOf, type Engine, type Workspace, startService, untilEmpty } from './service.ts';
import { sized } from './size.ts';

const CONNECTIONS = sized(64, 4);
const PATIENCE_SECONDS = 120;

export type WorkedOff = {
  readonly leads: number;
  readonly perSecond: number;
  /** Processor time per lead. */
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  /** False where it took longer than anybody would wait. */
  readonly finished: boolean;
};

/** Returns how many leads a process with `--role api` accepted per second while it only accepted. */
export async function makeBacklog(workspace: Workspace, seconds: number): Promise<number> {
  const loader = await startService(workspace, 'api');
  const { perSecond } = await applyLoad(loader, { connections: CONNECTIONS, seconds });
  await loader.stop();
  return perSecond;
}

/** Spreads the leads over all states. The rows are rewritten, so that the next query finds the table as after an insert. */
export async function spreadOverStates({ client }: Engine): Promise<void> {
  await client.query(
    `UPDATE lead SET fields = regexp_replace(fields, '"state":"[A-Z]{2}"', '"state":"' || ($1::text[])[1 + (hashtext(lead_id::text) & 1023) % $2] || '"')
     WHERE state = 'received'`,
    [states, states.length],
  );
  await client.query('VACUUM FULL lead');
}

export type Workforce = { readonly workers: number; readonly layout?: Layout };

export async function workOff(
  workspace: Workspace,
  engine: Engine,
  { workers, layout = sharedCores }: Workforce,
): Promise<WorkedOff> {
  const moveBack = await placePostgres(workspace.dataDir, layout.postgres);
  const { client } = engine;
  const external = asExternal(workspace, engine);
  const started = await Promise.all(
    Array.from({ length: workers }, (_, index) => startService(external, 'worker', layout.workers[index])),
  );
  const spent = (): readonly [number, number] => [
    processorMs(started.map(({ pid }) => pid)),
    processorMs(postgresPids(workspace.dataDir)),
  ];
  const [leads, began, before] = [await countOf(client, 'routing_inbox'), performance.now(), spent()];
  const finished = await untilEmpty(client, 'routing_inbox', PATIENCE_SECONDS);
  const [seconds, after] = [(performance.now() - began) / 1000, spent()];
  await Promise.all(started.map((worker) => worker.stop()));
  await moveBack();
  const microsPerLead = (index: 0 | 1): number => ((after[index] - before[index]) * 1000) / leads;
  return {
    leads,
    perSecond: leads / seconds,
    nodeMicros: microsPerLead(0),
    postgresMicros: microsPerLead(1),
    finished,
  };
}
