// Disables endpoints that answered 410 or have failed for a long time, and enables or probes one again when an operator asks for it
// (contract 4.11, 4.12).
import { type BadEndpoint, disableEndpoints as disableAndNotify, enableEndpoint } from '../../buyers/set-endpoint.ts';
import type { Tx } from '../../platform/database/database.ts';
import { countWaiting } from './send.sql.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../../base/outcome.ts';
import type { EndpointKey } from '../../endpoints/breaker.rules.ts';
import { expediteProbe } from '../../endpoints/health.ts';
import { expediteOldestMessage } from '../../messages/message-queue.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { selectEndpointState, expediteOldestJob } from './endpoint-list.sql.ts';

/**
 * Also notifies the partners of the number of waiting deliveries. Waits for the lock on configuration. Endpoints that are disabled already
 * or have a new URL stay unchanged.
 */
export async function disableEndpoints(
  tx: Tx,
  endpoints: ReadonlyArray<Omit<BadEndpoint, 'waiting'>>,
  now: Date,
): Promise<void> {
  const counted: BadEndpoint[] = [];
  // Several attempts in flight may report the same endpoint.
  const distinct = new Map(endpoints.map((endpoint) => [`${endpoint.buyerKey} ${endpoint.webhookUrl}`, endpoint]));
  for (const endpoint of distinct.values()) {
    const [row] = await tx.query(countWaiting, { buyerKey: endpoint.buyerKey, channel: 'webhook' });
    counted.push({ ...endpoint, waiting: row?.waiting ?? 0 });
  }
  await disableAndNotify(tx, counted, now);
}

/** `asked`: a probe is due now. `asked_when_due`: no job waits, so the next one probes the endpoint. */
export type RevivalResult = 'enabled' | 'asked' | 'asked_when_due' | 'was_well';

export type RevivalRequest = {
  readonly endpoint: EndpointKey;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

export async function reviveEndpoint(
  tx: Tx,
  { endpoint, actor, origin }: RevivalRequest,
  now: Date,
): Promise<Outcome<RevivalResult, 'endpoint_not_found'>> {
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
