// The initial values of the forms for a new vertical, supplier, partner or offer: the defaults of the marketplace file, but for some.
import type {
  Booking,
  Hours,
  OfferForm,
  OwnFieldForm,
  PartnerForm,
  SupplierForm,
  VerticalForm,
} from './configuration-api.ts';
import { defaultsOf, type Forms, memberOf, membersIn, membersOf, membersOfEntry, valuesOf } from './members.ts';

export const newVertical: VerticalForm = newThing('vertical');

export const newOwnField = {
  ...defaultsOf(membersOfEntry('vertical', 'fields')),
  ...{ name: '', label: '' },
} as unknown as OwnFieldForm;

export const newSupplier: SupplierForm = {
  ...newThing('supplier'),
  // The file's default is pending, but a supplier created in the console is meant to post leads.
  status: 'approved',
};

/** What the file says of a partner where it says nothing. */
export const partnerDefaults: PartnerForm = newThing('partner');

export const newPartner: PartnerForm = {
  ...partnerDefaults,
  // The file's default is no limit. A new partner buys nothing until the operator chooses one or records a payment.
  billing: { ...partnerDefaults.billing, creditLimit: 0 },
  // All of them: without them a partner cannot test its endpoint or see what became of its leads.
  betaTools: [...valuesOf('partner', 'betaTools')] as PartnerForm['betaTools'],
};

export const newOffer: OfferForm = { ...newThing('offer'), eventType: 'Lead Sale' };

export const officeHours: Hours = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' };

export const newBooking = {
  ...defaultsOf(membersIn(memberOf('offer', 'booking'))),
  availability: [officeHours],
} as unknown as Booking;

function newThing<Of extends 'vertical' | 'supplier' | 'partner' | 'offer'>(kind: Of): Forms[Of] {
  return { ...defaultsOf(membersOf(kind)), key: '', name: '' } as unknown as Forms[Of];
}
