// What an operator can do for an endpoint: put it into use again, or have it asked at once whether it is back (contract 4.11, 4.12).
import { appendAudit } from '../../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../../base/outcome.ts';
import { enableEndpoint } from '../../buyers/set-endpoint.ts';
import type { EndpointKey } from '../../endpoints/breaker.rules.ts';
import { hurryProbe } from '../../endpoints/hurry-probe.ts';
import { hurryOldestMessage } from '../../messages/hurry-oldest-message.ts';
import type { Tx } from '../../platform/database/database.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { endpointStanding, hurryOldestJob } from '../console-endpoint.sql.ts';

/** `asked_when_due`: nothing waits for it, so that whatever comes next asks it. */
export type Revival = 'enabled' | 'asked' | 'asked_when_due' | 'was_well';

export type RevivalWish = { readonly endpoint: EndpointKey; readonly actor: AuditActor; readonly origin: AuditOrigin };

export async function reviveEndpoint(
  tx: Tx,
  { endpoint, actor, origin }: RevivalWish,
  now: Date,
): Promise<Outcome<Revival, 'endpoint_not_found'>> {
  const { ownerKind, ownerKey, channel } = endpoint;
  const [standing] = await tx.query<{ isDisabled: boolean; isBroken: boolean }>(endpointStanding, [
    ownerKind,
    ownerKey,
    channel,
  ]);
  if (standing === undefined) return refuse('endpoint_not_found');
  if (standing.isDisabled) {
    const enabled = await enableEndpoint(tx, { buyerKey: ownerKey, actor, origin }, now);
    return enabled.ok ? done('enabled') : refuse('endpoint_not_found');
  }
  if (!(await hurryProbe(tx, endpoint, now))) return done('was_well');
  const isBuyer = ownerKind === 'buyer';
  const jobs = isBuyer ? await tx.query(hurryOldestJob, [ownerKey, channel, dueAtOnce(now)]) : [];
  const carries = jobs.length > 0 || (await hurryOldestMessage(tx, endpoint, now));
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
  return done(carries ? 'asked' : 'asked_when_due');
}
