// Reads the decisions of a window with their leads and deliveries in batches of some hundreds, so that memory does not grow with history.
import type { LeadId } from '../base/ids.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import { EVERY_BUYER, type IdentityHash } from '../leads/identity.rules.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Tx } from '../platform/database/database.ts';
import type { ListHit } from '../lists/list-hits.rules.ts';
import type { ListKind } from '../lists/list.ts';
import { lookUpLeads } from '../lists/look-up.ts';
import { factsOf, type LeadToRoute } from '../routing/lead-facts.ts';
import type { Offer } from '../routing/offer.ts';
import type { StoredTrace } from '../routing/trace.rules.ts';
import type { PastDecision, PastDelivery, PastLead } from './past.ts';
import {
  nextDecisions,
  openDecisions,
  selectDecisions,
  selectDeliveries,
  selectLeads,
  selectIdentities,
  type DecisionRow,
  type DeliveryRow,
  type LeadRow,
} from './simulation.sql.ts';

/** Data needed to interpret the rows. */
export type Reading = {
  readonly from: Date;
  readonly personPepper: Buffer;
  /** The current offers: a failed delivery no longer shows whether it was sold exclusively. */
  readonly offers: ReadonlyMap<string, Offer>;
  /** The kinds of all lists. Past leads are looked up in the lists as they are at `now`: what was on them then is not kept. */
  readonly listKinds: ReadonlySet<ListKind>;
  readonly now: Date;
};

export type PastStep = { readonly decision: PastDecision; readonly lead: PastLead };

/** In the order in which the decisions took effect. Test leads take no capacity: they are left out, but counted in `decisions`. */
export async function* readPast(tx: Tx, reading: Reading): AsyncGenerator<{ steps: PastStep[]; decisions: number }> {
  await tx.query(openDecisions, { from: reading.from });
  for (;;) {
    const keys = await tx.query(nextDecisions);
    if (keys.length === 0) return;
    const leads = await readLeads(tx, [...new Set(keys.map(({ leadId }) => leadId))], reading);
    const rows = await tx.query(selectDecisions, {
      leadIds: keys.map(({ leadId }) => leadId),
      rounds: keys.map(({ round }) => round),
    });
    const steps = rows.flatMap((row): PastStep[] => {
      const lead = leads.get(row.leadId);
      return lead === undefined ? [] : [{ decision: decisionOf(row, reading), lead }];
    });
    yield { steps, decisions: keys.length };
  }
}

function decisionOf({ decidedAt, trace, ...row }: DecisionRow, { offers }: Reading): PastDecision {
  const { sold, left, suppressedBy, retryAt = null, opensAt = retryAt } = JSON.parse(trace) as StoredTrace;
  const leftOut = suppressedBy === undefined ? left.map(([, code]) => code) : ['suppressed'];
  const failing = new Map(
    left.flatMap(([offerKey, code, since]) => {
      const buyerKey = offers.get(offerKey)?.buyerKey;
      return code !== 'endpoint_failing' || buyerKey === undefined
        ? []
        : [[buyerKey, new Date(String(since))] as const];
    }),
  );
  const deliveries = sold.map(({ delivery }) => delivery);
  return { ...row, decidedAt: decidedAt.getTime(), opensAt, sold: deliveries, leftOut, failing };
}

/** Without test leads. */
export async function readLeads(tx: Tx, leadIds: readonly LeadId[], reading: Reading): Promise<Map<LeadId, PastLead>> {
  const rows = (await tx.query(selectLeads, { leadIds })).filter(({ isTest }) => !isTest);
  const deliveries = Map.groupBy(await tx.query(selectDeliveries, { leadIds }), (delivery) => delivery.leadId);
  const nameless = await readIdentities(tx, rows);
  const named = rows.flatMap(({ leadId, fields }) =>
    fields === null ? [] : [{ leadId, fields: JSON.parse(fields) as LeadFields }],
  );
  const hits = await lookUpLeads(tx, { leads: named, kinds: reading.listKinds }, reading.now);
  return new Map(
    rows.map((row): [LeadId, PastLead] => {
      const toRoute =
        row.fields === null ? null : leadOf(row, row.fields, { ...reading, listed: hits.get(row.leadId) ?? [] });
      return [
        row.leadId,
        {
          leadId: row.leadId,
          toRoute,
          identities: toRoute?.identities ?? nameless.get(row.leadId) ?? [],
          deliveries: (deliveries.get(row.leadId) ?? []).map((delivery) => deliveryOf(delivery, reading)),
          outcome: row.state === 'received' ? 'held' : row.state,
          isDuplicate: row.publicStatus === 'Duplicate',
        },
      ];
    }),
  );
}

/** The identities of leads whose fields are erased. */
export async function readIdentities(
  tx: Tx,
  leads: ReadonlyArray<{ leadId: LeadId; fields: string | null }>,
): Promise<Map<LeadId, IdentityHash[]>> {
  const erased = leads.filter(({ fields }) => fields === null).map(({ leadId }) => leadId);
  if (erased.length === 0) return new Map();
  const rows = await tx.query(selectIdentities, { erased });
  return new Map(rows.map(({ leadId, identities }) => [leadId, identities]));
}

function leadOf(
  { leadId, supplierKey, score, receivedAt }: LeadRow,
  text: string,
  { personPepper, listed }: Pick<Reading, 'personPepper'> & { readonly listed: readonly ListHit[] },
): LeadToRoute {
  const fields = JSON.parse(text) as LeadFields;
  return {
    leadId,
    externalId: null,
    isTest: false,
    receivedAt: receivedAt.getTime(),
    facts: factsOf({ fields, score, supplierKey }),
    requestedSlot: fields.appointmentAt === null ? null : Date.parse(fields.appointmentAt),
    identities: identityHashes(personPepper, fields),
    buyersBefore: new Set(),
    listed,
  };
}

export function deliveryOf(row: DeliveryRow, { offers }: Reading): PastDelivery {
  const { deliveryId, offerKey, buyerKey, payoutCents, mayHaveArrived, isReturned } = row;
  const { costModel: model, costCents, clawbackDays } = row;
  const isExclusive = row.failedAt === null ? row.isExclusive : offers.get(offerKey)?.sale.kind === 'exclusive';
  return {
    deliveryId,
    offerKey,
    buyerKey,
    payoutCents,
    scope: isExclusive ? EVERY_BUYER : buyerKey,
    deliveredAt: row.deliveredAt.getTime(),
    failedAt: row.failedAt?.getTime() ?? null,
    mayHaveArrived,
    isReturned,
    appointmentAt: row.appointmentAt?.getTime() ?? null,
    cost: model === null || costCents === null ? null : { model, costCents, clawbackDays },
  };
}
