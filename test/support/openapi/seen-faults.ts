// Records what a test file has seen of the API: the number of responses, and their faults by the OpenAPI document.

import type { ExchangeJudge } from './exchange-judge.ts';

/** How the file under test compares its responses and messages; null before it has started an API. */
export const watching: { judge: ExchangeJudge | null; hasOwnForms: boolean; isMadeUp: boolean } = {
  judge: null,
  hasOwnForms: false,
  isMadeUp: false,
};

const faults: string[] = [];
const responded = new Map<string, Set<number>>();
let messages = 0;

/** Files share a process: the requests and results of one file do not affect the next. */
export function beginFile(): void {
  Object.assign(watching, { judge: null, hasOwnForms: false, isMadeUp: false });
  faults.length = 0;
  responded.clear();
  messages = 0;
}

export function noteResponse(operationId: string | null, status: number, wrong: readonly string[]): void {
  if (operationId !== null) responded.set(operationId, (responded.get(operationId) ?? new Set()).add(status));
  faults.push(...wrong);
}

export function noteMessage(wrong: readonly string[]): void {
  messages += 1;
  faults.push(...wrong);
}

/** The received statuses by the ids of the operations. */
export function responsesSeen(): ReadonlyMap<string, ReadonlySet<number>> {
  return responded;
}

export function messagesSeen(): number {
  return messages;
}

/** Each fault is reported once. */
export function takeFaults(): string[] {
  return [...new Set(faults.splice(0))];
}

// More faults would hide the first ones, which usually explain all.
const REPORTED_AT_MOST = 5;

/** Throws if a fault was recorded since the last call. */
export function failOnFaults(): void {
  const found = takeFaults();
  if (found.length === 0) return;
  const more = found.length > REPORTED_AT_MOST ? [`and ${found.length - REPORTED_AT_MOST} more`] : [];
  const seen = [...found.slice(0, REPORTED_AT_MOST), ...more].join('\n  ');
  throw new Error(`The service and its OpenAPI document disagree:\n  ${seen}`);
}
