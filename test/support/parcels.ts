// Parcels and recipients for tests of single channels.
import { newUuid, typeId } from '../../src/base/ids.ts';
import type { Parcel, Recipient } from '../../src/deliveries/channels/channel.ts';
import { bookingExample, saleExample } from '../../src/deliveries/delivery.schema.ts';
import type { LeadFields } from '../../src/leads/lead-fields.ts';

const noSettings: Recipient['settings'] = {
  notificationEmail: null,
  ccEmails: [],
  webhookUrl: null,
  phone: null,
  smsNumber: null,
  sheetsWebhookUrl: null,
  sheetsSpreadsheetId: null,
};

export const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export function recipient(settings: Partial<Recipient['settings']>): Recipient {
  return {
    buyerKey: 'summit',
    name: 'Summit Debt Relief',
    timeZone: 'America/Los_Angeles',
    settings: { ...noSettings, ...settings },
    secrets: [exampleSecret],
    custom: null,
    ownColumns: [],
  };
}

export const exampleFields: LeadFields = {
  fullName: saleExample.lead.fullName,
  email: saleExample.lead.email,
  phone: saleExample.lead.phone,
  businessName: null,
  state: saleExample.lead.state,
  debtAmountCents: 2_450_000,
  source: null,
  consentTimestamp: saleExample.lead.consentTimestamp,
  sourceFormUrl: saleExample.lead.sourceUrl,
  tcpaConsent: true,
  consentVersion: 'v7',
  consentText: null,
  leadIp: saleExample.lead.leadIp,
  utmSource: saleExample.lead.utmSource,
  utmMedium: 'cpc',
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: null,
  extra: {},
};

/** A separate sale: no two have the same id. */
export function parcel(more: Partial<Parcel> = {}): Parcel {
  const occurredAt = new Date(saleExample.deliveredAt);
  const id = typeId('delivery', newUuid());
  const delivery = { ...saleExample, deliveryId: id };
  return {
    id,
    isTest: false,
    occurredAt,
    delivery,
    fields: exampleFields,
    slotMinutes: null,
    isRepeat: false,
    priceBounds: null,
    ...more,
  };
}

export const booking: Parcel = parcel({
  id: bookingExample.deliveryId,
  delivery: bookingExample,
  slotMinutes: 30,
});
