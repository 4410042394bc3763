// The log of messages to suppliers about leads: the result of each message, kept longer than the message itself (contract 5.8).
import { firstIdOf } from '../base/id-time.ts';
import { type LeadId, type Uuid, uuidOf } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { moveCallbacks, purgeCallbacksSql, selectCallbacks, updateCallbacks } from './callback-log.sql.ts';
import type { CallbackState, LoggedCallback } from './message.ts';

export type CallbackResult = Message & {
  readonly state: CallbackState;
  readonly attempts: number;
  readonly responseCode: number | null;
  readonly error: string | null;
};

type Message = {
  readonly messageId: Uuid;
  readonly ownerKind: 'supplier' | 'buyer';
  /** JSON text. */
  readonly data: string;
};

/** Many times the number of events that one lead can have. */
const CALLBACKS_MAX = 100;

export async function logResults(tx: Tx, results: readonly CallbackResult[], now: Date): Promise<void> {
  const known = withLeadIds(results);
  if (known.length === 0) return;
  await tx.query(updateCallbacks, {
    leadIds: known.map(({ leadId }) => leadId),
    messageIds: known.map(({ message }) => message.messageId),
    states: known.map(({ message }) => message.state),
    attempts: known.map(({ message }) => message.attempts),
    responseCodes: known.map(({ message }) => message.responseCode),
    errors: known.map(({ message }) => message.error),
    now,
  });
}

/** For changes without an attempt. `error` null keeps the error of the last attempt. */
export async function logStateChanges(
  tx: Tx,
  messages: readonly Message[],
  { state, error }: { readonly state: CallbackState; readonly error: string | null },
): Promise<void> {
  const known = withLeadIds(messages);
  if (known.length === 0) return;
  await tx.query(moveCallbacks, {
    leadIds: known.map(({ leadId }) => leadId),
    messageIds: known.map(({ message }) => message.messageId),
    state,
    error,
  });
}

/** Oldest first. */
export async function listCallbacks(tx: Tx, supplierKey: string, leadId: LeadId): Promise<LoggedCallback[]> {
  return tx.query(selectCallbacks, { supplierKey, leadId, limit: CALLBACKS_MAX });
}

/** Deletes at most `atOnce` rows about the oldest leads from before `before` (decision 021). Returns how many. */
export async function purgeCallbacks(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeCallbacksSql, { beforeLeadId: firstIdOf(before), limit: atOnce });
  return row?.purged ?? 0;
}

// Not parsed as JSON: a message may have failed because its data is unreadable, and its result must be logged all the same.
const LEAD_ID = /^\{"lead_id":"([^"]+)"/;

/** Reads the lead's id from the data of messages to suppliers; skips other messages. */
function withLeadIds<Of extends Message>(
  messages: readonly Of[],
): Array<{ readonly leadId: LeadId; readonly message: Of }> {
  return messages.flatMap((message) => {
    if (message.ownerKind !== 'supplier') return [];
    const leadId = uuidOf('lead', LEAD_ID.exec(message.data)?.[1] ?? '');
    return leadId === null ? [] : [{ leadId, message }];
  });
}
