// Shows a delivery to its partner: its current state in GET leads, and its state at the sale in the `data` of its message (contract 5.2, 6.1).
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { ReturnPolicy } from '../buyers/buyer.ts';
import { type ClaimState, returnability, returnableUntil } from '../buyers/return-window.rules.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { deliveredOwn } from '../leads/own-fields.rules.ts';
import { sentParts } from '../leads/person-name.rules.ts';
import { erasedFields, readFields } from '../leads/read-fields.rules.ts';
import { deliveryRef, type DeliveryRow, type SoldRow } from './delivery.ts';
import type { DeliveryView } from './delivery.schema.ts';

/** `id` is the claim's TypeID. */
export type DeliveryClaim = ClaimState & { readonly id: string };

export type DeliveryViewing = {
  readonly policy: ReturnPolicy;
  /** The partner's, an IANA name. */
  readonly timeZone: string;
  /** Decides whether the return window is over; everything else in a view depends on the row alone. */
  readonly now: Date;
  /** The latest claim on the delivery. */
  readonly claim: DeliveryClaim | null;
  /** Whether a return was denied before `claim`; that forbids another return in any case. */
  readonly returnDenied?: boolean;
  /** Whether the cap on returns of the delivery's month and kind is used up. */
  readonly capReached?: boolean;
};

/** The part of the view that files and sheets show. */
export type DeliveryFacts = Omit<DeliveryView, 'confirmedAt' | 'claim' | 'returnable'>;

/** Members are in the order of the delivery object (contract 6.1), so that equal views are equal as JSON text. */
export function deliveryView(row: DeliveryRow, viewing: DeliveryViewing): DeliveryView {
  const { policy, timeZone, now, claim, returnDenied = false, capReached = false } = viewing;
  const { status, deliveredAt, confirmedAt } = row;
  const state: ClaimState | null = returnDenied ? { kind: 'return', status: 'denied' } : claim;
  return {
    ...deliveryFacts(row, shownFields(row)),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    claim: claim === null ? null : { kind: claim.kind, id: claim.id, status: claim.status },
    returnable: returnability({ status, deliveredAt, confirmedAt, claim: state, capReached, policy, timeZone, now }),
    ...(row.buyerReference === null ? {} : { buyerReference: row.buyerReference }),
  };
}

/**
 * The message to the partner's endpoint and its feed of events. Its JSON text is the same at any time: status and return window are those
 * of the sale. Only the contact's data can be missing later, if the delivery failed or the lead was erased. `policy` and `timeZone` are
 * used for deliveries from before the window was stored.
 */
export function soldView(
  row: SoldRow,
  { policy, timeZone }: Pick<DeliveryViewing, 'policy' | 'timeZone'>,
): DeliveryView {
  const { isConfirmedAtOnce, returnUntil, deliveredAt, soldPayoutCents: payoutCents } = row;
  const confirmedAt = isConfirmedAtOnce ? deliveredAt : null;
  const until = returnUntil ?? returnableUntil({ deliveredAt, confirmedAt }, policy, timeZone);
  return {
    ...deliveryFacts({ ...row, payoutCents, status: isConfirmedAtOnce ? 'Confirmed' : 'Pending' }, shownFields(row)),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    claim: null,
    returnable: { until: until.toISOString(), reason: isConfirmedAtOnce ? null : 'delivery_not_confirmed' },
  };
}

/** `tcpaConsent` is null if none of the contact's data is shown. */
export type ShownFields = Omit<LeadFields, 'tcpaConsent'> & { readonly tcpaConsent: boolean | null };

const notDelivered: ShownFields = { ...erasedFields, fullName: '[not delivered]', tcpaConsent: null };

/** A partner that did not accept and pay for a lead may not read the contact's data. */
export function shownFields({
  status,
  fields,
  erasedConsent,
}: Pick<DeliveryRow, 'status' | 'fields' | 'erasedConsent'>): ShownFields {
  return status === 'Failed' ? notDelivered : readFields(fields, erasedConsent);
}

/** `fields` are the fields of the row that may be shown. */
export function deliveryFacts(
  row: Omit<DeliveryRow, 'confirmedAt' | 'fields' | 'erasedConsent' | 'leadId' | 'buyerReference'>,
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
  const own = deliveredOwn(fields);
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
    ...sentParts(fields),
    ...(own === null ? {} : { fields: own }),
  };
}
