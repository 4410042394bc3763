// Erases leads from deliveries: stops their send jobs, and deletes response texts, references of partners and search terms (decision 021).
import { type LeadId, typeId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { deleteMailAbout } from '../../platform/outbound/mail/kept-mail.ts';
import { deliveryRef, type DeliveryOfErased } from '../delivery.ts';
import { logLostAttempts } from '../../endpoints/log-attempts.ts';
import { attemptsInProgress } from '../attempt-log.sql.ts';
import { runningAttempt } from '../attempt-view.rules.ts';
import {
  dropSendings,
  eraseAttempts,
  eraseReferences,
  keepConsents,
  lockDeliveriesOfLeads,
  lockSendings,
} from './erasure.sql.ts';
import { failDeliveries } from '../settle-deliveries.ts';
import { deleteTerms } from '../search/search.sql.ts';

/**
 * Deletes the send jobs, and logs attempts in progress as erased. Pending deliveries fail: with certainty if no attempt can have arrived, and
 * then the lead is in the routing inbox again, from which the caller removes it. Locks in the order in which workers finish attempts: send
 * jobs, deliveries, then the rows that `failDeliveries` locks, leads last. The locks last until the transaction ends.
 */
export async function stopSendings(
  tx: Tx,
  leadIds: readonly LeadId[],
  now: Date,
): Promise<readonly DeliveryOfErased[]> {
  await tx.query(lockSendings, { leadIds });
  const deliveries = await tx.query(lockDeliveriesOfLeads, { leadIds });
  if (deliveries.length === 0) return [];
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  const running = await tx.query(attemptsInProgress, { deliveryIds, buyerKey: null });
  const dropped = await tx.query(dropSendings, { deliveryIds });
  logLostAttempts(
    tx,
    running.map(runningAttempt).map(({ attempt: number, at: startedAt, ...row }) => ({ ...row, number, startedAt })),
    'erased',
  );
  const uncertain = new Map(
    dropped.filter(({ purpose }) => purpose === 'sale').map((job) => [job.deliveryId, job.uncertain]),
  );
  const pending = deliveries.filter(({ status }) => status === 'Pending');
  await failDeliveries(
    tx,
    pending.map(({ deliveryId }) => ({ deliveryId, certain: uncertain.get(deliveryId) === 0 })),
    now,
  );
  return deliveries;
}

/**
 * Call it last, because workers hold attempts while they wait for deliveries. `consents` is the JSON text of ConsentFacts by lead, which
 * partners can still read.
 */
export async function eraseTraces(
  tx: Tx,
  deliveries: readonly DeliveryOfErased[],
  consents: ReadonlyMap<LeadId, string>,
): Promise<void> {
  if (deliveries.length === 0) return;
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  await tx.query(keepConsents, { leadIds: [...consents.keys()], consents: [...consents.values()], deliveryIds });
  await tx.query(deleteTerms, { deliveryIds });
  await tx.query(eraseAttempts, { deliveryIds });
  await tx.query(eraseReferences, { deliveryIds });
  await deleteMailAbout(
    tx,
    deliveries.flatMap(({ deliveryId, eventType, refNumber }) => [
      typeId('delivery', deliveryId),
      deliveryRef(eventType, refNumber),
    ]),
  );
}
