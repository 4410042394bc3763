// Sends leads as fast as a number of connections can, with wrk if installed, else with a program of this folder.
import { join } from 'node:path';

import { leadTemplate, newRun } from './lead-body.ts';
import { hasCommand, run, startPeer } from './processes.ts';
import { IS_TINY } from './size.ts';

export type Target = { readonly url: string; readonly key: string };
export type Load = { readonly connections: number; readonly seconds: number };

export type LoadResult = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 202, and requests without one. */
  readonly failed: number;
};

/** One lead with its times, in microseconds of the machine's monotonic clock. */
export type SentLead = { readonly number: number; readonly answeredAt: number };

export type SenderOrder = Target & {
  readonly run: string;
  readonly first: number;
  readonly connections: number;
  readonly seconds: number;
  /** Leads per second; null for as many as go. */
  readonly rate: number | null;
};
export type SenderReport = LoadResult & { readonly sent: readonly SentLead[] };

/** Leads per second: few, so that the rest of a section has little to do. */
const TINY_RATE = 60;
// More than any machine can accept per second over loopback, so that two runs never send the same contact.
const MOST_PER_SECOND = 60_000;

export async function applyLoad(target: Target, load: Load): Promise<LoadResult> {
  if (IS_TINY || !(await hasCommand('wrk'))) {
    const { perSecond, p50Ms, p99Ms, failed } = await sendAndRecord(target, { ...load, rate: null });
    return { perSecond, p50Ms, p99Ms, failed };
  }
  const { run: runId, first } = newRun(load.seconds * MOST_PER_SECOND);
  const output = await run(
    'wrk',
    [
      ...[
        '--threads',
        '1',
        '--connections',
        String(load.connections),
        '--duration',
        `${load.seconds}s`,
        '--timeout',
        '10s',
      ],
      ...['--latency', '--script', join(import.meta.dirname, 'wrk-lead.lua'), target.url],
    ],
    { LEAD_KEY: target.key, LEAD_RUN: runId, LEAD_FIRST: String(first), LEAD_TEMPLATE: leadTemplate },
  );
  const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{}') as Record<string, number>;
  const { answered = 0, micros = Number.NaN, p50 = Number.NaN, p99 = Number.NaN, failed = 0 } = result;
  return { perSecond: (answered / micros) * 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000, failed };
}

/** Slower than wrk and on the same processors, but it reports the time of each response. */
export async function sendAndRecord(
  target: Target,
  { connections, seconds, rate: wanted }: Load & { readonly rate: number | null },
): Promise<SenderReport> {
  const rate = IS_TINY ? Math.min(wanted ?? TINY_RATE, TINY_RATE) : wanted;
  const numbers = newRun(seconds * (rate ?? MOST_PER_SECOND));
  const { url, key } = target;
  const order: SenderOrder = { url, key, ...numbers, connections, seconds, rate };
  const sender = startPeer(join(import.meta.dirname, '../lead-sender.ts'));
  const report = await new Promise<SenderReport>((resolve, reject) => {
    sender.child.once('message', (message) => resolve(message as SenderReport));
    sender.child.once('exit', () => reject(new Error('the sender ended without a report')));
    sender.child.send(order);
  });
  await sender.stop();
  return report;
}
