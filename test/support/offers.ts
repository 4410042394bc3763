// Offers, buyers and leads for tests of the routing rules: every value that a test does not name is a plain default.
import type { LeadId } from '../../src/base/ids.ts';
import type { Buyer, ReturnPolicy } from '../../src/buyers/buyer.ts';
import { defaultTerms } from '../../src/buyers/buyer-row.rules.ts';
import { buyerRateLimit } from '../../src/buyers/partner.schema.ts';
import type { LeadFacts, LeadToRoute } from '../../src/routing/lead-facts.ts';
import type { IndexedOffer } from '../../src/routing/offer-index.rules.ts';
import type { Offer, OfferFilters, PerWindow } from '../../src/routing/offer.ts';

/** Settings of a partner whose file states none. */
export const usualReturnPolicy: ReturnPolicy = {
  windowBusinessDays: 5,
  holidays: [],
  disputeWindowDays: 30,
  monthlyCaps: { leads: { percent: 10 }, bookings: { percent: 10 } },
};

export const noLimits: PerWindow = { daily: null, weekly: null, monthly: null };

/** Admits any lead. */
export const noFilters: OfferFilters = {
  states: [],
  statesNot: [],
  debtAmountCents: { min: null, max: null },
  minScore: null,
  suppliers: [],
  suppliersNot: [],
  sources: [],
  sourcesNot: [],
  requireConsent: false,
  requireEmail: false,
  requirePhone: false,
  fields: {},
};

/** Exclusive, 45.00, always open, without a limit. */
export function anOffer(more: Partial<Offer> = {}): Offer {
  return {
    offerKey: 'west',
    buyerKey: 'summit',
    name: 'West',
    vertical: null,
    eventType: 'Lead Sale',
    payoutCents: 4500,
    priceMinCents: null,
    sale: { kind: 'exclusive' },
    priority: 1,
    weight: 1,
    status: 'active',
    filters: noFilters,
    schedule: null,
    caps: noLimits,
    budgetCents: noLimits,
    rejections: { pauseAbove: null, responses: null },
    pacing: 'asap',
    booking: null,
    rejectionsPause: null,
    ownLimits: null,
    ...more,
  };
}

/** Active, in UTC, reading the API only, without a credit limit. */
function aBuyer(more: Partial<Buyer> = {}): Buyer {
  return {
    buyerKey: 'summit',
    name: 'Summit',
    status: 'active',
    timeZone: 'UTC',
    channels: [],
    editableFields: [],
    betaTools: [],
    rateLimit: buyerRateLimit,
    returnPolicy: usualReturnPolicy,
    billing: { mode: 'postpaid', creditLimitCents: null, ...defaultTerms },
    settings: {
      notificationEmail: null,
      ccEmails: [],
      webhookUrl: null,
      phone: null,
      smsNumber: null,
      sheetsWebhookUrl: null,
      sheetsSpreadsheetId: null,
    },
    webhook: null,
    endpointDisabledAt: null,
    fundsPausedAt: null,
    ownPause: null,
    ...more,
  };
}

/** With a separate buyer for the offer. */
export function anIndexed(offer: Partial<Offer> = {}, buyer: Partial<Buyer> = {}): IndexedOffer {
  const buyerKey = offer.buyerKey ?? buyer.buyerKey ?? 'summit';
  return { offer: anOffer({ ...offer, buyerKey }), buyer: aBuyer({ ...buyer, buyerKey }) };
}

/** From California, with every value that a filter may require. */
export function theFacts(more: Partial<LeadFacts> = {}): LeadFacts {
  return {
    vertical: null,
    own: {},
    state: 'CA',
    debtAmountCents: 2_000_000,
    score: 70,
    supplierKey: 'acme',
    source: 'search',
    tcpaConsent: true,
    hasEmail: true,
    hasPhone: true,
    ...more,
  };
}

/** With a separate contact, and the name of the lead. */
export function aLead(leadId: string, more: Partial<LeadToRoute> = {}): LeadToRoute {
  return {
    leadId: leadId as LeadId,
    externalId: null,
    isTest: false,
    receivedAt: 0,
    facts: theFacts(),
    requestedSlot: null,
    identities: [leadId],
    listed: [],
    buyersBefore: new Set(),
    ...more,
  };
}
