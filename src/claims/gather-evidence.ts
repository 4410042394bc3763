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
  readonly reasons: readonly ReasonCode[];
  readonly delivery: LockedDelivery;
  /** Passed in, because a partner's request may not read it from the database. */
  readonly personPepper: Buffer;
};

const FILTER_REASONS: ReadonlySet<ReasonCode> = new Set(['out_of_geo', 'out_of_filter', 'filter_mismatch']);

/** By reason; reasons on which our data hold no evidence are missing. */
export async function gatherEvidence(
  tx: Tx,
  buyerKey: string,
  { reasons, delivery, personPepper }: EvidenceInput,
): Promise<ReadonlyMap<ReasonCode, Evidence>> {
  const lead = await readLead(tx, delivery.leadId);
  return evidenceOfLead(tx, buyerKey, { reasons, delivery, lead, personPepper });
}

/** As `gatherEvidence`, of a lead that is read already; its offer is read once for all reasons. */
export async function evidenceOfLead(
  tx: Tx,
  buyerKey: string,
  { reasons, delivery, lead, personPepper }: EvidenceInput & { readonly lead: StoredLead | null },
): Promise<ReadonlyMap<ReasonCode, Evidence>> {
  const found = new Map<ReasonCode, Evidence>();
  if (!isKnown(lead)) return found;
  if (reasons.includes('duplicate'))
    found.set('duplicate', await duplicates(tx, buyerKey, { delivery, lead, personPepper }));
  const about = reasons.filter((reason) => FILTER_REASONS.has(reason));
  if (about.length === 0) return found;
  const offer = await definitionOfOffer(tx, delivery);
  for (const reason of about) {
    const { known, checks } = compareWithOffer(offer, lead, { locationOnly: reason === 'out_of_geo' });
    found.set(reason, { about: 'filters', offer: delivery.offerKey, known, checks });
  }
  return found;
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

type OfferAtSale = {
  /** Whether the offer's definition at that time is known. */
  readonly known: boolean;
  readonly name: string | null;
  readonly sale: 'exclusive' | 'shared' | null;
  /** Empty without the lead's fields. */
  readonly checks: readonly FilterCheck[];
};

/** The offer as it was when the lead was sold, with its filters beside the lead's values. */
export async function offerAtSale(tx: Tx, delivery: Sold, lead: StoredLead | null): Promise<OfferAtSale> {
  return compareWithOffer(await definitionOfOffer(tx, delivery), lead, { locationOnly: false });
}

type Sold = Pick<LockedDelivery, 'offerKey' | 'deliveredAt'>;

function definitionOfOffer(tx: Tx, { offerKey, deliveredAt }: Sold): Promise<Record<string, unknown> | null> {
  return definition(tx, { kind: 'offer', key: offerKey, at: deliveredAt });
}

function compareWithOffer(
  offer: Record<string, unknown> | null,
  lead: StoredLead | null,
  { locationOnly }: { readonly locationOnly: boolean },
): OfferAtSale {
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
