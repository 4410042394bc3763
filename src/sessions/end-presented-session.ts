// Ends the session that a cookie names: at signing out, and when somebody signs in over it (decision 022).
import type { AuditOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { recordSessionEvents } from './session-events.ts';
import { endPresented } from './session.sql.ts';
import { hashSession } from './session.ts';

/** Does nothing where there is no such session, or no more. */
export async function endPresentedSession(
  tx: Tx,
  { secret, origin }: { readonly secret: string; readonly origin: AuditOrigin },
  now: Date,
): Promise<void> {
  const sessions = await tx.query(endPresented, { secretHash: hashSession(secret), now });
  await recordSessionEvents(tx, { action: 'session.ended', sessions, origin }, now);
}
