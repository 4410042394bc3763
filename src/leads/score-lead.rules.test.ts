import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../marketplace/settings.ts';
import type { LeadFields } from './lead-fields.ts';
import { scoreFactorNames, scoreLead, type ScoreContext, type ScoreFactorName } from './score-lead.rules.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const context: ScoreContext = { weights: defaultSettings.scoreWeights, supplierReturnRate: 0, now };

const best: LeadFields = {
  fullName: 'Ann Lee',
  email: 'ann@gmail.com',
  phone: '+12133734253',
  businessName: 'Lee Inc',
  state: 'CA',
  debtAmountCents: 1_200_000,
  source: 'fb',
  consentTimestamp: '2026-11-20T11:00:00.000Z',
  sourceFormUrl: 'https://forms.example.com',
  tcpaConsent: true,
  consentVersion: null,
  consentText: null,
  leadIp: '203.0.113.9',
  utmSource: 'fb',
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: null,
  extra: {},
};

describe('scoreLead', () => {
  it('returns 100 points and no notes for a perfect lead', () => {
    const { score, factors } = scoreLead(best, context);
    expect(score).toBe(100);
    for (const name of scoreFactorNames) {
      expect(factors[name]).toEqual({ points: context.weights[name], max: context.weights[name], notes: [] });
    }
  });
});

type Case = {
  title: string;
  lead?: Partial<LeadFields>;
  context?: Partial<ScoreContext>;
  factor: ScoreFactorName;
  points: number;
  notes: string[];
};
const cases: readonly Case[] = [
  {
    title: 'a phone number that cannot exist',
    lead: { phone: '+15555550123' },
    factor: 'contact',
    points: 16.5,
    notes: ['phone_not_valid_line'],
  },
  { title: 'no phone', lead: { phone: null }, factor: 'contact', points: 12, notes: ['phone_absent'] },
  {
    title: 'a phone that the caller knows to be valid',
    lead: { phone: '+15555550123' },
    context: { phoneIsValid: true },
    factor: 'contact',
    points: 30,
    notes: [],
  },
  {
    title: 'a phone that the caller knows to be invalid',
    context: { phoneIsValid: false },
    factor: 'contact',
    points: 16.5,
    notes: ['phone_not_valid_line'],
  },
  {
    title: 'a disposable address',
    lead: { email: 'a@x.mailinator.com' },
    factor: 'contact',
    points: 21,
    notes: ['email_disposable'],
  },
  { title: 'no email', lead: { email: null }, factor: 'contact', points: 18, notes: ['email_absent'] },
  {
    title: 'a name of one word',
    lead: { fullName: 'Ann' },
    factor: 'completeness',
    points: 22,
    notes: ['name_single_word'],
  },
  {
    title: 'no state and no business',
    lead: { state: null, businessName: null },
    factor: 'completeness',
    points: 20,
    notes: ['missing_state', 'missing_business_name'],
  },
  {
    title: 'an amount of 0, which counts as given',
    lead: { debtAmountCents: 0 },
    factor: 'completeness',
    points: 25,
    notes: [],
  },
  { title: 'no consent', lead: { tcpaConsent: false }, factor: 'consent', points: 0, notes: ['consent_absent'] },
  {
    title: 'consent without a date',
    lead: { consentTimestamp: null },
    factor: 'consent',
    points: 14,
    notes: ['consent_undated'],
  },
  {
    title: 'consent of a day ago',
    lead: { consentTimestamp: '2026-11-19T12:00:00.000Z' },
    factor: 'consent',
    points: 20,
    notes: [],
  },
  {
    title: 'consent of three days ago',
    lead: { consentTimestamp: '2026-11-17T12:00:00.000Z' },
    factor: 'consent',
    points: 18,
    notes: ['consent_older_than_day'],
  },
  {
    title: 'consent of a fortnight ago',
    lead: { consentTimestamp: '2026-11-06T12:00:00.000Z' },
    factor: 'consent',
    points: 16,
    notes: ['consent_older_than_week'],
  },
  {
    title: 'consent of last year',
    lead: { consentTimestamp: '2025-11-06T12:00:00.000Z' },
    factor: 'consent',
    points: 14,
    notes: ['consent_older_than_month'],
  },
  {
    title: 'consent dated ahead',
    lead: { consentTimestamp: '2026-11-21T11:00:00.000Z' },
    factor: 'consent',
    points: 20,
    notes: [],
  },
  {
    title: 'no consent form',
    lead: { sourceFormUrl: null },
    factor: 'consent',
    points: 16,
    notes: ['consent_form_absent'],
  },
  {
    title: 'a supplier with some returns',
    context: { supplierReturnRate: 0.06 },
    factor: 'supplier',
    points: 12,
    notes: ['supplier_returns_some'],
  },
  {
    title: 'a supplier with many returns',
    context: { supplierReturnRate: 0.15 },
    factor: 'supplier',
    points: 7.5,
    notes: ['supplier_returns_high'],
  },
  {
    title: 'a supplier with too many returns',
    context: { supplierReturnRate: 0.9 },
    factor: 'supplier',
    points: 0,
    notes: ['supplier_returns_high'],
  },
  { title: 'no amount', lead: { debtAmountCents: null }, factor: 'plausibility', points: 5, notes: ['amount_absent'] },
  {
    title: 'a small amount',
    lead: { debtAmountCents: 99_999 },
    factor: 'plausibility',
    points: 7.5,
    notes: ['amount_unusual'],
  },
  {
    title: 'a large amount',
    lead: { debtAmountCents: 50_000_001 },
    factor: 'plausibility',
    points: 7.5,
    notes: ['amount_unusual'],
  },
  {
    title: 'an implausible amount of 0',
    lead: { debtAmountCents: 0 },
    factor: 'plausibility',
    points: 5,
    notes: ['amount_implausible'],
  },
  {
    title: 'an enormous amount',
    lead: { debtAmountCents: 99_999_999_999 },
    factor: 'plausibility',
    points: 5,
    notes: ['amount_implausible'],
  },
  { title: 'no state', lead: { state: null }, factor: 'plausibility', points: 5, notes: ['state_absent'] },
  {
    title: 'a US state and a phone of another country',
    lead: { phone: '+442079460958' },
    factor: 'plausibility',
    points: 7.5,
    notes: ['state_phone_abroad'],
  },
  {
    title: 'a Canadian province and a phone of the same country code',
    lead: { state: 'ON', phone: '+14165550123' },
    factor: 'plausibility',
    points: 10,
    notes: [],
  },
  {
    title: 'a region of another country and a phone of that country',
    lead: { state: 'BY', phone: '+4930901820' },
    factor: 'plausibility',
    points: 10,
    notes: [],
  },
];

describe('scoreLead factors and weights', () => {
  it.each(cases)(
    'gives $points points for $factor with $title',
    ({ lead, context: changes, factor, points, notes }) => {
      const { score, factors } = scoreLead({ ...best, ...lead }, { ...context, ...changes });
      expect(factors[factor]).toEqual({ points, max: context.weights[factor], notes });
      const total = scoreFactorNames.reduce((sum, name) => sum + factors[name].points, 0);
      expect(score).toBe(Math.round(total));
    },
  );

  it('treats weights as relative to their sum', () => {
    const weights = { contact: 1, completeness: 1, consent: 1, supplier: 0, plausibility: 0 };
    const { score, factors } = scoreLead(best, { ...context, weights });
    expect(score).toBe(100);
    expect(factors.contact.max).toBe(33.33);
    expect(factors.supplier.max).toBe(0);
    expect(scoreLead({ ...best, tcpaConsent: false }, { ...context, weights }).score).toBe(67);
  });

  it('returns no points if all weights are zero', () => {
    const weights = { contact: 0, completeness: 0, consent: 0, supplier: 0, plausibility: 0 };
    expect(scoreLead(best, { ...context, weights }).score).toBe(0);
  });
});

const weight = fc.double({ min: 0, max: 1000, noNaN: true });
const weightsArbitrary = fc.record({
  contact: weight,
  completeness: weight,
  consent: weight,
  supplier: weight,
  plausibility: weight,
});
const leads = fc.record({
  fullName: fc.constantFrom('Ann', 'Ann Lee'),
  email: fc.constantFrom(null, 'a@b.co', 'a@mailinator.com'),
  phone: fc.constantFrom(null, '+12133734253', '+15555550123', '+442079460958'),
  state: fc.constantFrom(null, 'CA'),
  debtAmountCents: fc.option(fc.nat({ max: 99_999_999_999 })),
  tcpaConsent: fc.boolean(),
  consentTimestamp: fc.option(
    fc
      .date({ min: new Date('2000-01-01'), max: new Date('2026-11-21'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ),
  sourceFormUrl: fc.constantFrom(null, 'https://a.example'),
});

describe('scoreLead of any lead', () => {
  it('is a deterministic integer from 0 to 100 that its factors add up to', () => {
    fc.assert(
      fc.property(
        leads,
        weightsArbitrary,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (changes, weights, supplierReturnRate) => {
          const lead = { ...best, ...changes };
          const result = scoreLead(lead, { weights, supplierReturnRate, now });
          expect(Number.isInteger(result.score) && result.score >= 0 && result.score <= 100).toBe(true);
          expect(scoreLead(lead, { weights, supplierReturnRate, now })).toEqual(result);
          for (const name of scoreFactorNames) {
            expect(result.factors[name].points).toBeLessThanOrEqual(result.factors[name].max);
          }
          const total = scoreFactorNames.reduce((sum, name) => sum + result.factors[name].points, 0);
          expect(Math.abs(total - result.score)).toBeLessThanOrEqual(0.5 + 0.03);
        },
      ),
    );
  });
});
