// Enables an endpoint again, or has its next probe made at once, when an operator asks for it (contract 4.11, 4.12).
import { appendAudit } from '../../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../../base/outcome.ts';
import { enableEndpoint } from '../../buyers/set-endpoint.ts';
import type { EndpointKey } from '../../endpoints/breaker.rules.ts';
import { expediteProbe } from '../../endpoints/expedite-probe.ts';
import { expediteOldestMessage } from '../../messages/expedite-oldest-message.ts';
import type { Tx } from '../../platform/database/database.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { selectEndpointState, expediteOldestJob } from '../console-endpoint.sql.ts';

/** `asked_when_due`: nothing waits for it, so the next job probes it. */
export type Revival = 'enabled' | 'asked' | 'asked_when_due' | 'was_well';

export type RevivalRequest = {
  readonly endpoint: EndpointKey;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

export async function reviveEndpoint(
  tx: Tx,
  { endpoint, actor, origin }: RevivalRequest,
  now: Date,
): Promise<Outcome<Revival, 'endpoint_not_found'>> {
  const { ownerKind, ownerKey, channel } = endpoint;
  const [endpointRow] = await tx.query(selectEndpointState, { ownerKind, ownerKey, channel });
  if (endpointRow === undefined) return refuse('endpoint_not_found');
  if (endpointRow.isDisabled) {
    const enabled = await enableEndpoint(tx, { buyerKey: ownerKey, actor, origin }, now);
    return enabled.ok ? done('enabled') : refuse('endpoint_not_found');
  }
  if (!(await expediteProbe(tx, endpoint, now))) return done('was_well');
  const isBuyer = ownerKind === 'buyer';
  const jobs = isBuyer ? await tx.query(expediteOldestJob, { ownerKey, channel, dueAt: dueAtOnce(now) }) : [];
  const isAsked = jobs.length > 0 || (await expediteOldestMessage(tx, endpoint, now));
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey: isBuyer ? ownerKey : null,
      supplierKey: isBuyer ? null : ownerKey,
      action: 'endpoint.probe_requested',
      target: `${ownerKey} ${channel}`,
      changes: {},
      ...origin,
    },
  ]);
  return done(isAsked ? 'asked' : 'asked_when_due');
}
