// The audit events of sessions (decision 022).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { typeId, type SessionId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SessionKind } from './session.ts';

type Whose = { readonly kind: SessionKind; readonly ownerKey: string };
type SessionEvents = {
  readonly action: 'session.opened' | 'session.ended';
  readonly sessions: ReadonlyArray<Whose & { readonly sessionId: SessionId }>;
  /** Where it is not the one whose session it is. */
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
    sessions.map(({ kind, ownerKey, sessionId }) => ({
      at: now,
      actor: actor ?? { type: kind, name: ownerKey },
      ...ownersOf({ kind, ownerKey }),
      action,
      target: typeId('session', sessionId),
      changes: {},
      ...origin,
    })),
  );
}

/** Whose audit trail it belongs to: an operator's own are seen by no partner. */
export function ownersOf({ kind, ownerKey }: Whose): { buyerKey: string | null; supplierKey: string | null } {
  return {
    buyerKey: kind === 'buyer' ? ownerKey : null,
    supplierKey: kind === 'supplier' ? ownerKey : null,
  };
}
