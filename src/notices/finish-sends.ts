// Records the results of attempts at messages with notices: sent, due again, failed or dropped (contract 12.3). Repeating it changes nothing.
import type { Tx } from '../platform/database/database.ts';
import type { Judgement } from '../platform/outbound/retry.rules.ts';
import { errorOf, type SendOutcome } from '../platform/outbound/send-outcome.ts';
import type { StartedSend } from './begin-sends.ts';
import { endSends, repeatSends } from './notice-send.sql.ts';

export type SendResult = {
  readonly send: StartedSend;
  /** Null if nothing was tried, because the recipient no longer has the channel. */
  readonly outcome: SendOutcome | null;
  readonly judgement: Judgement | { readonly kind: 'dropped' };
};

type RepeatedSend = Pick<SendResult, 'send'> & {
  readonly dueAt: Date;
  readonly steps: number;
  readonly error: string | null;
};

const NO_CHANNEL = 'The recipient no longer has this channel.';

export async function finishSends(
  tx: Tx,
  results: readonly SendResult[],
  now: Date,
): Promise<{ readonly isMoreDue: boolean }> {
  const ended = results.flatMap(({ send, outcome, judgement: { kind } }) => {
    if (kind === 'retry' || kind === 'deferred') return [];
    const state = kind === 'delivered' ? 'sent' : kind;
    const error = kind === 'delivered' ? null : outcome === null ? NO_CHANNEL : errorOf(outcome);
    return [{ send, state, error }];
  });
  const repeated = results.flatMap(({ send, outcome, judgement }): RepeatedSend[] => {
    if (judgement.kind === 'deferred') return [{ send, dueAt: judgement.dueAt, steps: send.job.steps, error: null }];
    if (judgement.kind !== 'retry') return [];
    const { dueAt, steps } = judgement;
    return [{ send, dueAt, steps, error: outcome === null ? null : errorOf(outcome) }];
  });
  if (ended.length > 0) {
    await tx.query(endSends, {
      ...idsOf(ended),
      states: ended.map(({ state }) => state),
      errors: ended.map(({ error }) => error),
      now,
    });
  }
  if (repeated.length > 0) {
    await tx.query(repeatSends, {
      ...idsOf(repeated),
      dueTimes: repeated.map(({ dueAt }) => dueAt),
      steps: repeated.map(({ steps }) => steps),
      errors: repeated.map(({ error }) => error),
    });
  }
  return { isMoreDue: false };
}

function idsOf(results: ReadonlyArray<Pick<SendResult, 'send'>>) {
  return {
    sendIds: results.map(({ send }) => send.sendId),
    leaseIds: results.map(({ send }) => send.leaseId),
  };
}
