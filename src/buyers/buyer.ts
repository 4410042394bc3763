// A buyer (on the wire: partner) as configuration and the buyer's own settings know it.
import type { DeepReadonly } from '../base/json.ts';
import type { PartnerForm } from './partner.schema.ts';

type Form = DeepReadonly<PartnerForm>;

export type BuyerStatus = Form['status'];
export type Channel = Form['channels'][number];
export type BetaTool = Form['betaTools'][number];
export type EditableField = Form['editableFields'][number];

/** The seven settings of contract 6.16; each null (or empty) when not set. */
export type BuyerSettings = Form['settings'];
export type BuyerSetting = keyof BuyerSettings;

/** A monthly cap on claims: a count, or a share of the month's deliveries of that kind. */
export type ClaimCap = { readonly count: number } | { readonly percent: number };

export type ReturnPolicy = Omit<Form['returnPolicy'], 'monthlyCaps'> & {
  readonly monthlyCaps: { readonly leads: ClaimCap; readonly bookings: ClaimCap };
};

/** The members of `partner.schema.ts`, with amounts in cents, and without the settings that the buyer may change itself. */
export type BuyerConfig = Omit<Form, 'key' | 'settings' | 'returnPolicy' | 'billing'> & {
  readonly buyerKey: string;
  readonly returnPolicy: ReturnPolicy;
  /** The limit is how far the balance may go below zero: 0 for prepaid, null for no limit (postpaid, and none stated in the file). */
  readonly billing: { readonly mode: Form['billing']['mode']; readonly creditLimitCents: number | null };
};

/** A buyer as it now stands: what the operator configured and what may have been changed by the buyer. */
export type Buyer = BuyerConfig & {
  readonly settings: BuyerSettings;
  /** Since when the webhook endpoint has been out of use because it answered 410; null while it is in use. */
  readonly endpointDisabledAt: Date | null;
};
