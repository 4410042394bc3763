// The account as its partner reads and changes it (contract 6, account; source 2.10).
import { type Static, type TSchema, Type } from 'typebox';

import { betaTools, type Buyer, buyerSettings, buyerStatuses } from './buyer.ts';

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const email = (description: string) => Type.String({ description, examples: ['leads@summit.example'] });
const number = (description: string) => Type.String({ description, examples: ['+15555550123'] });
const target = (description: string) => Type.String({ description, examples: ['https://crm.summit.example/leads'] });

const settings = {
  notificationEmail: orNull(email('Where leads and notices go by e-mail.')),
  ccEmails: Type.Array(Type.String(), {
    description: 'Copies of every e-mail go here.',
    examples: [['team@summit.example']],
  }),
  webhookUrl: orNull(target('Where leads are posted to. HTTPS, at public addresses only.')),
  phone: orNull(number('For people who want to call you. E.164.')),
  smsNumber: orNull(number('Where leads go by SMS. E.164.')),
  sheetsWebhookUrl: orNull(target('Script of a spreadsheet, for older integrations.')),
  sheetsSpreadsheetId: orNull(
    Type.String({
      description: 'Google spreadsheet that leads are appended to.',
      examples: ['1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'],
    }),
  ),
};

export const AccountSchema = Type.Object(
  {
    partnerKey: Type.String(),
    name: Type.String(),
    status: Type.Enum([...buyerStatuses], { description: 'A paused account can use the API and gets no new leads.' }),
    timeZone: Type.String({ description: 'IANA name. Caps, return windows and invoices go by it.' }),
    currency: Type.String({ description: 'Of every amount.' }),
    ...settings,
    editableFields: Type.Array(Type.Enum([...buyerSettings]), { description: 'The settings that you may change.' }),
    betaTools: Type.Array(Type.Enum([...betaTools]), { description: 'The beta tools that are open to you.' }),
  },
  {
    $id: 'Account',
    description: 'Your account and its settings. What is not set is null.',
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
        editableFields: [...buyerSettings],
        betaTools: ['timeline'],
      },
    ],
  },
);

/** For the documentation alone: which members may be changed depends on the partner, and every fault is told in its own words. */
export const AccountPatchSchema = Type.Partial(
  Type.Object({
    ...settings,
    ccEmails: orNull(settings.ccEmails),
    sheetsSpreadsheetId: orNull(
      Type.String({
        description:
          'The id of a Google spreadsheet, or its link as pasted. Share the spreadsheet with the service account first.',
        examples: ['https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit#gid=0'],
      }),
    ),
  }),
  {
    $id: 'AccountPatch',
    description: 'The settings to change; all are changed or none. null clears one.',
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
    editableFields: buyerSettings.filter((name) => buyer.editableFields.includes(name)),
    betaTools: betaTools.filter((tool) => buyer.betaTools.includes(tool)),
  };
}
