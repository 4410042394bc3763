// Sends leads and follows them until the partners' webhooks: rates, delays, and processor time per lead.
import type { Arrival } from '../webhook-receiver.ts';
import { type Load, sendAndRecord, type SenderReport, type Target } from './load.ts';
import { percentile } from './numbers.ts';
import { postgresPids, processorMs } from './proc.ts';
import type { Receiver } from './receiver.ts';
import type { Workspace } from './service.ts';

export type Journey = {
  readonly acceptedPerSecond: number;
  /** From the first response to the last webhook. */
  readonly deliveredPerSecond: number;
  /** From the response to the whole webhook. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly leads: number;
  readonly notReceived: number;
  readonly failed: number;
  /** Microseconds of processor time per lead, until all webhooks are confirmed. */
  readonly nodeMicros: number;
  readonly postgresMicros: number;
};

export type JourneyStage = {
  readonly target: Target;
  /** The processes of the service. */
  readonly pids: readonly number[];
  readonly workspace: Workspace;
  readonly receiver: Receiver;
  readonly untilDone: () => Promise<void>;
};

export async function measureJourney(
  { target, pids, workspace, receiver, untilDone }: JourneyStage,
  load: Load & { readonly rate: number | null },
): Promise<Journey> {
  const spent = (): readonly [number, number] => [processorMs(pids), processorMs(postgresPids(workspace.dataDir))];
  const before = spent();
  const report = await sendAndRecord(target, load);
  await untilDone();
  const after = spent();
  const micros = (index: 0 | 1): number => ((after[index] - before[index]) * 1000) / report.sent.length;
  return { ...joined(report, await receiver.takeArrivals()), nodeMicros: micros(0), postgresMicros: micros(1) };
}

function joined(report: SenderReport, arrivals: readonly Arrival[]): Omit<Journey, 'nodeMicros' | 'postgresMicros'> {
  const arrivedAt = new Map(arrivals.map((arrival) => [arrival.number, arrival.arrivedAt]));
  const delays = report.sent.flatMap(({ number, answeredAt }) => {
    const arrived = arrivedAt.get(number);
    return arrived === undefined ? [] : [(arrived - answeredAt) / 1000];
  });
  const answered = report.sent.map((lead) => lead.answeredAt);
  const span = (Math.max(...arrivals.map((arrival) => arrival.arrivedAt)) - Math.min(...answered)) / 1e6;
  return {
    acceptedPerSecond: report.perSecond,
    deliveredPerSecond: delays.length / span,
    p50Ms: percentile(delays, 50),
    p99Ms: percentile(delays, 99),
    leads: report.sent.length,
    notReceived: report.sent.length - delays.length,
    failed: report.failed,
  };
}
