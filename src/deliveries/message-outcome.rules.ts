// Says what became of a message in one attempt, as the operator's log of messages shows and filters it.
import type { LeadId } from '../base/ids.ts';
import type { AttemptRow } from './attempt-view.rules.ts';
import type { DeliveryStatus } from './delivery.ts';

export type MessageRow = AttemptRow & {
  readonly buyerKey: string;
  readonly leadId: LeadId | null;
  /** Null for the delivery of a lead, and for tests. */
  readonly messageType: string | null;
};

export type MessageDetail = MessageRow & { readonly deliveryStatus: DeliveryStatus | null };

/**
 * `retried`: it failed and is tried again; `failed`: the last attempt of a delivery or test, or one without a result; `dead_letter`: the last
 * attempt at another message; `sending`: a test in progress.
 */
export const messageOutcomes = ['taken', 'retried', 'failed', 'dead_letter', 'sending'] as const;
export type MessageOutcome = (typeof messageOutcomes)[number];

export type Attempted = Pick<MessageRow, 'state' | 'nextAttemptAt' | 'messageType'>;

export function outcomeOf({ state, nextAttemptAt, messageType }: Attempted): MessageOutcome {
  if (state === 'succeeded') return 'taken';
  if (state === 'scheduled') return 'sending';
  if (state === 'exhausted') return messageType === null ? 'failed' : 'dead_letter';
  return nextAttemptAt === null ? 'failed' : 'retried';
}

/** Attempts with these outcomes are in the index of those that were not taken. */
export function isNotTaken(outcome: MessageOutcome | null): boolean {
  return outcome !== null && outcome !== 'taken' && outcome !== 'sending';
}

export type CodeRange = { readonly codeFrom: number; readonly codeTo: number };

/** A response code, a class such as `5xx`, or `none`; null for any other text. */
export function codeRange(text: string): CodeRange | null {
  if (text === 'none') return { codeFrom: 0, codeTo: 0 };
  const [, hundreds, rest] = /^([1-5])(xx|\d{2})$/.exec(text) ?? [];
  if (hundreds === undefined || rest === undefined) return null;
  const first = Number(hundreds) * 100;
  if (rest === 'xx') return { codeFrom: first, codeTo: first + 99 };
  return { codeFrom: first + Number(rest), codeTo: first + Number(rest) };
}
