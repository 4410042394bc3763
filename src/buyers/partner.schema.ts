// Schema of a partner in the marketplace file and the console: members, bounds, defaults and labels (contract 6.16, 7.6).
import { type Static, type TSchema, Type } from 'typebox';

import {
  addressOf,
  amount,
  keyOf,
  line,
  type MemberCheck,
  members,
  nameMember,
  oneOf,
  rateLimitOf,
  setOf,
  orUnset,
  percent,
  taxIdOf,
  wholeNumber,
} from '../marketplace/configured.schema.ts';
import { EMAIL_LENGTH_MAX } from '../platform/contact/email.rules.ts';
import { WebhookFormatSchema } from './webhook-format.schema.ts';

export const buyerStatuses = ['active', 'paused', 'suspended'] as const;
export const channels = ['webhook', 'email', 'sms', 'sheets', 'sheets_script'] as const;
export const betaTools = ['timeline', 'delivery-logs', 'test-delivery', 'audit-log'] as const;
export const buyerSettings = [
  'notificationEmail',
  'ccEmails',
  'webhookUrl',
  'phone',
  'smsNumber',
  'sheetsWebhookUrl',
  'sheetsSpreadsheetId',
] as const;
/** What the operator can allow a buyer to change itself: its settings, its signing secret, the format of its webhook, and its channels. */
export const editableFields = [...buyerSettings, 'webhookSecret', 'webhookFormat', 'channels'] as const;
/**
 * A wrong format stops all deliveries, and a channel may cost the operator money (text messages): a buyer may change these only where the
 * operator says so.
 */
const editableByDefault = [...buyerSettings, 'webhookSecret'] as const;

/** The default rate limit of a buyer's tokens (contract 1.12). */
export const buyerRateLimit = { perSecond: 10, burst: 20 };

// A window of more than a year is a typing error.
const WINDOW_DAYS_MAX = 365;
const CLAIMS_MAX = 1_000_000;
// Half a year; longer terms are a typing error.
const DUE_DAYS_MAX = 180;
const PERCENT = '^(?:100(?:[.]00?)?|0?[0-9]{1,2}(?:[.][0-9]{1,2})?)%$';

const claimCap = (title: string) =>
  Type.Union([Type.Integer({ minimum: 0, maximum: CLAIMS_MAX }), Type.String({ pattern: PERCENT })], {
    title,
    description: 'A number such as 20, or a share of the deliveries such as 10%.',
    default: '10%',
    errorMessage: 'must be a count such as 20, or a percentage up to 100 such as "10%"',
  });

/** null clears a setting; a setting that is left out stays unchanged. */
const setting = <Schema extends TSchema>(schema: Schema, title: string) =>
  Type.Union([schema, Type.Null()], { title, optional: true });

const SettingsSchema = members(
  {
    notificationEmail: setting(Type.String(), 'Email address'),
    ccEmails: Type.Array(Type.String(), { title: 'CC addresses', optional: true, nullable: true }),
    webhookUrl: setting(Type.String(), 'Webhook URL'),
    phone: setting(Type.String(), 'Phone'),
    smsNumber: setting(Type.String(), 'SMS number'),
    sheetsWebhookUrl: setting(Type.String(), 'URL of the sheet’s script'),
    sheetsSpreadsheetId: setting(Type.String(), 'Spreadsheet'),
  },
  {
    default: {},
    check: 'settings',
    description: 'Initial values. A change by the partner stays until the file states another value.',
  },
);

export const PartnerSchema = members({
  key: keyOf('Key'),
  name: nameMember,
  status: oneOf(buyerStatuses, {
    title: 'Status',
    description: 'Paused partners receive no leads but can sign in; suspended ones can do neither.',
    default: 'active',
  }),
  timeZone: line({
    title: 'Time zone',
    description: 'Applies to open hours, caps and statements.',
    default: 'UTC',
    check: 'timeZone',
  }),
  channels: setOf(oneOf(channels), {
    title: 'Channels',
    description:
      'The first one is the primary channel. Without a channel, the partner reads its leads through the API.',
    ordered: true,
  }),
  settings: SettingsSchema,
  webhook: orUnset(WebhookFormatSchema, {
    title: 'Webhook format',
    description: 'How leads are sent to the webhook URL. The standard format if left out.',
  }),
  editableFields: setOf(oneOf(editableFields), {
    title: 'Editable by the partner',
    default: [...editableByDefault],
  }),
  betaTools: setOf(oneOf(betaTools), { title: 'Beta tools' }),
  rateLimit: rateLimitOf(buyerRateLimit),
  returnPolicy: members(
    {
      windowBusinessDays: wholeNumber(0, WINDOW_DAYS_MAX, { title: 'Return window (business days)', default: 5 }),
      holidays: setOf(line({ check: 'day' }), {
        title: 'Holidays',
        description: 'In addition to the federal holidays, such as 2026-12-24.',
      }),
      disputeWindowDays: wholeNumber(0, WINDOW_DAYS_MAX, { title: 'Dispute window (days)', default: 30 }),
      monthlyCaps: members(
        {
          leads: claimCap('Monthly cap for returned leads'),
          bookings: claimCap('Monthly cap for returned bookings'),
        },
        { default: {} },
      ),
    },
    { default: {} },
  ),
  billing: members(
    {
      mode: oneOf(['postpaid', 'prepaid'], { title: 'Billing', default: 'postpaid' }),
      creditLimit: orUnset(amount(), {
        title: 'Credit limit',
        description: 'The most that the partner may owe. No leads are sold to it beyond that.',
      }),
      dueDays: wholeNumber(0, DUE_DAYS_MAX, { title: 'Invoices are due after (days)', default: 14 }),
      taxPercent: percent({ title: 'Tax (%)', description: 'Added to the net amount of invoices.', default: 0 }),
      taxId: taxIdOf('Tax id'),
      address: addressOf('Billing address'),
      email: orUnset(line({ maxLength: EMAIL_LENGTH_MAX, check: 'email' satisfies MemberCheck }), {
        title: 'Email address for invoices',
        description: 'The email address for deliveries if left out.',
      }),
      pauseBelow: orUnset(amount(), {
        title: 'Pause offers below',
        description: 'While the available funds are below this amount, the partner gets no leads.',
      }),
    },
    { default: {}, check: 'creditLimit' satisfies MemberCheck },
  ),
});

/** A partner as in the file, with every member present; its offers have their own schema. */
export type PartnerForm = Static<typeof PartnerSchema>;
