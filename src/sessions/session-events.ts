// Writes the audit events of sessions (decision 022).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { type SessionId, typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SessionKind } from './session.ts';

type Owner = { readonly kind: SessionKind; readonly ownerKey: string };
type SessionEvents = {
  readonly action: 'session.opened' | 'session.ended';
  /** `userEmail` of a user's session. */
  readonly sessions: ReadonlyArray<Owner & { readonly sessionId: SessionId; readonly userEmail?: string | null }>;
  /** If it is neither the owner nor the user of the session. */
  readonly actor?: AuditActor;
  readonly origin: AuditOrigin;
};

export async function recordSessionEvents(
  tx: Tx,
  { action, sessions, actor, origin }: SessionEvents,
  now: Date,
): Promise<void> {
  await appendAudit(
    tx,
    sessions.map(({ kind, ownerKey, sessionId, userEmail }) => ({
      at: now,
      actor: actor ?? { type: kind, name: userEmail ?? ownerKey },
      ...ownersOf({ kind, ownerKey }),
      action,
      target: typeId('session', sessionId),
      changes: {},
      ...origin,
    })),
  );
}

/** The partner in whose audit log the event appears; an operator's events appear in none. */
export function ownersOf({ kind, ownerKey }: Owner): { buyerKey: string | null; supplierKey: string | null } {
  return {
    buyerKey: kind === 'buyer' ? ownerKey : null,
    supplierKey: kind === 'supplier' ? ownerKey : null,
  };
}
