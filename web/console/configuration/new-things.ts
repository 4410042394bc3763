// What a new supplier, partner or offer is before anything is said of it: the defaults of the marketplace file.
import type { Booking, OfferForm, PartnerForm, SupplierForm } from './configuration-api.ts';

export const newSupplier: SupplierForm = {
  key: '',
  name: '',
  // Whoever creates one at the console means it to post.
  status: 'approved',
  fieldMapping: {},
  callback: null,
  rateLimit: { perSecond: 100, burst: 200 },
};

export const newPartner: PartnerForm = {
  key: '',
  name: '',
  status: 'active',
  timeZone: 'UTC',
  channels: [],
  settings: {
    notificationEmail: null,
    ccEmails: [],
    webhookUrl: null,
    phone: null,
    smsNumber: null,
    sheetsWebhookUrl: null,
    sheetsSpreadsheetId: null,
  },
  editableFields: [
    'notificationEmail',
    'ccEmails',
    'webhookUrl',
    'phone',
    'smsNumber',
    'sheetsWebhookUrl',
    'sheetsSpreadsheetId',
    'webhookSecret',
  ],
  betaTools: [],
  rateLimit: { perSecond: 10, burst: 20 },
  returnPolicy: {
    windowBusinessDays: 5,
    holidays: [],
    disputeWindowDays: 30,
    monthlyCaps: { leads: '10%', bookings: '10%' },
  },
  billing: { mode: 'postpaid', creditLimit: null },
};

const noLimits = { daily: null, weekly: null, monthly: null };

export const newOffer: OfferForm = {
  key: '',
  name: '',
  eventType: 'Lead Sale',
  payout: null,
  sale: 'exclusive',
  priority: 1,
  weight: 1,
  status: 'active',
  filters: {
    states: [],
    statesNot: [],
    debtAmount: { min: null, max: null },
    minScore: null,
    suppliers: [],
    suppliersNot: [],
    sources: [],
    sourcesNot: [],
    requireConsent: false,
    requireEmail: false,
    requirePhone: false,
  },
  schedule: null,
  caps: noLimits,
  budget: noLimits,
  pacing: 'asap',
  booking: null,
};

export const newBooking: Booking = {
  availability: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  slotMinutes: 30,
  capacity: 1,
  noticeMinutes: 0,
  horizonDays: 14,
};
