// Ends the sending of leads that are being erased, and takes out of the log what answers may have quoted, and the terms under which their
// deliveries were found (decision 021).
import { type LeadId, typeId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { deleteMailAbout } from '../../platform/outbound/mail/kept-mail.ts';
import { deliveryRef, type DeliveryOfErased } from '../delivery.ts';
import { dropSendings, eraseAttempts, keepConsents, lockDeliveriesOfLeads, lockSendings } from './erasure.sql.ts';
import { failDeliveries } from '../settle-deliveries.ts';
import { deleteTerms } from '../search/search.sql.ts';

/**
 * Nothing is sent any more. A delivery that was pending has failed: for certain where no attempt can have arrived, and then its lead is
 * in the routing inbox again, from which the caller takes it. Locks in the order in which workers finish attempts: sendings,
 * deliveries, then what failing locks, the leads last. They stay locked until the transaction ends.
 */
export async function stopSendings(
  tx: Tx,
  leadIds: readonly LeadId[],
  now: Date,
): Promise<readonly DeliveryOfErased[]> {
  await tx.query(lockSendings, { leadIds });
  const deliveries = await tx.query(lockDeliveriesOfLeads, { leadIds });
  if (deliveries.length === 0) return [];
  const dropped = await tx.query(dropSendings, { deliveryIds: deliveries.map(({ deliveryId }) => deliveryId) });
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
 * To be called last, as attempts are what workers hold while they wait for deliveries. `consents` has JSON of ConsentFacts by lead, for the
 * partners to go on reading.
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
  await deleteMailAbout(
    tx,
    deliveries.flatMap(({ deliveryId, eventType, refNumber }) => [
      typeId('delivery', deliveryId),
      deliveryRef(eventType, refNumber),
    ]),
  );
}
