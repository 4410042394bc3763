// The interface of delivery channels: recipient, parcel and result, so that the sender does not depend on any channel (contract 5).
import type { BuyerSettings, Channel as ChannelName } from '../../buyers/buyer.ts';
import type { SealedSecret } from '../../credentials/partner-secrets.ts';
import type { LeadFields } from '../../leads/lead-fields.ts';
import type { SendOutcome } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryView } from '../delivery.schema.ts';
import { webhookBody } from '../../platform/outbound/signed-post.ts';

export type Recipient = {
  readonly buyerKey: string;
  readonly name: string;
  /** IANA name; for times in texts. */
  readonly timeZone: string;
  readonly settings: BuyerSettings;
  /** `whsec_…`; the current one first, then for 24 h after a rotation the previous one. */
  readonly secrets: readonly string[];
  /** Null for the standard format. */
  readonly custom: CustomWebhook | null;
  /** Names of own fields and of parts of the name; their columns follow the others in a sheet. */
  readonly ownColumns: readonly string[];
};

/** The partner's own webhook format, with the secrets that it may name. */
export type CustomWebhook = {
  /** JSON text of a WebhookFormat, as stored. */
  readonly format: string;
  readonly secrets: readonly SealedSecret[];
};

/** One lead for one partner. */
export type Parcel = {
  /** The same on every attempt: the TypeID of the delivery, or of a test's attempt. */
  readonly id: string;
  /** Nothing is sold, counted or billed; the recipient must be able to see that. */
  readonly isTest: boolean;
  /** When the lead was sold to the partner. */
  readonly occurredAt: Date;
  /** In JSON messages the state at the sale, the same on every attempt; in other channels the current state. */
  readonly delivery: DeliveryView;
  /** For channels that write more columns than the view has. */
  readonly fields: LeadFields;
  /** Length of a booked slot; bookings only, else null. */
  readonly slotMinutes: number | null;
  /** Whether an earlier attempt may have arrived. */
  readonly isRepeat: boolean;
  /** The prices that the partner may name in its response; null where the price is fixed. */
  readonly priceBounds: PriceBounds | null;
};

/** Both included. */
export type PriceBounds = {
  readonly minCents: number;
  readonly maxCents: number;
  /** Of the marketplace: a price in another currency is none. */
  readonly currency: string;
};

export type DeliveryChannel = {
  readonly name: ChannelName;
  /** The largest number of parcels for one recipient in one call. */
  readonly parcelsPerCall: number;
  /**
   * Resolves to one outcome for each parcel, in their order. Errors of the other side and missing settings are outcomes, not rejections. Ends
   * within 20 s.
   */
  send(recipient: Recipient, parcels: readonly Parcel[], now: Date): Promise<readonly SendOutcome[]>;
};

export type DeliveryChannels = Readonly<Record<ChannelName, DeliveryChannel>>;

/** The exact text of a lead's webhook, as it is signed and sent (contract 5.1). */
export function leadBody({ isTest, occurredAt, delivery }: Parcel): string {
  return isTest
    ? webhookBody({ type: 'lead.test', occurredAt, data: { ...delivery, test: true } })
    : webhookBody({ type: 'lead.delivered', occurredAt, data: delivery });
}
