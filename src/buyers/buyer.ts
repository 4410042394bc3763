// A buyer (on the wire: partner): the operator's configuration and the buyer's own settings.
import type { DeepReadonly } from '../base/json.ts';
import type { PartnerForm } from './partner.schema.ts';

/** A setting that the file leaves out is not a member. */
export type FileSettings = { readonly [Name in keyof BuyerSettings]?: BuyerSettings[Name] };

/** What the last applied file stated of the members that a buyer may change itself; format and channels only if it may change these. */
export type FileStatement = FileSettings & {
  readonly webhookFormat?: WebhookFormat | null;
  readonly channels?: readonly Channel[];
};

type Form = DeepReadonly<PartnerForm>;

export type BuyerStatus = Form['status'];
export type Channel = Form['channels'][number];
export type BetaTool = Form['betaTools'][number];
export type EditableField = Form['editableFields'][number];

/** The seven settings of contract 6.16; null or empty if unset. */
export type BuyerSettings = Form['settings'];
export type BuyerSetting = keyof BuyerSettings;

/** A monthly cap on claims: a count, or a share of the month's deliveries of that kind. */
export type ClaimCap = { readonly count: number } | { readonly percent: number };

/** The request of a custom webhook and how its response is read; null stands for the standard format everywhere. */
export type WebhookFormat = NonNullable<Form['webhook']>;

export type ReturnPolicy = Omit<Form['returnPolicy'], 'monthlyCaps'> & {
  readonly monthlyCaps: { readonly leads: ClaimCap; readonly bookings: ClaimCap };
};

/** The members of `partner.schema.ts`, with amounts in cents, and without the settings that the buyer may change itself. */
export type BuyerConfig = Omit<Form, 'key' | 'settings' | 'returnPolicy' | 'billing'> & {
  readonly buyerKey: string;
  readonly returnPolicy: ReturnPolicy;
  /** The limit is how far the balance may go below zero: 0 for prepaid, null for no limit (postpaid, and none stated in the file). */
  readonly billing: BillingTerms & {
    readonly mode: Form['billing']['mode'];
    readonly creditLimitCents: number | null;
  };
};

/** What invoices to the buyer say and when they are due, and the available funds below which its offers pause. */
export type BillingTerms = Pick<Form['billing'], 'dueDays' | 'taxId' | 'address' | 'email'> & {
  /** Hundredths of a percent. */
  readonly taxBasisPoints: number;
  /** Null for never. */
  readonly pauseBelowCents: number | null;
};

/** A buyer with its current settings, which the buyer may have changed itself. */
export type Buyer = BuyerConfig & {
  readonly settings: BuyerSettings;
  /** When the webhook endpoint was disabled, after 410 or a long outage; null while it is enabled. */
  readonly endpointDisabledAt: Date | null;
  /** Since when its offers are paused because its available funds are below `pauseBelowCents`; null while they are not. */
  readonly fundsPausedAt: Date | null;
  /** Null while it wants leads. */
  readonly ownPause: OwnPause | null;
};

/** A partner's own decision to receive no leads for a while. */
export type OwnPause = {
  readonly since: Date;
  /** When it ends by itself; null if only the partner ends it. */
  readonly until: Date | null;
};
