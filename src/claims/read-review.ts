// Reads everything that the operator needs to decide on a claim, in one snapshot (contract 6.10, 7.7).
import { strict as assert } from 'node:assert';

import { type ClaimId, type DeliveryId, uuidOf } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import type { DeliveryTimes } from '../buyers/return-window.rules.ts';
import { countKept } from '../deliveries/count-deliveries.ts';
import { type DeliveryTrail, deliveryTrail } from '../deliveries/delivery-trail.ts';
import { readFunds } from '../ledger/funds.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { readLead } from '../leads/read-lead.ts';
import { normalizeMailbox } from '../leads/identity.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Claim } from './claim.ts';
import { claimMonth, fileableUntil } from './claim-window.rules.ts';
import type { ClaimHistory } from './claim-timeline.rules.ts';
import { labelTokens, readClaimHistory } from './read-claim-history.ts';
import { showClaim } from './stored-claims.ts';
import { type Evidence, offerAtSale } from './gather-evidence.ts';
import { capOf, readCapLimit, readCapMonths } from './month-cap.ts';
import {
  claimTotals,
  deliveriesNamed,
  otherClaimsOnDelivery,
  type ClaimTotal,
  type NamedDelivery,
} from './review-queue.sql.ts';
import { countQueue, type Neighbours, neighboursOf, type QueueFilter } from './review-queue.ts';
import type { StoredLead } from '../leads/stored-lead.ts';

/** A quarter: long enough to show a pattern, short enough to describe the partner's present behaviour. */
export const HISTORY_DAYS = 90;

export type Review = {
  readonly claim: Claim;
  readonly buyer: Buyer;
  /** The last second in which a claim of this kind could be filed. */
  readonly filedUntil: Date;
  /** The last second for a dispute; for a return, that is the appeal. */
  readonly disputableUntil: Date;
  readonly lead: StoredLead;
  readonly supplierName: string;
  /** At the time of the sale; the key if it is not known. */
  readonly offerName: string;
  /** The claim's delivery, with its attempts. */
  readonly delivery: DeliveryTrail['deliveries'][number];
  readonly attempts: DeliveryTrail['attempts'];
  readonly otherDeliveries: number;
  readonly evidence: Evidence | null;
  readonly named: ReadonlyMap<DeliveryId, NamedDelivery>;
  readonly otherClaims: readonly Claim[];
  /** Null for a dispute, which has no cap. */
  readonly cap: { readonly month: string; readonly limit: number; readonly used: number } | null;
  readonly history: { readonly deliveries: number; readonly totals: readonly ClaimTotal[] };
  /** What happened to this claim. */
  readonly events: ClaimHistory;
  readonly balanceCents: number;
  /** Whether the supplier has subscribed to callbacks about returns. */
  readonly supplierIsNotified: boolean;
  readonly queue: Neighbours & { readonly open: number };
};

/** Null where there is no such claim. `tx` is a snapshot. */
export async function readReview(
  tx: Tx,
  { claimId, filter }: { readonly claimId: ClaimId; readonly filter: QueueFilter },
  now: Date,
): Promise<Review | null> {
  const shown = await showClaim(tx, claimId);
  if (shown === null) return null;
  const { claim, evidence } = shown;
  const { buyerKey, leadId, supplierKey } = claim;
  const buyer = (await readBuyers(tx)).get(buyerKey);
  const lead = await readLead(tx, leadId);
  assert(buyer !== undefined && lead !== null, 'a claim has no buyer or no lead');
  const trail = await deliveryTrail(tx, leadId);
  const own = trail.deliveryIds.indexOf(claim.deliveryId);
  const delivery = trail.deliveries[own];
  assert(delivery !== undefined, 'the delivery of a claim belongs to another lead');
  const times = timesOf(delivery);
  const supplier = (await readSuppliers(tx)).get(supplierKey);
  const offer = await offerAtSale(tx, { offerKey: delivery.offer, deliveredAt: times.deliveredAt }, null);
  return {
    claim,
    buyer,
    filedUntil: fileableUntil(claim.kind, times, buyer),
    disputableUntil: fileableUntil('dispute', times, buyer),
    lead,
    supplierName: supplier?.name ?? supplierKey,
    offerName: offer.name ?? delivery.offer,
    delivery,
    attempts: trail.attempts.filter(({ deliveryId }) => deliveryId === delivery.deliveryId),
    otherDeliveries: trail.deliveries.length - 1,
    evidence,
    named: await readNamed(tx, evidence, lead.fields),
    otherClaims: await tx.query(otherClaimsOnDelivery, { deliveryId: claim.deliveryId, claimId }),
    cap: claim.kind === 'return' ? await readCap(tx, { claim, buyer, deliveredAt: times.deliveredAt }) : null,
    history: await readPartnerHistory(tx, claim, now),
    events: await labelTokens(tx, await readClaimHistory(tx, claim)),
    balanceCents: (await readFunds(tx, [buyerKey])).get(buyerKey)?.balanceCents ?? 0,
    supplierIsNotified: supplier?.callback?.events.includes('lead.returned') === true,
    queue: {
      ...(await neighboursOf(tx, claim, filter)),
      open: await countQueue(tx, { ...filter, status: 'open' }),
    },
  };
}

function timesOf({ deliveredAt, confirmedAt }: Review['delivery']): DeliveryTimes {
  return {
    deliveredAt: new Date(deliveredAt),
    confirmedAt: confirmedAt === null ? null : new Date(confirmedAt),
  };
}

async function readCap(
  tx: Tx,
  { claim, buyer, deliveredAt }: { readonly claim: Claim; readonly buyer: Buyer; readonly deliveredAt: Date },
): Promise<NonNullable<Review['cap']>> {
  const { buyerKey, eventType } = claim;
  // The span uses the partner's current zone; the count is stored under the month that applied at filing.
  const month = { ...claimMonth(deliveredAt, buyer.timeZone), month: claim.deliveryMonth, eventType };
  const [used = 0] = await readCapMonths(tx, buyerKey, [month]);
  const limit = await readCapLimit(tx, buyerKey, { cap: capOf(buyer.returnPolicy, eventType), month });
  return { month: claim.deliveryMonth.slice(0, 7), limit, used };
}

async function readPartnerHistory(tx: Tx, { buyerKey, claimId }: Claim, now: Date): Promise<Review['history']> {
  // Whole UTC days have stored counts, so no delivery is read.
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const since = new Date(today - HISTORY_DAYS * DAY_MS);
  const span = { from: since.getTime(), until: today + DAY_MS };
  const leads = await countKept(tx, buyerKey, { eventType: 'Lead Sale', span });
  const bookings = await countKept(tx, buyerKey, { eventType: 'Calendar Assigned', span });
  const totals = await tx.query(claimTotals, { buyerKey, since, claimId });
  return { deliveries: leads + bookings, totals };
}

async function readNamed(
  tx: Tx,
  evidence: Evidence | null,
  fields: LeadFields | null,
): Promise<ReadonlyMap<DeliveryId, NamedDelivery>> {
  if (evidence?.about !== 'duplicate') return new Map();
  const ids = evidence.deliveries.map(({ deliveryId }) => uuidOf('delivery', deliveryId)).filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await tx.query(deliveriesNamed, { ids });
  return new Map(
    rows.map(({ fields: other, ...row }) => {
      const same = other === null || fields === null ? null : comparison(fields, JSON.parse(other) as LeadFields);
      return [row.deliveryId, { ...row, same }];
    }),
  );
}

function comparison(one: LeadFields, other: LeadFields): NonNullable<NamedDelivery['same']> {
  return {
    email: one.email !== null && other.email !== null && normalizeMailbox(one.email) === normalizeMailbox(other.email),
    phone: one.phone !== null && one.phone === other.phone,
  };
}
