// Reads the timeline of a partner's delivery: its events as sentences, and every attempt (contract 6.13).
import { readAuditAbout } from '../../audit/read-audit.ts';
import { type DeliveryId, typeId } from '../../base/ids.ts';
import { readDeliveryEntries } from '../../ledger/entries.ts';
import type { Tx } from '../../platform/database/database.ts';
import { attemptsInProgress, attemptsOfDelivery } from '../attempt-log.sql.ts';
import type { AttemptView } from '../attempt.schema.ts';
import { attemptView, runningAttempt, withRunning } from '../attempt-view.rules.ts';
import { deliveryRef, type DeliveryStatus } from '../delivery.ts';
import { type TimelineEvent, timelineEvents } from './timeline.rules.ts';
import { selectLife } from './timeline.sql.ts';

export type Timeline = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly status: DeliveryStatus;
  readonly events: readonly TimelineEvent[];
  readonly attempts: readonly AttemptView[];
};

const ACTIONS = ['delivery.redelivery_requested', 'endpoint.disabled', 'endpoint.enabled'];
/** Far more audit events than a delivery normally has; after very many redeliveries only the first ones are shown. */
const MENTIONS = 500;

/** Null if the partner has no such delivery. */
export async function readTimeline(
  tx: Tx,
  { buyerKey, deliveryId, currency }: { buyerKey: string; deliveryId: DeliveryId; currency: string },
): Promise<Timeline | null> {
  const [life] = await tx.query(selectLife, { buyerKey, deliveryId });
  if (life === undefined) return null;
  const id = typeId('delivery', deliveryId);
  const logged = await tx.query(attemptsOfDelivery, { buyerKey, deliveryId });
  const running = await tx.query(attemptsInProgress, { deliveryIds: [deliveryId], buyerKey });
  const attempts = withRunning(logged, running.map(runningAttempt));
  const topic = { after: deliveryId, targets: [id, buyerKey], actions: ACTIONS, limit: MENTIONS };
  const mentions = await readAuditAbout(tx, buyerKey, topic);
  const entries = await readDeliveryEntries(tx, deliveryId);
  return {
    deliveryId: id,
    deliveryRef: deliveryRef(life.eventType, life.refNumber),
    status: life.status,
    events: timelineEvents({ life, attempts, entries, currency, mentions }),
    attempts: attempts.map(attemptView),
  };
}
