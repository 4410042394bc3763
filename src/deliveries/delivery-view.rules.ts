// The delivery object that partners read, the same in GET leads and as `data` of a webhook body (contract 6, delivery object).
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { ReturnPolicy } from '../buyers/buyer.ts';
import { type ClaimStanding, returnability } from '../buyers/return-window.rules.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { readFields } from '../leads/read-fields.rules.ts';
import { deliveryRef } from './delivery-ref.ts';
import type { DeliveryRow } from './delivery-row.ts';
import type { DeliveryView } from './delivery-schema.ts';

/** `id` is the claim's TypeID. */
export type DeliveryClaim = ClaimStanding & { readonly id: string };

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

/** What does not change with the hour of reading. */
export type DeliveryFacts = Omit<DeliveryView, 'claim' | 'returnable'>;

/** Members in the order of the source's 2.1 and 2.2, so that equal views are equal as JSON text. */
export function deliveryView(row: DeliveryRow, viewing: DeliveryViewing): DeliveryView {
  const { policy, timeZone, now, claim, returnDenied = false, capReached = false } = viewing;
  const { status, deliveredAt } = row;
  const standing: ClaimStanding | null = returnDenied ? { kind: 'return', status: 'denied' } : claim;
  return {
    ...deliveryFacts(row, readFields(row.fields)),
    claim: claim === null ? null : { kind: claim.kind, id: claim.id, status: claim.status },
    returnable: returnability({ status, deliveredAt, claim: standing, capReached, policy, timeZone, now }),
  };
}

/** `fields` are those of the row. */
export function deliveryFacts(row: Omit<DeliveryRow, 'fields' | 'leadId'>, fields: LeadFields): DeliveryFacts {
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

function leadView(fields: LeadFields): DeliveryView['lead'] {
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
