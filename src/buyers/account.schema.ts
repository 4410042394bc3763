// The account on the wire: what a partner reads and what it may change (contract 6.16).
import { type Static, Type } from 'typebox';

import { EMAIL_LENGTH_MAX } from '../platform/contact/email.rules.ts';
import type { Buyer } from './buyer.ts';
import { betaTools, buyerSettings, buyerStatuses, editableFields } from './partner.schema.ts';
import { CC_EMAILS_MAX, TEXT_LENGTH_MAX, URL_LENGTH_MAX } from './check-setting.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';

type TextRule = { readonly format?: string; readonly pattern?: string; readonly maxLength?: number };

const email = (description: string, rule: TextRule = {}) =>
  Type.String({ ...rule, description, examples: ['leads@summit.example'] });
const number = (description: string, rule: TextRule = {}) =>
  Type.String({ ...rule, description, examples: ['+15555550123'] });
const target = (description: string, rule: TextRule = {}) =>
  Type.String({ ...rule, description, examples: ['https://crm.summit.example/leads'] });

const settings = {
  notificationEmail: orNull(email('The address for leads and notices by email.')),
  ccEmails: Type.Array(Type.String(), {
    description: `Copies of every email go here: at most ${CC_EMAILS_MAX} different addresses; upper and lower case count as the same.`,
    examples: [['team@summit.example']],
  }),
  webhookUrl: orNull(target('The URL that leads are posted to. HTTPS, at public addresses only.')),
  phone: orNull(number('The number to call you at. E.164.')),
  smsNumber: orNull(number('The number for leads by SMS. E.164.')),
  sheetsWebhookUrl: orNull(target('The URL of a script of a spreadsheet, for older integrations.')),
  sheetsSpreadsheetId: orNull(
    Type.String({
      description: 'The id of the Google spreadsheet that leads are appended to.',
      examples: ['1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'],
    }),
  ),
};

export const AccountSchema = Type.Object(
  {
    partnerKey: Type.String(),
    name: Type.String(),
    status: Type.Enum([...buyerStatuses], {
      description: 'A paused account can use the API but receives no new leads.',
    }),
    timeZone: Type.String({ description: 'IANA name of the time zone of caps, return windows and invoices.' }),
    currency: Type.String({ description: 'The currency of every amount.' }),
    ...settings,
    editableFields: Type.Array(Type.Enum([...editableFields]), {
      description:
        'The settings that you may change; `webhookSecret` is read and replaced by its own endpoints, `webhookFormat` and `channels` are changed in the portal.',
    }),
    betaTools: Type.Array(Type.Enum([...betaTools]), { description: 'The beta tools that are enabled for you.' }),
  },
  {
    $id: 'Account',
    description: 'Your account and its settings. An unset setting is null.',
    examples: [
      {
        partnerKey: 'summit',
        name: 'Summit Debt Relief',
        status: 'active',
        timeZone: 'America/Los_Angeles',
        currency: 'USD',
        notificationEmail: 'leads@summit.example',
        ccEmails: ['team@summit.example'],
        webhookUrl: 'https://crm.summit.example/leads',
        phone: null,
        smsNumber: null,
        sheetsWebhookUrl: null,
        sheetsSpreadsheetId: null,
        editableFields: [...buyerSettings, 'webhookSecret'],
        betaTools: ['timeline'],
      },
    ],
  },
);

const PHONE = String.raw`^\+[1-9](?:[ .()-]*\d){6,14}$`;
const SPREADSHEET_ID = '^[A-Za-z0-9_-]{1,200}$';
const SPREADSHEET_LINK = String.raw`^https://docs\.google\.com/(?:a/[^/]+/)?spreadsheets/`;

const emailRule = { format: 'email', maxLength: EMAIL_LENGTH_MAX };
const numberRule = { pattern: PHONE, maxLength: TEXT_LENGTH_MAX };
const targetRule = { format: 'uri', pattern: '^https://', maxLength: URL_LENGTH_MAX };

/** For the documentation only: which members may be changed depends on the partner, and `readAccountPatch` reports the errors. */
export const AccountPatchSchema = Type.Partial(
  Type.Object({
    notificationEmail: orNull(email('The address for leads and notices by email.', emailRule)),
    ccEmails: orNull(
      Type.Array(Type.String(emailRule), {
        description: 'Copies of every email go here: at most 20 different addresses.',
        maxItems: CC_EMAILS_MAX,
        uniqueItems: true,
        examples: [['team@summit.example']],
      }),
    ),
    webhookUrl: orNull(
      target(
        'The URL that leads are posted to. HTTPS, on port 443 or 1024 and above, at public addresses only.',
        targetRule,
      ),
    ),
    phone: orNull(number('The number to call you at, in international format.', numberRule)),
    smsNumber: orNull(number('The number for leads by SMS, in international format.', numberRule)),
    sheetsWebhookUrl: orNull(target('The URL of a script of a spreadsheet, for older integrations.', targetRule)),
    sheetsSpreadsheetId: Type.Union(
      [
        Type.String({ pattern: SPREADSHEET_ID, examples: ['1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'] }),
        Type.String({
          pattern: SPREADSHEET_LINK,
          maxLength: TEXT_LENGTH_MAX,
          examples: ['https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit#gid=0'],
        }),
        Type.Null(),
      ],
      {
        description:
          'The id of a Google spreadsheet, or its link as pasted. Share the spreadsheet with the service account first.',
      },
    ),
  }),
  {
    $id: 'AccountPatch',
    description:
      'The settings to change, all or none. null or a blank text clears a setting. Whitespace around a text is ignored.',
    additionalProperties: false,
    examples: [{ webhookUrl: 'https://crm.summit.example/leads', ccEmails: null }],
  },
);

export type AccountView = Static<typeof AccountSchema>;

/** Members in the order of the contract, so that equal accounts are equal as JSON text. */
export function accountView(buyer: Buyer, currency: string): AccountView {
  const { notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId } =
    buyer.settings;
  return {
    partnerKey: buyer.buyerKey,
    name: buyer.name,
    status: buyer.status,
    timeZone: buyer.timeZone,
    currency,
    notificationEmail,
    ccEmails: [...ccEmails],
    webhookUrl,
    phone,
    smsNumber,
    sheetsWebhookUrl,
    sheetsSpreadsheetId,
    editableFields: editableFields.filter((name) => buyer.editableFields.includes(name)),
    betaTools: betaTools.filter((tool) => buyer.betaTools.includes(tool)),
  };
}
