// Converts a buyer between its form in the marketplace file and the service's own: amounts in cents, caps as counts or shares (contract 7.6).
import { centsOf, wireAmount } from '../base/money.ts';
import { formOf } from '../marketplace/configured-form.rules.ts';
import type { BuyerConfig, BuyerSettings, ClaimCap, WebhookFormat } from './buyer.ts';
import { type PartnerForm, PartnerSchema } from './partner.schema.ts';

/** All settings unset. */
export const noSettings: BuyerSettings = {
  notificationEmail: null,
  ccEmails: [],
  webhookUrl: null,
  phone: null,
  smsNumber: null,
  sheetsWebhookUrl: null,
  sheetsSpreadsheetId: null,
};

/** Members in the order of the file, so that equal buyers have forms that are equal as JSON text. Money as on the wire. */
export function buyerForm({
  buyerKey,
  returnPolicy,
  billing: { creditLimitCents, taxBasisPoints, pauseBelowCents, ...billing },
  ...buyer
}: BuyerConfig & { readonly settings: BuyerSettings }): PartnerForm {
  const { leads, bookings } = returnPolicy.monthlyCaps;
  return formOf(PartnerSchema, {
    ...buyer,
    key: buyerKey,
    returnPolicy: {
      ...returnPolicy,
      monthlyCaps: { leads: claimCapForm(leads), bookings: claimCapForm(bookings) },
    },
    billing: {
      ...billing,
      creditLimit: creditLimitCents === null ? null : wireAmount(creditLimitCents),
      taxPercent: wireAmount(taxBasisPoints),
      pauseBelow: pauseBelowCents === null ? null : wireAmount(pauseBelowCents),
    },
  });
}

/** Without the settings, because a file may state only some of them. */
export function buyerOfForm({
  key,
  returnPolicy,
  billing,
  webhook,
  ...form
}: Omit<PartnerForm, 'settings'>): BuyerConfig {
  const { leads, bookings } = returnPolicy.monthlyCaps;
  const { creditLimit, taxPercent, pauseBelow, ...terms } = billing;
  const limit = creditLimit === null ? null : centsOf(creditLimit);
  return {
    ...form,
    buyerKey: key,
    webhook: webhookOfForm(webhook),
    returnPolicy: {
      ...returnPolicy,
      monthlyCaps: { leads: claimCapOfForm(leads), bookings: claimCapOfForm(bookings) },
    },
    // A prepaid partner has no credit.
    billing: {
      ...terms,
      creditLimitCents: billing.mode === 'prepaid' ? 0 : limit,
      taxBasisPoints: centsOf(taxPercent),
      pauseBelowCents: pauseBelow === null ? null : centsOf(pauseBelow),
    },
  };
}

function claimCapForm(cap: ClaimCap): number | string {
  return 'count' in cap ? cap.count : `${cap.percent}%`;
}

function claimCapOfForm(cap: number | string): ClaimCap {
  return typeof cap === 'number' ? { count: cap } : { percent: Number(cap.slice(0, -1)) };
}

/** Names are ordered, because the database keeps no order of them: equal formats have forms that are equal as JSON text. */
export function webhookOfForm(form: PartnerForm['webhook']): WebhookFormat | null {
  if (form === null || form.format === 'standard') return null;
  return {
    ...form,
    headers: byName(form.headers),
    query: byName(form.query),
    response: {
      rules: form.response.rules.map(({ when, ...rule }) => ({
        ...rule,
        when: { ...when, header: withText(when.header), json: withText(when.json), text: withText(when.text) },
      })),
    },
  };
}

function byName(templates: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(templates).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Values are compared as text. */
function withText<Test extends { readonly equals: string | number | boolean | null }>(test: Test | null): Test | null {
  const equals = test?.equals ?? null;
  return test === null || equals === null ? test : { ...test, equals: String(equals) };
}
