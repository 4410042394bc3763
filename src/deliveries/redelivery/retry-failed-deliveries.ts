// Has a partner's failed deliveries sent again, all or those that failed for one reason, so many at a time (contract 7.7).
import type { AuditActor, AuditOrigin } from '../../audit/audit-event.ts';
import type { Uuid } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failedToRetry } from '../console-delivery.sql.ts';
import type { RedeliveryRefusal } from './judge-redelivery.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';
import { requestRedelivery } from './request-redelivery.ts';

export type FailedRetry = {
  readonly buyerKey: string;
  /** As the list shows it; null for all. */
  readonly reason: string | null;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  readonly revive: ReviveDeliveries;
};

export type FailedRetryReport = {
  readonly queued: number;
  readonly skipped: ReadonlyMap<RedeliveryRefusal, number>;
  /** How many were looked at. As many as are at once: there may be more. */
  readonly taken: number;
};

/** Some tenths of a second; whoever has more asks again. */
export const RETRIED_AT_ONCE = 500;
/** Among the last so many failures of the partner. */
const LOOKED_AT_MOST = 10_000;
const LAST_ID: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Those that wait to be sent again already, or were taken meanwhile, are not among them. */
export async function retryFailedDeliveries(
  tx: Tx,
  { buyerKey, reason, actor, origin, revive }: FailedRetry,
  now: Date,
): Promise<FailedRetryReport> {
  const rows = await tx.query(failedToRetry, {
    after: LAST_ID,
    limit: LOOKED_AT_MOST,
    buyerKey,
    reason,
    atOnce: RETRIED_AT_ONCE,
  });
  const deliveryIds = rows.map((row) => row.deliveryId);
  const report = await requestRedelivery(tx, { deliveryIds, buyerKey: null, actor, origin, revive }, now);
  const skipped = new Map<RedeliveryRefusal, number>();
  for (const { reason: why } of report.skipped) skipped.set(why, (skipped.get(why) ?? 0) + 1);
  return { queued: report.queued.length, skipped, taken: rows.length };
}
