// Scores a lead from 0 to 100 by five factors, each with the reasons for its points (contract 3.5).
import { countries, readRegion } from '../base/regions.ts';
import type { ScoreWeights } from '../marketplace/settings.ts';
import { isDisposableDomain } from './disposable-email.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { isValidLine } from '../platform/contact/phone.rules.ts';

export const scoreFactorNames = ['contact', 'completeness', 'consent', 'supplier', 'plausibility'] as const;
export type ScoreFactorName = (typeof scoreFactorNames)[number];

/** `points` of `max`, both with at most two decimals; `notes` explain lost points. */
export type ScoreFactor = { readonly points: number; readonly max: number; readonly notes: readonly ScoreNote[] };
export type ScoreFactors = Readonly<Record<ScoreFactorName, ScoreFactor>>;

/** The own fields without a value, separated by commas. */
export type OwnNote = `missing_own:${string}`;

export type ScoreNote =
  | OwnNote
  | 'phone_absent'
  | 'phone_not_valid_line'
  | 'email_absent'
  | 'email_disposable'
  | `missing_${(typeof COMPLETENESS)[number]['name']}`
  | 'name_single_word'
  | 'consent_absent'
  | 'consent_undated'
  | 'consent_older_than_day'
  | 'consent_older_than_week'
  | 'consent_older_than_month'
  | 'consent_form_absent'
  | 'supplier_returns_some'
  | 'supplier_returns_high'
  | 'amount_absent'
  | 'amount_unusual'
  | 'amount_implausible'
  | 'state_absent'
  | 'state_phone_abroad';

export type ScoreContext = {
  /** Zero or positive, relative to their sum. */
  readonly weights: ScoreWeights;
  /** Returned over confirmed deliveries of the supplier in 30 days, 0 to 1; 0 without deliveries. */
  readonly supplierReturnRate: number;
  readonly now: Date;
  /** The names of the own fields of the lead's vertical; none by default. */
  readonly ownNames?: readonly string[];
  /** Whether the phone number can exist, if the caller knows already. */
  readonly phoneIsValid?: boolean;
};

/** The share of its maximum that a factor gets, 0 to 1. */
type Share = { readonly share: number; readonly notes: readonly ScoreNote[] };

const DAY_MS = 24 * 60 * 60 * 1000;

// Debt-relief buyers reach a lead by phone, so it counts 50 % more than the email address.
const PHONE_SHARE = 0.6;
const EMAIL_SHARE = 0.4;
// An impossible number or disposable address still counts a little: it may be a typing error.
const DOUBTFUL = 0.25;

// Fields by importance for a buyer's agent. The parts sum to 25, one per point of the default weight. `ofDebt` marks those that only debt leads
// need: in a vertical with own fields they count if given.
const COMPLETENESS = [
  { name: 'phone', parts: 5, of: (lead) => lead.phone },
  { name: 'email', parts: 4, of: (lead) => lead.email },
  { name: 'state', parts: 4, of: (lead) => lead.state },
  { name: 'debt_amount', parts: 4, of: (lead) => lead.debtAmountCents, ofDebt: true },
  { name: 'lead_ip', parts: 2, of: (lead) => lead.leadIp },
  { name: 'utm_source', parts: 2, of: (lead) => lead.utmSource },
  { name: 'business_name', parts: 1, of: (lead) => lead.businessName, ofDebt: true },
] as const satisfies ReadonlyArray<{
  name: string;
  parts: number;
  of: (lead: LeadFields) => string | number | null;
  ofDebt?: true;
}>;
const WHOLE_NAME_PARTS = 3;
// Own fields are what buyers of their vertical choose by, as much as all standard fields together.
const OWN_SHARE = 0.5;

const CONSENT_PRESENT = 0.5;
const CONSENT_FRESH = 0.3;
const CONSENT_FORM = 0.2;

// A return rate of 30 % earns no points; the share falls linearly until there.
const WORST_RETURN_RATE = 0.3;
const HIGH_RETURN_RATE = 0.15;

// Unsecured debts of a person: relief programmes start near $1,000, and above $500,000 most amounts are typing errors.
const USUAL_AMOUNT = { min: 100_000, max: 50_000_000 };
const LARGEST_AMOUNT = 100_000_000;

/** Deterministic, without network access. */
export function scoreLead(lead: LeadFields, context: ScoreContext): { score: number; factors: ScoreFactors } {
  const { weights, ownNames = [] } = context;
  const sum = scoreFactorNames.reduce((total, name) => total + weights[name], 0);
  const factor = (name: ScoreFactorName, { share, notes }: Share): ScoreFactor => {
    const max = sum > 0 ? (100 * weights[name]) / sum : 0;
    return { points: twoDecimals(share * max), max: twoDecimals(max), notes };
  };
  const factors: ScoreFactors = {
    contact: factor('contact', contactShare(lead, context.phoneIsValid)),
    completeness: factor('completeness', completenessShare(lead, ownNames)),
    consent: factor('consent', consentShare(lead, context.now)),
    supplier: factor('supplier', supplierShare(context.supplierReturnRate)),
    plausibility: factor('plausibility', plausibilityShare(lead, ownNames.length > 0)),
  };
  const points = scoreFactorNames.reduce((total, name) => total + factors[name].points, 0);
  // Rounded factors can sum to a hundredth above 100.
  return { score: Math.min(100, Math.round(points)), factors };
}

function contactShare(lead: LeadFields, phoneIsValid: boolean | undefined): Share {
  const notes: ScoreNote[] = [];
  let share = 0;
  if (lead.phone === null) notes.push('phone_absent');
  else if (phoneIsValid ?? isValidLine(lead.phone)) share += PHONE_SHARE;
  else {
    share += PHONE_SHARE * DOUBTFUL;
    notes.push('phone_not_valid_line');
  }
  if (lead.email === null) notes.push('email_absent');
  else if (isDisposableDomain(lead.email.slice(lead.email.indexOf('@') + 1))) {
    share += EMAIL_SHARE * DOUBTFUL;
    notes.push('email_disposable');
  } else share += EMAIL_SHARE;
  return { share, notes };
}

function completenessShare(lead: LeadFields, ownNames: readonly string[]): Share {
  const notes: ScoreNote[] = [];
  let parts = 0;
  let all = WHOLE_NAME_PARTS;
  if (lead.fullName.includes(' ')) parts += WHOLE_NAME_PARTS;
  else notes.push('name_single_word');
  for (const field of COMPLETENESS) {
    const isGiven = field.of(lead) !== null;
    if (!isGiven && 'ofDebt' in field && ownNames.length > 0) continue;
    all += field.parts;
    if (isGiven) parts += field.parts;
    else notes.push(`missing_${field.name}`);
  }
  if (ownNames.length === 0) return { share: parts / all, notes };
  const missing = ownNames.filter((name) => lead.own?.[name] === undefined);
  if (missing.length > 0) notes.push(`missing_own:${missing.join(', ')}`);
  const own = 1 - missing.length / ownNames.length;
  return { share: (1 - OWN_SHARE) * (parts / all) + OWN_SHARE * own, notes };
}

/** Without consent, its date and form count nothing. */
function consentShare(lead: LeadFields, now: Date): Share {
  if (!lead.tcpaConsent) return { share: 0, notes: ['consent_absent'] };
  const notes: ScoreNote[] = [];
  const freshness = consentFreshness(lead.consentTimestamp, now, notes);
  if (lead.sourceFormUrl === null) notes.push('consent_form_absent');
  return {
    share: CONSENT_PRESENT + CONSENT_FRESH * freshness + (lead.sourceFormUrl === null ? 0 : CONSENT_FORM),
    notes,
  };
}

function consentFreshness(consentTimestamp: string | null, now: Date, notes: ScoreNote[]): number {
  if (consentTimestamp === null) {
    notes.push('consent_undated');
    return 0;
  }
  const age = now.getTime() - Date.parse(consentTimestamp);
  if (age <= DAY_MS) return 1;
  if (age <= 7 * DAY_MS) {
    notes.push('consent_older_than_day');
    return 2 / 3;
  }
  if (age <= 30 * DAY_MS) {
    notes.push('consent_older_than_week');
    return 1 / 3;
  }
  notes.push('consent_older_than_month');
  return 0;
}

function supplierShare(returnRate: number): Share {
  const rate = Math.min(1, Math.max(0, returnRate));
  const share = Math.max(0, 1 - rate / WORST_RETURN_RATE);
  if (rate === 0) return { share, notes: [] };
  return { share, notes: [rate >= HIGH_RETURN_RATE ? 'supplier_returns_high' : 'supplier_returns_some'] };
}

/** Half for the amount, half for the state; a missing value earns no points. In a vertical with own fields a missing amount does not count. */
function plausibilityShare(lead: LeadFields, hasOwnFields: boolean): Share {
  const notes: ScoreNote[] = [];
  const isWithoutAmount = hasOwnFields && lead.debtAmountCents === null;
  const amount = isWithoutAmount ? null : amountPlausibility(lead.debtAmountCents, notes);
  let state = 1;
  if (lead.state === null) {
    state = 0;
    notes.push('state_absent');
  } else if (isNorthAmerican(lead.state) && lead.phone !== null && !lead.phone.startsWith('+1')) {
    state = 0.5;
    notes.push('state_phone_abroad');
  }
  return { share: amount === null ? state : (amount + state) / 2, notes };
}

/** The US and Canada share the country code 1. For regions of other countries, the expected country code is unknown. */
function isNorthAmerican(state: string): boolean {
  return readRegion(state, countries) !== null;
}

function amountPlausibility(cents: number | null, notes: ScoreNote[]): number {
  if (cents === null) {
    notes.push('amount_absent');
    return 0;
  }
  if (cents >= USUAL_AMOUNT.min && cents <= USUAL_AMOUNT.max) return 1;
  const isPossible = cents > 0 && cents <= LARGEST_AMOUNT;
  notes.push(isPossible ? 'amount_unusual' : 'amount_implausible');
  return isPossible ? 0.5 : 0;
}

function twoDecimals(points: number): number {
  return Math.round(points * 100) / 100;
}
