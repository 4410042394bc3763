// A buyer (on the wire: partner) as configuration and the buyer's own settings know it.
import type { RateLimit } from '../marketplace/settings.ts';

export type BuyerStatus = 'active' | 'paused' | 'suspended';
export const buyerStatuses: readonly BuyerStatus[] = ['active', 'paused', 'suspended'];

export type Channel = 'webhook' | 'email' | 'sms' | 'sheets' | 'sheets_script';
export const channels: readonly Channel[] = ['webhook', 'email', 'sms', 'sheets', 'sheets_script'];

export type BetaTool = 'timeline' | 'delivery-logs' | 'test-delivery' | 'audit-log';
export const betaTools: readonly BetaTool[] = ['timeline', 'delivery-logs', 'test-delivery', 'audit-log'];

/** The seven settings of contract 6.16; each null (or empty) when not set. */
export type BuyerSettings = {
  readonly notificationEmail: string | null;
  readonly ccEmails: readonly string[];
  readonly webhookUrl: string | null;
  readonly phone: string | null;
  readonly smsNumber: string | null;
  readonly sheetsWebhookUrl: string | null;
  readonly sheetsSpreadsheetId: string | null;
};
export type BuyerSetting = keyof BuyerSettings;
export const buyerSettings: readonly BuyerSetting[] = [
  'notificationEmail',
  'ccEmails',
  'webhookUrl',
  'phone',
  'smsNumber',
  'sheetsWebhookUrl',
  'sheetsSpreadsheetId',
];

/** What the operator lets a buyer change itself: its settings, and the secret that signs what is sent to it. */
export type EditableField = BuyerSetting | 'webhookSecret';
export const editableFields: readonly EditableField[] = [...buyerSettings, 'webhookSecret'];

/** A monthly cap on claims: a count, or a share of the month's deliveries of that kind. */
export type ClaimCap = { readonly count: number } | { readonly percent: number };

export type ReturnPolicy = {
  readonly windowBusinessDays: number;
  /** The operator's own days off, `YYYY-MM-DD`, beside the federal holidays. */
  readonly holidays: readonly string[];
  readonly disputeWindowDays: number;
  readonly monthlyCaps: { readonly leads: ClaimCap; readonly bookings: ClaimCap };
};

export const defaultReturnPolicy: ReturnPolicy = {
  windowBusinessDays: 5,
  holidays: [],
  disputeWindowDays: 30,
  monthlyCaps: { leads: { percent: 10 }, bookings: { percent: 10 } },
};

export type BuyerConfig = {
  readonly buyerKey: string;
  readonly name: string;
  readonly status: BuyerStatus;
  /** IANA name. */
  readonly timeZone: string;
  /** The first is primary; none means that the buyer reads the API only. */
  readonly channels: readonly Channel[];
  readonly editableFields: readonly EditableField[];
  readonly betaTools: readonly BetaTool[];
  readonly rateLimit: RateLimit;
  readonly returnPolicy: ReturnPolicy;
  /** The limit is how far the balance may go below zero: 0 for prepaid, null for no limit (postpaid, and none stated in the file). */
  readonly billing: { readonly mode: 'prepaid' | 'postpaid'; readonly creditLimitCents: number | null };
};

/** A buyer as it now stands: what the operator configured and what may have been changed by the buyer. */
export type Buyer = BuyerConfig & {
  readonly settings: BuyerSettings;
  /** Since when the webhook endpoint has been out of use because it answered 410; null while it is in use. */
  readonly endpointDisabledAt: Date | null;
};

/** What a buyer token may do when its buyer says nothing else (contract 1.12). */
export const buyerRateLimit: RateLimit = { perSecond: 10, burst: 20 };
