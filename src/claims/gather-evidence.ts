// Gathers the evidence in our own data when a claim is filed, for its review by the operator; the partner never sees it (contract 7.7).
import { typeId } from '../base/ids.ts';
import { isMembers } from '../base/json.ts';
import { DAY_MS } from '../base/time.ts';
import type { DeliveryStatus, LockedDelivery } from '../deliveries/delivery.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import { readLead } from '../leads/read-lead.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { MARKETPLACE_KEY } from '../marketplace/settings.ts';
import { int8Array } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { definitionAt, deliveriesOfIdentities } from './claim.sql.ts';
import { checkFilters, type FilterCheck, type LeadValues } from './filter-evidence.rules.ts';
import type { ReasonCode } from './reason.rules.ts';
import type { StoredLead } from '../leads/stored-lead.ts';

export type Evidence =
  | {
      readonly about: 'duplicate';
      /** The marketplace's setting when the lead was sold. */
      readonly dedupDays: number;
      /** Other deliveries of the same contact to the same partner within those days; oldest first, at most 20. */
      readonly deliveries: ReadonlyArray<{
        readonly deliveryId: string;
        readonly deliveredAt: string;
        readonly status: DeliveryStatus;
      }>;
    }
  | {
      readonly about: 'filters';
      readonly offer: string;
      /** Whether the offer's definition at that time is known. */
      readonly known: boolean;
      readonly checks: readonly FilterCheck[];
    };

type EvidenceInput = {
  readonly reason: ReasonCode;
  readonly delivery: LockedDelivery;
  /** Passed in, because a partner's request may not read it from the database. */
  readonly personPepper: Buffer;
};

/** Null for a reason on which our data hold no evidence. */
export async function gatherEvidence(
  tx: Tx,
  buyerKey: string,
  { reason, delivery, personPepper }: EvidenceInput,
): Promise<Evidence | null> {
  const isFilter = reason === 'out_of_geo' || reason === 'out_of_filter' || reason === 'filter_mismatch';
  if (!isFilter && reason !== 'duplicate') return null;
  const lead = await readLead(tx, delivery.leadId);
  const fields = lead?.fields ?? null;
  if (lead === null || fields === null) return null;
  const known = { ...lead, fields };
  if (!isFilter) return duplicates(tx, buyerKey, { delivery, lead: known, personPepper });
  return filters(tx, { delivery, lead: known, locationOnly: reason === 'out_of_geo' });
}

type KnownLead = StoredLead & { readonly fields: NonNullable<StoredLead['fields']> };
async function duplicates(
  tx: Tx,
  buyerKey: string,
  { delivery, lead, personPepper }: Pick<EvidenceInput, 'delivery' | 'personPepper'> & { readonly lead: KnownLead },
): Promise<Evidence> {
  const { deliveryId, deliveredAt } = delivery;
  const { settings } = await readSettings(tx);
  const then = await definition(tx, { kind: 'marketplace', key: MARKETPLACE_KEY, at: deliveredAt });
  const dedupDays = typeof then?.['dedupDays'] === 'number' ? then['dedupDays'] : settings.dedupDays;
  const others = await tx.query(deliveriesOfIdentities, {
    buyerKey,
    deliveryId,
    from: new Date(deliveredAt.getTime() - dedupDays * DAY_MS),
    until: new Date(deliveredAt.getTime() + dedupDays * DAY_MS),
    identityHashes: int8Array(identityHashes(personPepper, lead.fields)),
  });
  return {
    about: 'duplicate',
    dedupDays,
    deliveries: others.map((other) => ({
      deliveryId: typeId('delivery', other.deliveryId),
      deliveredAt: other.deliveredAt.toISOString(),
      status: other.status,
    })),
  };
}

async function filters(
  tx: Tx,
  {
    delivery,
    lead,
    locationOnly,
  }: { readonly delivery: LockedDelivery; readonly lead: KnownLead; readonly locationOnly: boolean },
): Promise<Evidence> {
  const { known, checks } = await offerAtSale(tx, delivery, lead, { locationOnly });
  return { about: 'filters', offer: delivery.offerKey, known, checks };
}

type OfferAtSale = {
  /** Whether the offer's definition at that time is known. */
  readonly known: boolean;
  readonly name: string | null;
  readonly sale: 'exclusive' | 'shared' | null;
  /** Empty without the lead's fields. */
  readonly checks: readonly FilterCheck[];
};

/** The offer as it was when the lead was sold, with its filters beside the lead's values. */
export async function offerAtSale(
  tx: Tx,
  { offerKey, deliveredAt }: Pick<LockedDelivery, 'offerKey' | 'deliveredAt'>,
  lead: StoredLead | null,
  { locationOnly = false }: { readonly locationOnly?: boolean } = {},
): Promise<OfferAtSale> {
  const offer = await definition(tx, { kind: 'offer', key: offerKey, at: deliveredAt });
  const { name, sale } = offer ?? {};
  const kind = isMembers(sale) ? sale['kind'] : null;
  return {
    known: offer !== null,
    name: typeof name === 'string' ? name : null,
    sale: kind === 'exclusive' || kind === 'shared' ? kind : null,
    checks: offer === null || !isKnown(lead) ? [] : checkFilters(offer['filters'], valuesOf(lead), { locationOnly }),
  };
}

function isKnown(lead: StoredLead | null): lead is KnownLead {
  return lead !== null && lead.fields !== null;
}

function valuesOf(lead: KnownLead): LeadValues {
  const { state, debtAmountCents, source, tcpaConsent, email, phone, own = {} } = lead.fields;
  return {
    state,
    debtAmountCents,
    score: lead.score,
    supplierKey: lead.supplierKey,
    source,
    tcpaConsent,
    hasEmail: email !== null,
    hasPhone: phone !== null,
    own,
  };
}

async function definition(
  tx: Tx,
  { kind, key, at }: { readonly kind: 'marketplace' | 'offer'; readonly key: string; readonly at: Date },
): Promise<Record<string, unknown> | null> {
  const [row] = await tx.query(definitionAt, { kind, key, at });
  return row !== undefined && isMembers(row.definition) ? row.definition : null;
}
