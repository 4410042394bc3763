// Makes the lead of a test delivery: complete, and of no real contact (contract 6.14).
import { type AttemptId, type DeliveryId, type LeadId, typeId, type Uuid } from '../../base/ids.ts';
import type { ReturnPolicy } from '../../buyers/buyer.ts';
import type { LeadFields } from '../../leads/lead-fields.ts';
import { readOwnFields } from '../../leads/own-fields.rules.ts';
import { sampleOwn } from '../../leads/sample-own.rules.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import type { Parcel } from '../channels/channel.ts';
import { deliveryView } from '../delivery-view.rules.ts';

/** Below the reference numbers of real deliveries. */
const REF_NUMBER = 100_000;
const CONSENT_AGE_MS = 60_000;

function testFields(vertical: Vertical | null, now: Date): LeadFields {
  return {
    fullName: 'Jordan Rivera',
    email: 'jordan.rivera@example.com',
    phone: '+15555550123',
    businessName: null,
    state: 'CA',
    debtAmountCents: 2_450_000,
    source: null,
    consentTimestamp: new Date(now.getTime() - CONSENT_AGE_MS).toISOString(),
    sourceFormUrl: 'https://forms.example.com/debt?utm_source=search',
    tcpaConsent: true,
    consentVersion: '2026-01',
    consentText: null,
    // Reserved for documentation, like the phone number and the email address above.
    leadIp: '203.0.113.24',
    utmSource: 'search',
    utmMedium: 'cpc',
    utmCampaign: 'debt-relief',
    utmTerm: null,
    utmContent: null,
    trustedformCertUrl: null,
    jornayaLeadId: null,
    appointmentAt: null,
    ...(vertical === null ? {} : ownMembers(vertical, now)),
    extra: {},
  };
}

function ownMembers(vertical: Vertical, now: Date): Pick<LeadFields, 'vertical' | 'own'> {
  const { key, fields } = vertical;
  if (fields.length === 0) return { vertical: key };
  const body = Object.fromEntries(fields.map((field) => [field.name, sampleOwn(field, now)]));
  return { vertical: key, own: readOwnFields(vertical, body).own };
}

type TestSale = {
  readonly policy: ReturnPolicy;
  readonly timeZone: string;
  /** Of the lead; null for none. */
  readonly vertical: Vertical | null;
  readonly now: Date;
};

/** Its ids are derived from the attempt's, so that a receiver can tell tests apart. */
export function testParcel(attemptId: AttemptId, { policy, timeZone, vertical, now }: TestSale): Parcel {
  const fields = testFields(vertical, now);
  const id: Uuid = attemptId;
  const row = {
    deliveryId: id as DeliveryId,
    refNumber: REF_NUMBER,
    eventType: 'Lead Sale',
    status: 'Pending',
    payoutCents: 4500,
    deliveredAt: now,
    confirmedAt: null,
    appointmentAt: null,
    leadId: id as LeadId,
    fields: JSON.stringify(fields),
    erasedConsent: null,
    buyerReference: null,
  } as const;
  return {
    id: typeId('attempt', attemptId),
    isTest: true,
    occurredAt: now,
    delivery: deliveryView(row, { policy, timeZone, now, claim: null }),
    fields,
    slotMinutes: null,
    isRepeat: false,
    priceBounds: null,
  };
}
