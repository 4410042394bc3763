// What our own data say to a partner about a lead that it bought: why it got it, and whether a reason for a claim fits (contract 7.7). Suppliers,
// sources and fields that are not delivered stay out of it.
import type { DeliveryId } from '../base/ids.ts';
import type { LockedDelivery } from '../deliveries/delivery.ts';
import { readDelivery } from '../deliveries/return-delivery.ts';
import { readLead } from '../leads/read-lead.ts';
import type { OwnFields } from '../leads/lead-fields.ts';
import type { Tx } from '../platform/database/database.ts';
import type { FilingBuyer } from './judge-filing.ts';
import { type FilingPreview, previewFiling } from './preview-filing.ts';
import type { FilterCheck } from './filter-evidence.rules.ts';
import { type Evidence, evidenceOfLead, offerAtSale } from './gather-evidence.ts';
import { type ReasonCode, reasonsOf } from './reason.rules.ts';

export type Purchase = {
  readonly offerKey: string;
  /** Null if the offer's definition at that time is not known. */
  readonly offerName: string | null;
  readonly sale: 'exclusive' | 'shared' | null;
  /** Null if the lead is erased, or the delivery failed. */
  readonly score: number | null;
  /** Every filter that the offer had. Empty like `score`. */
  readonly filters: readonly FilterCheck[];
};

const HIDDEN: ReadonlySet<string> = new Set(['suppliers', 'suppliersNot', 'sources', 'sourcesNot']);

/** Null when the partner has no such delivery. */
export async function readPurchase(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<Purchase | null> {
  const delivery = await readDelivery(tx, buyerKey, deliveryId);
  if (delivery === null) return null;
  const lead = delivery.status === 'Failed' ? null : await readLead(tx, delivery.leadId);
  const { name, sale, checks } = await offerAtSale(tx, delivery, lead);
  return {
    offerKey: delivery.offerKey,
    offerName: name,
    sale,
    score: lead?.fields === null ? null : (lead?.score ?? null),
    filters: shownChecks(checks, lead?.fields?.own),
  };
}

/** What our data say about a reason. */
export type ReasonCheck =
  | { readonly about: 'filters'; readonly checks: readonly FilterCheck[] }
  | { readonly about: 'duplicate'; readonly dedupDays: number; readonly others: number };

export type CheckedPreview = FilingPreview & { readonly checks: ReadonlyMap<ReasonCode, ReasonCheck> };

/** Null when the partner has no such delivery. Our data are read only where a claim may be filed. */
export async function previewWithOwnData(
  tx: Tx,
  buyer: FilingBuyer,
  { deliveryId, personPepper }: { readonly deliveryId: DeliveryId; readonly personPepper: Buffer },
  now: Date,
): Promise<CheckedPreview | null> {
  const preview = await previewFiling(tx, buyer, deliveryId, now);
  if (preview === null) return null;
  const { delivery, options } = preview;
  const mayFile = options.return.refusal === null || options.dispute.refusal === null;
  const checks = mayFile ? await checkReasons(tx, buyer.buyerKey, { delivery, personPepper }) : new Map();
  return { ...preview, checks };
}

type ReasonInput = { readonly delivery: LockedDelivery; readonly personPepper: Buffer };

/** By reason; those on which our data say nothing are missing. */
async function checkReasons(
  tx: Tx,
  buyerKey: string,
  { delivery, personPepper }: ReasonInput,
): Promise<ReadonlyMap<ReasonCode, ReasonCheck>> {
  const found = new Map<ReasonCode, ReasonCheck>();
  const lead = await readLead(tx, delivery.leadId);
  const reasons = reasonsOf[delivery.eventType].map(({ code }) => code);
  for (const [code, evidence] of await evidenceOfLead(tx, buyerKey, { reasons, delivery, lead, personPepper })) {
    const check = reasonCheck(evidence, lead?.fields?.own);
    if (check !== null) found.set(code, check);
  }
  return found;
}

function reasonCheck(evidence: Evidence, own: OwnFields | undefined): ReasonCheck | null {
  if (evidence.about === 'duplicate') {
    return { about: 'duplicate', dedupDays: evidence.dedupDays, others: evidence.deliveries.length };
  }
  const isUnseen = evidence.checks.some(({ filter, holds }) => !holds && HIDDEN.has(filter));
  // A filter that fails but may not be shown would make the shown ones look like all of them.
  return !evidence.known || isUnseen ? null : { about: 'filters', checks: shownChecks(evidence.checks, own) };
}

function shownChecks(checks: readonly FilterCheck[], own: OwnFields = {}): FilterCheck[] {
  return checks.filter(({ filter }) => {
    const name = filter.replace(/^fields\./, '');
    return !HIDDEN.has(filter) && !(name !== filter && Object.hasOwn(own, name) && own[name]?.hidden === true);
  });
}
