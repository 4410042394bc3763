// Converts a buyer from and to its database row, and to its definition in the configuration history.
import { storedTimeZone } from '../base/time-zone.rules.ts';
import type { BillingTerms, Buyer, BuyerConfig, BuyerSettings } from './buyer.ts';
import { buyerRateLimit } from './partner.schema.ts';

export type SavedBuyer = BuyerConfig & { readonly settings: BuyerSettings };

type SavedRow = Omit<BuyerConfig, 'billing' | 'rateLimit' | 'webhook'> &
  BuyerSettings & {
    readonly rateLimit: BuyerConfig['rateLimit'] | null;
    readonly billingMode: BuyerConfig['billing']['mode'];
    readonly creditLimitCents: number | null;
    readonly webhookFormat: BuyerConfig['webhook'];
  };
export type BuyerRow = SavedRow & {
  /** Members that are left out have their defaults. */
  readonly billingTerms: Partial<BillingTerms>;
  readonly endpointDisabledAt: Date | null;
  readonly fundsPausedAt: Date | null;
  readonly ownPausedAt: Date | null;
  readonly ownPausedUntil: Date | null;
};

/** The terms of a partner that states none. */
export const defaultTerms: BillingTerms = {
  dueDays: 14,
  taxBasisPoints: 0,
  taxId: null,
  address: [],
  email: null,
  pauseBelowCents: null,
};

export function buyerOfRow(row: BuyerRow): Buyer {
  return {
    buyerKey: row.buyerKey,
    name: row.name,
    status: row.status,
    timeZone: storedTimeZone(row.timeZone),
    channels: row.channels,
    editableFields: row.editableFields,
    betaTools: row.betaTools,
    rateLimit: row.rateLimit ?? buyerRateLimit,
    returnPolicy: row.returnPolicy,
    billing: {
      mode: row.billingMode,
      creditLimitCents: row.creditLimitCents,
      ...defaultTerms,
      ...row.billingTerms,
    },
    settings: {
      notificationEmail: row.notificationEmail,
      ccEmails: row.ccEmails,
      webhookUrl: row.webhookUrl,
      phone: row.phone,
      smsNumber: row.smsNumber,
      sheetsWebhookUrl: row.sheetsWebhookUrl,
      sheetsSpreadsheetId: row.sheetsSpreadsheetId,
    },
    webhook: row.webhookFormat,
    endpointDisabledAt: row.endpointDisabledAt,
    fundsPausedAt: row.fundsPausedAt,
    ownPause: row.ownPausedAt === null ? null : { since: row.ownPausedAt, until: row.ownPausedUntil },
  };
}

export function rowOfBuyer({
  settings,
  billing,
  webhook,
  ...config
}: SavedBuyer): SavedRow & Pick<BuyerRow, 'billingTerms'> {
  const { mode, creditLimitCents, ...billingTerms } = billing;
  return { ...config, ...settings, webhookFormat: webhook, billingMode: mode, creditLimitCents, billingTerms };
}

/** The buyer as the configuration history stores it, with its members in a fixed order. */
export function definitionOfBuyer({ buyerKey, name, status, timeZone, channels, settings, ...rest }: Buyer): Buyer {
  const { webhook, editableFields, betaTools, rateLimit, returnPolicy, billing } = rest;
  const { endpointDisabledAt, fundsPausedAt, ownPause } = rest;
  return {
    buyerKey,
    name,
    status,
    timeZone,
    channels,
    settings,
    webhook,
    editableFields,
    betaTools,
    rateLimit,
    returnPolicy,
    billing,
    endpointDisabledAt,
    fundsPausedAt,
    ownPause,
  };
}
