// A buyer in the words of the marketplace file: what lists, differences and the export show (contract 7.6).
import { wireAmount } from '../base/money.ts';
import {
  betaTools,
  editableFields,
  buyerSettings,
  type BuyerConfig,
  type BuyerSettings,
  type ClaimCap,
} from './buyer.ts';

/** Settings that are not set, by their form that says so. */
export const noSettings: BuyerSettings = {
  notificationEmail: null,
  ccEmails: [],
  webhookUrl: null,
  phone: null,
  smsNumber: null,
  sheetsWebhookUrl: null,
  sheetsSpreadsheetId: null,
};

/** Members in the order of the file; equal buyers have forms that are equal as JSON text. Money as on the wire. */
export function buyerForm(buyer: BuyerConfig & { readonly settings: BuyerSettings }): Record<string, unknown> {
  const { rateLimit, returnPolicy, billing } = buyer;
  return {
    key: buyer.buyerKey,
    name: buyer.name,
    status: buyer.status,
    timeZone: buyer.timeZone,
    channels: buyer.channels,
    settings: Object.fromEntries(buyerSettings.map((name) => [name, buyer.settings[name]])),
    editableFields: editableFields.filter((name) => buyer.editableFields.includes(name)),
    betaTools: betaTools.filter((tool) => buyer.betaTools.includes(tool)),
    rateLimit: { perSecond: rateLimit.perSecond, burst: rateLimit.burst },
    returnPolicy: {
      windowBusinessDays: returnPolicy.windowBusinessDays,
      holidays: returnPolicy.holidays,
      disputeWindowDays: returnPolicy.disputeWindowDays,
      monthlyCaps: {
        leads: claimCapForm(returnPolicy.monthlyCaps.leads),
        bookings: claimCapForm(returnPolicy.monthlyCaps.bookings),
      },
    },
    billing: {
      mode: billing.mode,
      creditLimit: billing.creditLimitCents === null ? null : wireAmount(billing.creditLimitCents),
    },
  };
}

function claimCapForm(cap: ClaimCap): number | string {
  return 'count' in cap ? cap.count : `${cap.percent}%`;
}
