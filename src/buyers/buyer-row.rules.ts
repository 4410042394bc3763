// Converts a buyer from and to its database row, and to its definition in the configuration history.
import type { Buyer, BuyerConfig, BuyerSettings } from './buyer.ts';
import { buyerRateLimit } from './partner.schema.ts';

export type SavedBuyer = BuyerConfig & { readonly settings: BuyerSettings };

type SavedRow = Omit<BuyerConfig, 'billing' | 'rateLimit'> &
  BuyerSettings & {
    readonly rateLimit: BuyerConfig['rateLimit'] | null;
    readonly billingMode: BuyerConfig['billing']['mode'];
    readonly creditLimitCents: number | null;
  };
export type BuyerRow = SavedRow & { readonly endpointDisabledAt: Date | null };

export function buyerOfRow(row: BuyerRow): Buyer {
  return {
    buyerKey: row.buyerKey,
    name: row.name,
    status: row.status,
    timeZone: row.timeZone,
    channels: row.channels,
    editableFields: row.editableFields,
    betaTools: row.betaTools,
    rateLimit: row.rateLimit ?? buyerRateLimit,
    returnPolicy: row.returnPolicy,
    billing: { mode: row.billingMode, creditLimitCents: row.creditLimitCents },
    settings: {
      notificationEmail: row.notificationEmail,
      ccEmails: row.ccEmails,
      webhookUrl: row.webhookUrl,
      phone: row.phone,
      smsNumber: row.smsNumber,
      sheetsWebhookUrl: row.sheetsWebhookUrl,
      sheetsSpreadsheetId: row.sheetsSpreadsheetId,
    },
    endpointDisabledAt: row.endpointDisabledAt,
  };
}

export function rowOfBuyer({ settings, billing, ...config }: SavedBuyer): SavedRow {
  return { ...config, ...settings, billingMode: billing.mode, creditLimitCents: billing.creditLimitCents };
}

/** The buyer as the configuration history stores it, with its members in a fixed order. */
export function definitionOfBuyer({ buyerKey, name, status, timeZone, channels, settings, ...rest }: Buyer): Buyer {
  const { editableFields, betaTools, rateLimit, returnPolicy, billing, endpointDisabledAt } = rest;
  return {
    buyerKey,
    name,
    status,
    timeZone,
    channels,
    settings,
    editableFields,
    betaTools,
    rateLimit,
    returnPolicy,
    billing,
    endpointDisabledAt,
  };
}
