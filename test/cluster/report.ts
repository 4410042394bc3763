// Formats the results of the cluster test for the terminal and for docs/high-availability.md, and compares them with the goals.
import { median } from '../../bench/support/numbers.ts';
import type { Fault } from './faults.ts';
import type { Round } from './rounds.ts';

export type Series = { readonly fault: Fault; readonly rounds: readonly Round[] };

export const COLUMNS = [
  'fault',
  'rounds',
  'acknowledged',
  'lost',
  'doubled',
  'wrong responses',
  '503',
  'no response',
  'webhooks again',
  'without writes',
  'verdict',
  'measured',
] as const;

export function rowOf(series: Series, date: string): string[] {
  const { fault, rounds } = series;
  const sum = (pick: (round: Round) => number): string =>
    rounds.reduce((total, round) => total + pick(round), 0).toLocaleString('en-US');
  const [usual, worst] = pauses(rounds);
  const broken = brokenIn(series).length;
  return [
    fault.title,
    String(rounds.length),
    sum(({ acknowledged }) => acknowledged),
    sum(({ lost }) => lost),
    sum(({ doubled }) => doubled),
    sum(({ wrongResponses }) => wrongResponses),
    sum(({ unavailable }) => unavailable),
    sum(({ unanswered }) => unanswered),
    sum(({ sentAgain }) => sentAgain),
    `${usual.toFixed(1)} / ${worst.toFixed(1)}`,
    broken === 0 ? 'holds' : 'fails',
    date,
  ];
}

/** Every broken promise, in words. `room`: how many times longer than the goals writes may be away, on a busy machine. */
export function brokenIn({ fault, rounds }: Series, room = 1): string[] {
  const failures = rounds.flatMap(({ failures: all }, index) => all.map((one) => `round ${index + 1}: ${one}`));
  const { goal } = fault;
  if (goal === null) return failures;
  const [usual, worst] = pauses(rounds);
  return [
    ...failures,
    ...(usual > goal.median * room ? [`writes were away for ${usual.toFixed(1)} s, more than ${goal.median} s`] : []),
    ...(worst > goal.worst * room
      ? [`writes were away for up to ${worst.toFixed(1)} s, more than ${goal.worst} s`]
      : []),
  ];
}

/** Median and worst, in seconds. */
function pauses(rounds: readonly Round[]): readonly [number, number] {
  const seconds = rounds.map(({ withoutWrites }) => withoutWrites / 1000);
  return [median(seconds), Math.max(...seconds)];
}

export function inWords({ hit, acknowledged, unavailable, unanswered, withoutWrites, failures }: Round): string {
  const verdict = failures.length === 0 ? 'holds' : `FAILS: ${failures.join('; ')}`;
  return `(${hit}) ${acknowledged} acknowledged, ${unavailable} × 503, ${unanswered} without a response, ${(withoutWrites / 1000).toFixed(1)} s without writes: ${verdict}`;
}
