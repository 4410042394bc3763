// Reads one entry of a partner's `offers:` (contract 4.2, 7.6).
import { capWindows } from '../base/time.ts';
import { readRegion, regionCode, type Regions } from '../base/regions.ts';
import {
  eventTypes,
  offerStatuses,
  type Booking,
  type Offer,
  type OfferFilters,
  type PerWindow,
} from '../routing/offer.ts';
import {
  addFault,
  alphabetically,
  optional,
  readBoolean,
  readCents,
  readInteger,
  readKey,
  readMembers,
  readNumber,
  readOneOf,
  readSet,
  readText,
  required,
  type Members,
  type Read,
  type Spot,
} from './read-tree.rules.ts';
import { readDisjointHours, readWeeklyHours } from './weekly-hours.rules.ts';

const MEMBERS = [
  'key',
  'name',
  'eventType',
  'payout',
  'sale',
  'priority',
  'weight',
  'status',
  'filters',
  'schedule',
  'caps',
  'budget',
  'pacing',
  'booking',
];
const FILTERS = [
  'states',
  'statesNot',
  'debtAmount',
  'minScore',
  'suppliers',
  'suppliersNot',
  'sources',
  'sourcesNot',
  'requireConsent',
  'requireEmail',
  'requirePhone',
];
const pacings = ['asap', 'even'] as const;
// Beyond any use; they keep sums and products far from the end of safe integers.
const COUNT_MAX = 1_000_000_000;
const RANK_MAX = 1_000_000;
const SHARED_WITH_MAX = 100;
const MINUTES_OF_A_DAY = 1440;

export function readOffer(buyerKey: string, regions: Regions): Read<Offer> {
  return (spot) => {
    const members = readMembers(spot, MEMBERS);
    const offerKey = required(members, 'key', readKey);
    return {
      offerKey,
      buyerKey,
      name: optional(members, 'name', readText, offerKey),
      eventType: required(members, 'eventType', readOneOf(eventTypes)),
      payoutCents: required(members, 'payout', readPayout),
      sale: optional(members, 'sale', readSale, { kind: 'exclusive' }),
      priority: optional(members, 'priority', readInteger(0, RANK_MAX), 1),
      weight: optional(members, 'weight', readNumber(0, RANK_MAX), 1),
      status: optional(members, 'status', readOneOf(offerStatuses), 'active'),
      filters: readFilters(members, regions),
      schedule: optional(members, 'schedule', readWeeklyHours, null),
      caps: optional(members, 'caps', readPerWindow(readInteger(0, COUNT_MAX)), noLimits),
      budgetCents: optional(members, 'budget', readPerWindow(readCents), noLimits),
      pacing: optional(members, 'pacing', readOneOf(pacings), 'asap'),
      booking: readBooking(members),
    };
  };
}

const noLimits: PerWindow = { daily: null, weekly: null, monthly: null };

function readPayout(spot: Spot): number {
  const before = spot.faults.length;
  const cents = readCents(spot);
  // The ledger moves amounts, and nothing is none.
  if (cents === 0 && spot.faults.length === before) addFault(spot, 'must be at least 0.01');
  return cents;
}

function readSale(spot: Spot): Offer['sale'] {
  if (spot.tree.kind === 'map') {
    const members = readMembers(spot, ['sharedWith']);
    return { kind: 'shared', buyersAtMost: required(members, 'sharedWith', readInteger(2, SHARED_WITH_MAX)) };
  }
  if (spot.tree.kind !== 'scalar' || spot.tree.value !== 'exclusive') {
    addFault(spot, 'must be exclusive, or { sharedWith: N } for at most N buyers in all');
  }
  return { kind: 'exclusive' };
}

function readPerWindow(read: Read<number>): Read<PerWindow> {
  return (spot) => {
    const members = readMembers(spot, capWindows);
    return {
      daily: optional(members, 'daily', read, null),
      weekly: optional(members, 'weekly', read, null),
      monthly: optional(members, 'monthly', read, null),
    };
  };
}

function readFilters(offer: Members, regions: Regions): OfferFilters {
  const spot = offer.byName.get('filters');
  const members: Members = spot === undefined ? { ...offer, byName: new Map() } : readMembers(spot, FILTERS);
  const list = (name: string, read: Read<string>): string[] =>
    optional(members, name, readSet(read, alphabetically), []);
  return {
    states: list('states', readState(regions)),
    statesNot: list('statesNot', readState(regions)),
    debtAmountCents: optional(members, 'debtAmount', readAmountRange, { min: null, max: null }),
    minScore: optional(members, 'minScore', readInteger(0, 100), null),
    suppliers: list('suppliers', readKey),
    suppliersNot: list('suppliersNot', readKey),
    sources: list('sources', readText),
    sourcesNot: list('sourcesNot', readText),
    requireConsent: optional(members, 'requireConsent', readBoolean, false),
    requireEmail: optional(members, 'requireEmail', readBoolean, false),
    requirePhone: optional(members, 'requirePhone', readBoolean, false),
  };
}

function readState(regions: Regions): Read<string> {
  return (spot) => {
    const text = spot.tree.kind === 'scalar' && typeof spot.tree.value === 'string' ? spot.tree.value : '';
    const code = readRegion(text, regions);
    if (code !== null) return code;
    const meant = regionCode(text);
    const hint = meant === null || readRegion(meant, regions) === null ? '' : ` (did you mean ${meant}?)`;
    addFault(spot, `must be ${stateWords(regions)}${hint}`);
    return '';
  };
}

function stateWords(regions: Regions): string {
  if (regions === 'any') return 'two letters';
  const words = { US: 'US state, such as CA', CA: 'Canadian province, such as ON' };
  return `the two letters of a ${regions.map((country) => words[country]).join(', or of a ')}`;
}

function readAmountRange(spot: Spot): OfferFilters['debtAmountCents'] {
  const members = readMembers(spot, ['min', 'max']);
  const before = spot.faults.length;
  const min = optional(members, 'min', readCents, null);
  const max = optional(members, 'max', readCents, null);
  if (min !== null && max !== null && min > max && spot.faults.length === before) {
    addFault(members.byName.get('max') ?? spot, 'must not be less than "min"');
  }
  return { min, max };
}

/** There is one exactly where the offer buys bookings. */
function readBooking(offer: Members): Booking | null {
  const spot = offer.byName.get('booking');
  const eventType = offer.byName.get('eventType');
  const isBookings = eventType?.tree.kind === 'scalar' && eventType.tree.value === 'Calendar Assigned';
  if (spot === undefined) {
    if (isBookings) addFault(eventType, 'needs "booking", which says when calls can be booked');
    return null;
  }
  const isSale = eventType?.tree.kind === 'scalar' && eventType.tree.value === 'Lead Sale';
  if (isSale) addFault(spot, 'belongs only to the event type Calendar Assigned');
  return readBookingTimes(spot);
}

function readBookingTimes(spot: Spot): Booking {
  const members = readMembers(spot, ['availability', 'slotMinutes', 'capacity', 'noticeMinutes', 'horizonDays']);
  const before = spot.faults.length;
  const booking: Booking = {
    availability: required(members, 'availability', readDisjointHours),
    slotMinutes: optional(members, 'slotMinutes', readInteger(1, MINUTES_OF_A_DAY), 30),
    capacity: optional(members, 'capacity', readInteger(1, 1000), 1),
    noticeMinutes: optional(members, 'noticeMinutes', readInteger(0, 30 * MINUTES_OF_A_DAY), 0),
    // Two weeks: a call further off is rarely kept.
    horizonDays: optional(members, 'horizonDays', readInteger(1, 365), 14),
  };
  const fits = booking.availability.some(({ fromMinute, toMinute }) => toMinute - fromMinute >= booking.slotMinutes);
  if (!fits && spot.faults.length === before) {
    addFault(
      members.byName.get('slotMinutes') ?? spot,
      'leave no room: no entry of the availability is as long as a slot',
    );
  }
  return booking;
}
