// The delivery as partners read it: the object of GET leads, as it is now, and the `data` of its message, as it was sold (contract 5.2, 6.1).
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { ReturnPolicy } from '../buyers/buyer.ts';
import { type ClaimState, returnability, returnableUntil } from '../buyers/return-window.rules.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { erasedFields, readFields } from '../leads/read-fields.rules.ts';
import { deliveryRef, type DeliveryRow, type SoldRow } from './delivery.ts';
import type { DeliveryView } from './delivery.schema.ts';

/** `id` is the claim's TypeID. */
export type DeliveryClaim = ClaimState & { readonly id: string };

export type DeliveryViewing = {
  readonly policy: ReturnPolicy;
  /** The partner's. */
  readonly timeZone: string;
  /** Decides whether the return window is over; two views of one row differ in nothing else. */
  readonly now: Date;
  /** The latest on the delivery. */
  readonly claim: DeliveryClaim | null;
  /** Whether a return was denied before `claim`, which then forbids another one whatever `claim` is. */
  readonly returnDenied?: boolean;
  /** Whether the cap of the delivery's month and kind is used up. */
  readonly capReached?: boolean;
};

/** What files and sheets show of it. */
export type DeliveryFacts = Omit<DeliveryView, 'confirmedAt' | 'claim' | 'returnable'>;

/** Members in the order of the delivery object (contract 6.1), so that equal views are equal as JSON text. */
export function deliveryView(row: DeliveryRow, viewing: DeliveryViewing): DeliveryView {
  const { policy, timeZone, now, claim, returnDenied = false, capReached = false } = viewing;
  const { status, deliveredAt, confirmedAt } = row;
  const state: ClaimState | null = returnDenied ? { kind: 'return', status: 'denied' } : claim;
  return {
    ...deliveryFacts(row, shownFields(row)),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    claim: claim === null ? null : { kind: claim.kind, id: claim.id, status: claim.status },
    returnable: returnability({ status, deliveredAt, confirmedAt, claim: state, capReached, policy, timeZone, now }),
  };
}

/**
 * What the partner's endpoint and its feed of events tell, equal as JSON text whenever it is made: the state and the return window are
 * those of the sale. Only the person can be missing from it later, of a delivery that failed or a lead that was erased. `policy` and
 * `timeZone` count for deliveries from before the window was stored.
 */
export function soldView(
  row: SoldRow,
  { policy, timeZone }: Pick<DeliveryViewing, 'policy' | 'timeZone'>,
): DeliveryView {
  const { isTakenAtOnce, returnUntil, deliveredAt } = row;
  const confirmedAt = isTakenAtOnce ? deliveredAt : null;
  const until = returnUntil ?? returnableUntil({ deliveredAt, confirmedAt }, policy, timeZone);
  return {
    ...deliveryFacts({ ...row, status: isTakenAtOnce ? 'Confirmed' : 'Pending' }, shownFields(row)),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    claim: null,
    returnable: { until: until.toISOString(), reason: isTakenAtOnce ? null : 'delivery_not_confirmed' },
  };
}

/** `tcpaConsent` is null where nothing of the person is shown. */
export type ShownFields = Omit<LeadFields, 'tcpaConsent'> & { readonly tcpaConsent: boolean | null };

const notDelivered: ShownFields = { ...erasedFields, fullName: '[not delivered]', tcpaConsent: null };

/** A partner who did not take a lead and did not pay for it does not read its person. */
export function shownFields({
  status,
  fields,
  erasedConsent,
}: Pick<DeliveryRow, 'status' | 'fields' | 'erasedConsent'>): ShownFields {
  return status === 'Failed' ? notDelivered : readFields(fields, erasedConsent);
}

/** `fields` are those of the row that may be shown. */
export function deliveryFacts(
  row: Omit<DeliveryRow, 'confirmedAt' | 'fields' | 'erasedConsent' | 'leadId'>,
  fields: ShownFields,
): DeliveryFacts {
  return {
    deliveryId: typeId('delivery', row.deliveryId),
    deliveryRef: deliveryRef(row.eventType, row.refNumber),
    eventType: row.eventType,
    status: row.status,
    payout: wireAmount(row.payoutCents),
    deliveredAt: row.deliveredAt.toISOString(),
    returned: row.status === 'Returned',
    lead: leadView(fields),
    ...(row.appointmentAt === null ? {} : { appointmentAt: row.appointmentAt.toISOString() }),
  };
}

function leadView(fields: ShownFields): DeliveryView['lead'] {
  return {
    fullName: fields.fullName,
    email: fields.email,
    phone: fields.phone,
    state: fields.state,
    debtAmount: fields.debtAmountCents === null ? null : wireAmount(fields.debtAmountCents),
    tcpaConsent: fields.tcpaConsent,
    consentTimestamp: fields.consentTimestamp,
    leadIp: fields.leadIp,
    utmSource: fields.utmSource,
    sourceUrl: fields.sourceFormUrl,
  };
}
