// What a new supplier, partner or offer is before anything is said of it: the defaults of the marketplace file.
import type { Booking, Hours, OfferForm, PartnerForm, SupplierForm } from './configuration-api.ts';
import { defaultsOf, type Forms, memberOf, membersIn, membersOf } from './members.ts';

export const newSupplier: SupplierForm = {
  ...newThing('supplier'),
  // An operator who creates one at the console means it to post.
  status: 'approved',
};

export const newPartner: PartnerForm = newThing('partner');

export const newOffer: OfferForm = { ...newThing('offer'), eventType: 'Lead Sale' };

export const officeHours: Hours = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' };

export const newBooking = {
  ...defaultsOf(membersIn(memberOf('offer', 'booking'))),
  availability: [officeHours],
} as unknown as Booking;

function newThing<Of extends 'supplier' | 'partner' | 'offer'>(kind: Of): Forms[Of] {
  return { ...defaultsOf(membersOf(kind)), key: '', name: '' } as unknown as Forms[Of];
}
