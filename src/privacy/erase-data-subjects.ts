// Erases the personal data of leads everywhere in the service, in one transaction (decision 021). Accounts, deliveries, claims with their
// money and counts stay, and so does the proof of consent, which contains no name.
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { type LeadId, typeId } from '../base/ids.ts';
import { eraseClaims } from '../claims/erase-claims.ts';
import { eraseTraces, stopSendings } from '../deliveries/erasure/erase-deliveries.ts';
import { consentFactsText } from '../leads/consent-proof.rules.ts';
import { eraseLeads, lockLeadsToErase } from '../leads/erase-leads.ts';
import { withdrawLeads } from '../leads/inbox.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { settleLeads } from '../leads/settle-leads.ts';
import { readPersonPepper } from '../marketplace/stored-settings.ts';
import { rewriteMessages } from '../messages/message-queue.ts';
import type { Tx } from '../platform/database/database.ts';
import { deleteResponsesThatName } from '../platform/http/idempotency.ts';
import { dropDeadJobs } from '../platform/queue/dead-jobs.ts';
import { queueCallbacks } from '../suppliers/queue-callbacks.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { DeliveryOfErased } from '../deliveries/delivery.ts';
import type { LeadToErase } from '../leads/stored-lead.ts';

export type Erasure = {
  readonly leadIds: readonly LeadId[];
  /** Null writes no audit event, for retention, which writes one event for many leads. */
  readonly audit: { readonly actor: AuditActor; readonly reason: string | null; readonly origin?: AuditOrigin } | null;
};

export type ErasedLead = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  /** Whether it had been erased before; data added since then is erased now. */
  readonly isRepeat: boolean;
  /** Deliveries, with their current status, to partners that hold a copy. */
  readonly deliveries: readonly DeliveryOfErased[];
};

/**
 * Skips leads that do not exist. Safe to repeat, and beside workers: a lead that waits for routing is rejected (`erased`), a pending
 * delivery fails, and the response of an attempt in flight is not stored. Locks in the order of finishing attempts: the inbox, sendings,
 * deliveries, what failing a delivery locks, the leads, claims, messages, attempts. If a deadlock happens all the same, the database
 * aborts one of the two transactions, which is then repeated.
 */
export async function eraseDataSubjects(tx: Tx, { leadIds, audit }: Erasure, now: Date): Promise<ErasedLead[]> {
  await withdrawLeads(tx, leadIds);
  const deliveries = await stopSendings(tx, leadIds, now);
  const leads = await lockLeadsToErase(tx, leadIds);
  // Leads that a failed delivery has just put back into the inbox.
  await withdrawLeads(tx, leadIds);
  await dropDeadJobs(tx, 'route-lead', { member: 'leadId', values: leadIds });
  const open = leads.filter(({ state }) => state === 'received' || state === 'held');
  await reject(tx, open, now);
  const pepper = await readPersonPepper(tx);
  const externalIds = await eraseLeads(tx, { leads, pepper }, now);
  await eraseRelatedData(tx, { leads, deliveries, externalIds });
  await notifySuppliers(tx, { open, externalIds }, now);
  const erased = leads.map((lead) => erasedLead(lead, deliveries));
  if (audit !== null) await record(tx, erased, audit, now);
  return erased;
}

async function reject(tx: Tx, leads: readonly LeadToErase[], now: Date): Promise<void> {
  await settleLeads(
    tx,
    leads.map(({ leadId, publicStatus }) => ({
      leadId,
      from: publicStatus,
      state: 'rejected',
      publicStatus: 'No Buyer',
      reason: 'erased',
    })),
    now,
  );
}

type RelatedData = {
  readonly leads: readonly LeadToErase[];
  readonly deliveries: readonly DeliveryOfErased[];
  readonly externalIds: ReadonlyMap<LeadId, string | null>;
};

async function eraseRelatedData(tx: Tx, { leads, deliveries, externalIds }: RelatedData): Promise<void> {
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  await eraseClaims(tx, deliveryIds);
  await deleteResponsesThatName(
    tx,
    deliveryIds.map((deliveryId) => typeId('delivery', deliveryId)),
  );
  const renamed = new Map(
    leads.flatMap(({ leadId, externalId }) => {
      const after = externalIds.get(leadId) ?? null;
      return after === externalId ? [] : [[typeId('lead', leadId), after] as const];
    }),
  );
  if (renamed.size > 0) {
    await rewriteMessages(tx, {
      deliveryIds: [],
      leads: [...renamed.keys()],
      change: (data) => {
        const name = renamed.get(String(data['lead_id']));
        return name === undefined ? data : { ...data, external_id: name };
      },
    });
  }
  const consents = leads.flatMap(({ leadId, fields }) =>
    fields === null ? [] : [[leadId, consentFactsText(JSON.parse(fields) as LeadFields)] as const],
  );
  await eraseTraces(tx, deliveries, new Map(consents));
}

/** Notifies suppliers of accepted leads that end without a sale, as for any other reason (contract 5.8). */
async function notifySuppliers(
  tx: Tx,
  { open, externalIds }: { open: readonly LeadToErase[]; externalIds: RelatedData['externalIds'] },
  now: Date,
): Promise<void> {
  const real = open.filter(({ isTest }) => !isTest);
  if (real.length === 0) return;
  const news = real.flatMap(({ leadId, supplierKey }) =>
    (['lead.rejected', 'lead.processing_error'] as const).map((type) => ({
      supplierKey,
      type,
      leadId,
      externalId: externalIds.get(leadId) ?? null,
      status: 'No Buyer',
      reason: 'erased',
    })),
  );
  await queueCallbacks(tx, { notices: news, suppliers: await readSuppliers(tx) }, now);
}

function erasedLead(
  { leadId, supplierKey, erasedAt }: LeadToErase,
  deliveries: readonly DeliveryOfErased[],
): ErasedLead {
  return {
    leadId,
    supplierKey,
    isRepeat: erasedAt !== null,
    deliveries: deliveries
      .filter((delivery) => delivery.leadId === leadId)
      .map((delivery) => ({ ...delivery, status: delivery.status === 'Pending' ? 'Failed' : delivery.status })),
  };
}

/** One event per lead for the operator, and one per delivery for the partner, which holds a copy. */
async function record(
  tx: Tx,
  erased: readonly ErasedLead[],
  { actor, reason, origin = noOrigin }: NonNullable<Erasure['audit']>,
  now: Date,
): Promise<void> {
  const common = { at: now, actor, supplierKey: null, changes: {}, ...origin };
  await appendAudit(
    tx,
    erased
      .filter(({ isRepeat }) => !isRepeat)
      .flatMap(({ leadId, supplierKey, deliveries }) => [
        {
          ...common,
          buyerKey: null,
          supplierKey,
          action: 'lead.erased',
          target: typeId('lead', leadId),
          changes: reason === null ? {} : { reason: { from: null, to: reason } },
        },
        ...deliveries.map(({ deliveryId, buyerKey }) => ({
          ...common,
          buyerKey,
          action: 'delivery.erased',
          target: typeId('delivery', deliveryId),
        })),
      ]),
  );
}
