// The log of messages to suppliers about leads: keeps the result of each, beyond the message itself (contract 5.8).
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

/** More callbacks about one lead than it can have events many times over. */
const MOST = 100;

export async function logResults(tx: Tx, results: readonly CallbackResult[], now: Date): Promise<void> {
  const known = ofLeads(results);
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

/** Without an attempt. `error` null leaves the one of the last attempt. */
export async function logMoves(
  tx: Tx,
  messages: readonly Message[],
  { state, error }: { readonly state: CallbackState; readonly error: string | null },
): Promise<void> {
  const known = ofLeads(messages);
  if (known.length === 0) return;
  await tx.query(moveCallbacks, {
    leadIds: known.map(({ leadId }) => leadId),
    messageIds: known.map(({ message }) => message.messageId),
    state,
    error,
  });
}

/** Oldest first. */
export async function callbacksOfLead(tx: Tx, supplierKey: string, leadId: LeadId): Promise<LoggedCallback[]> {
  return tx.query(selectCallbacks, { supplierKey, leadId, limit: MOST });
}

/** Deletes the log of the oldest leads that came before then, `atOnce` of them at most (decision 021). Returns how many rows they had. */
export async function purgeCallbacks(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeCallbacksSql, { beforeLeadId: firstIdOf(before), limit: atOnce });
  return row?.purged ?? 0;
}

// Not parsed: data that cannot be read is why some message failed, and its result has to be written down all the same.
const LEAD_ID = /^\{"lead_id":"([^"]+)"/;

/** Reads the lead from the message, where its receiver reads it. */
function ofLeads<Of extends Message>(
  messages: readonly Of[],
): Array<{ readonly leadId: LeadId; readonly message: Of }> {
  return messages.flatMap((message) => {
    if (message.ownerKind !== 'supplier') return [];
    const leadId = uuidOf('lead', LEAD_ID.exec(message.data)?.[1] ?? '');
    return leadId === null ? [] : [{ leadId, message }];
  });
}
