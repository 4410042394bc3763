// One way out of the house: what every channel is given and answers, so that the sender knows nothing of any of them (contract 5).
import type { BuyerSettings, Channel as ChannelName } from '../../buyers/buyer.ts';
import type { LeadFields } from '../../leads/lead-fields.ts';
import type { SendOutcome } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryView } from '../delivery.schema.ts';
import { webhookBody } from '../../platform/outbound/signed-post.ts';

export type Recipient = {
  readonly buyerKey: string;
  readonly name: string;
  /** IANA name; for times in texts that people read. */
  readonly timeZone: string;
  readonly settings: BuyerSettings;
  /** `whsec_…`; the current one first, and for 24 h after a rotation the one before. */
  readonly secrets: readonly string[];
};

/** One lead for one partner. */
export type Parcel = {
  /** The same on every attempt: the TypeID of the delivery; of a test, of its attempt. */
  readonly id: string;
  /** Nothing is sold, counted or billed, and whoever gets it must be able to tell. */
  readonly isTest: boolean;
  /** When it became the partner's. */
  readonly occurredAt: Date;
  /** In a message of JSON as it was sold, the same on every attempt; elsewhere as it is. */
  readonly delivery: DeliveryView;
  /** For channels that write more columns than the view has. */
  readonly fields: LeadFields;
  /** Length of a booked slot; null but for a booking. */
  readonly slotMinutes: number | null;
  /** Whether an attempt before this one may have arrived. */
  readonly isRepeat: boolean;
};

export type DeliveryChannel = {
  readonly name: ChannelName;
  /** How many parcels for one recipient one call takes at most. */
  readonly parcelsPerCall: number;
  /**
   * One outcome for each parcel, in their order. What the other side does, and what is not set up here, is an outcome and no
   * rejection. Ends within 20 s.
   */
  send(recipient: Recipient, parcels: readonly Parcel[], now: Date): Promise<readonly SendOutcome[]>;
};

/** The exact text that is signed and sent. */
export function leadBody({ isTest, occurredAt, delivery }: Parcel): string {
  return isTest
    ? webhookBody({ type: 'lead.test', occurredAt, data: { ...delivery, test: true } })
    : webhookBody({ type: 'lead.delivered', occurredAt, data: delivery });
}
