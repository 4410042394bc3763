// A callback as its supplier sees it.
import type { Uuid } from '../base/ids.ts';

/**
 * `waiting` for its first attempt or the next one; `delivered`; `failed` for good, until the operator has it sent again; `dropped`, because
 * there is no callback any more.
 */
export type CallbackState = 'waiting' | 'delivered' | 'failed' | 'dropped';

export type LoggedCallback = {
  readonly messageId: Uuid;
  readonly type: string;
  readonly state: CallbackState;
  readonly attempts: number;
  /** Of the last attempt that got an answer. */
  readonly responseCode: number | null;
  readonly error: string | null;
  readonly queuedAt: Date;
  /** When the last attempt ended; null before the first one. */
  readonly triedAt: Date | null;
};
