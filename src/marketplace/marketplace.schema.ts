// Schema of the marketplace's settings in the file and the console: members, bounds, defaults and labels (contract 7.6).
import { type Static, Type } from 'typebox';

import { countries } from '../base/regions.ts';
import { EMAIL_LENGTH_MAX } from '../platform/contact/email.rules.ts';
import {
  addressOf,
  line,
  listOf,
  type MemberNotes,
  members,
  numberFrom,
  oneOf,
  orUnset,
  taxIdOf,
  wholeNumber,
} from './configured.schema.ts';
import { OperatorNoticesSchema } from './notices.schema.ts';

/** Written instead of null, because null in a file selects the default. */
export const FOREVER = 'forever';

// It must fit on one line of an invoice.
const NAME_LENGTH_MAX = 100;
// Ten years: more is a typing error.
const DEDUP_DAYS_MAX = 3650;
// A week: a lead that waited longer is worthless.
const HOLD_MINUTES_MAX = 10_080;
const RETRY_SECONDS_MAX = 604_800;
const ATTEMPTS_MAX = 50;
const WEIGHT_MAX = 1_000_000;
// A hundred years: a longer term means forever.
const RETENTION_DAYS_MAX = 36_500;
const CONSENT_YEARS_MAX = 100;
// Every month has this day.
const RUN_DAY_MAX = 28;
// A reminder after more than a year is a typing error.
const REMINDER_DAYS_MAX = 366;

/** Responses of a day; more is a typing error. */
export const RESPONSES_MAX = 1_000_000;

const ACCENT_COLOR = '#0b6b62';
// 24 KB in base64, with the head of the URL: enough for a logo, and little in each response of a session.
const LOGO_LENGTH_MAX = 32_800;
const LOGO_PATTERN = '^data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$';
const NO_LOGO = 'must be a PNG or JPEG image of at most 24 KB, as a data URL such as "data:image/png;base64,…"';

const weight = (part: string, byDefault: number) =>
  numberFrom(0, WEIGHT_MAX, { title: `Score: ${part}`, default: byDefault });

const term = (maximum: number, notes: MemberNotes<number | typeof FOREVER>) =>
  Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Literal(FOREVER)], notes);

export const MarketplaceSchema = members({
  name: line({
    title: 'Name',
    description: 'The seller, as printed on invoices.',
    maxLength: NAME_LENGTH_MAX,
    default: 'Lead Marketplace',
  }),
  currency: line({
    title: 'Currency',
    description: 'Three uppercase letters, such as USD.',
    pattern: '^[A-Z]{3}$',
    default: 'USD',
    errorMessage: 'must be a currency code of three capitals, such as USD',
  }),
  strategy: oneOf(['price', 'weighted', 'round_robin'], {
    title: 'Strategy',
    description: 'Chooses among the open offers with the lowest priority number.',
    default: 'price',
  }),
  regions: Type.Union(
    [
      Type.Array(oneOf(countries), {
        uniqueItems: true,
        minItems: 1,
        errorMessage: 'must name US or CA or both, or be any',
      }),
      Type.Literal('any'),
    ],
    {
      title: 'States',
      description: 'The two-letter codes allowed in leads and filters.',
      default: [...countries],
    },
  ),
  timeZone: line({
    title: 'Time zone',
    description: 'For the days and times of the console, and the days of reports that name no other time zone.',
    default: 'UTC',
    check: 'timeZone',
  }),
  dedupDays: wholeNumber(0, DEDUP_DAYS_MAX, { title: 'Duplicate window (days)', default: 30 }),
  holdMinutes: wholeNumber(0, HOLD_MINUTES_MAX, {
    title: 'Maximum hold (minutes)',
    description: 'How long a lead waits for an offer that opens soon.',
    default: 15,
  }),
  retrySeconds: Type.Array(wholeNumber(0, RETRY_SECONDS_MAX), {
    minItems: 1,
    maxItems: ATTEMPTS_MAX,
    title: 'Retry delays (seconds)',
    description: 'One delay per attempt, in order; 0 means at once.',
    // About 18 hours in total: long enough for an outage overnight, short enough that a lead is still worth a call.
    default: [0, 5, 30, 120, 600, 1800, 7200, 18_000, 36_000],
    errorMessage: `must name 1 to ${ATTEMPTS_MAX} waits, one for each attempt`,
  }),
  scoreWeights: members(
    {
      contact: weight('contact', 30),
      completeness: weight('completeness', 25),
      consent: weight('consent', 20),
      supplier: weight('supplier', 15),
      plausibility: weight('plausibility', 10),
    },
    {
      default: {},
      check: 'weights',
      description: 'Points of the five parts of the score. The score is their sum, scaled to 0–100.',
    },
  ),
  breaker: members(
    {
      failures: wholeNumber(1, 1000, { title: 'Failures until the breaker opens', default: 10 }),
      probeSeconds: wholeNumber(1, 86_400, { title: 'Seconds between probes', default: 30 }),
    },
    { default: {} },
  ),
  rejections: members(
    {
      pauseAbove: orUnset(wholeNumber(0, 100), {
        title: 'Pause offers above (% rejected)',
        description:
          'An offer pauses until its partner’s day ends once more of the day’s responses than this reject the lead, as unwanted or as a duplicate.',
      }),
      responses: wholeNumber(1, RESPONSES_MAX, {
        title: 'Responses a day, at least',
        description: 'Fewer responses of a day pause no offer.',
        default: 20,
      }),
    },
    { default: {}, description: 'When an offer pauses because its partner rejects leads. Offers may state their own.' },
  ),
  // Runs that start with a month that is over when they are switched on, so that a new release bills nothing of the past by itself.
  billing: members(
    {
      runOn: wholeNumber(1, RUN_DAY_MAX, {
        title: 'Day of the monthly runs',
        description: 'In the time zone of each partner and supplier.',
        default: 1,
      }),
      invoices: Type.Boolean({ title: 'Issue invoices by itself', default: true }),
      statements: Type.Boolean({ title: 'Issue statements to suppliers by itself', default: true }),
      reminderDays: listOf(wholeNumber(1, REMINDER_DAYS_MAX), {
        title: 'Reminders (days after the due date)',
        description: 'One reminder each, until the invoice is paid. None for no reminders.',
        default: [7, 14, 28],
        maxItems: 10,
        uniqueItems: true,
        ordered: true,
        errorMessage: `must name up to 10 numbers of days, each from 1 to ${REMINDER_DAYS_MAX} and once`,
      }),
      address: addressOf('Address of the marketplace'),
      taxId: taxIdOf('Tax id of the marketplace'),
    },
    { default: {}, description: 'Monthly runs, reminders, and the seller as printed on invoices.' },
  ),
  // Accounts, deliveries, claims and the audit log are always kept.
  retention: members(
    {
      // By default partners can read and export their deliveries without a time limit. Older leads are erased as by `lead erase`.
      leadDays: term(RETENTION_DAYS_MAX, { title: 'Contact data (days)', default: FOREVER }),
      rawBodyDays: term(RETENTION_DAYS_MAX, { title: 'Submissions as received (days)', default: 90 }),
      // An endpoint's response is useful while its delivery can be disputed.
      snippetDays: term(RETENTION_DAYS_MAX, { title: 'Responses of endpoints (days)', default: 30 }),
      // A year and some weeks, so that a month can be compared with the same month of the year before.
      attemptDays: term(RETENTION_DAYS_MAX, { title: 'Attempts (days)', default: 400 }),
      // Routing decisions, and the outages of endpoints at the time.
      decisionDays: term(RETENTION_DAYS_MAX, { title: 'Decisions (days)', default: 400 }),
      // Keyed hashes of contacts and the partners that they were sold to, never deleted within `dedupDays`: 30 days to detect duplicates, and
      // another 30 for a claim that the contact was sold before.
      personDays: term(RETENTION_DAYS_MAX, { title: 'Hashes of sold contacts (days)', default: 60 }),
      // Longer than the four years in which a call can be the subject of a lawsuit.
      consentYears: term(CONSENT_YEARS_MAX, { title: 'Proofs of consent (years)', default: 5 }),
    },
    { default: {}, description: 'How long data is kept: in days, proofs of consent in years, or forever.' },
  ),
  brand: members(
    {
      accentColor: line({
        title: 'Accent color',
        description: 'Of buttons, links and the menu. Shades that are readable are made from it.',
        pattern: '^#[0-9A-Fa-f]{6}$',
        default: ACCENT_COLOR,
        errorMessage: `must be a color such as "${ACCENT_COLOR}"`,
      }),
      logo: orUnset(
        line({
          title: 'Logo',
          maxLength: LOGO_LENGTH_MAX,
          pattern: LOGO_PATTERN,
          errorMessage: NO_LOGO,
          check: 'logo',
        }),
        { title: 'Logo', description: 'A PNG or JPEG image of at most 24 KB, as a data URL.' },
      ),
      helpEmail: orUnset(line({ maxLength: EMAIL_LENGTH_MAX, check: 'email' }), {
        title: 'Email for help',
        description: 'The portals show partners and suppliers whom to ask.',
      }),
    },
    { default: {}, description: 'How pages, mails and documents look.' },
  ),
  notices: OperatorNoticesSchema,
});

/** The settings as in the file, with every member present. */
export type MarketplaceForm = Static<typeof MarketplaceSchema>;
