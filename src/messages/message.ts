// A message to a supplier or a partner: as it is queued, as its attempt begins, and as the log of callbacks shows it (contract 5.1, 5.8).
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import type { DueQueue as Due } from '../platform/queue/dispatcher.ts';
import type { AttemptId, DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import type { JobState } from '../platform/outbound/retry.rules.ts';
import type { MessageTarget } from './message-target.rules.ts';

/** The queue of messages to one owner through one channel, which wait for each other and for no other messages. */
export type EndpointQueue = EndpointKey & Pick<NewMessage, 'channel'>;

export type DueQueue = EndpointQueue & Due;

export type StartedMessage = EndpointQueue & {
  /** Also the id of the attempt in the log. */
  readonly leaseId: AttemptId;
  readonly startedAt: Date;
  readonly messageId: Uuid;
  readonly type: MessageType;
  /** JSON text. */
  readonly data: string;
  readonly deliveryId: DeliveryId | null;
  readonly occurredAt: Date;
  readonly job: JobState;
  /** Null if the owner no longer has this channel. */
  readonly target: MessageTarget | null;
};

/**
 * `waiting`: for its first or next attempt; `delivered`; `failed`: for good, unless the operator requeues it; `dropped`: the supplier no
 * longer has a callback.
 */
export type CallbackState = 'waiting' | 'delivered' | 'failed' | 'dropped';

export type LoggedCallback = {
  readonly messageId: Uuid;
  readonly type: string;
  readonly state: CallbackState;
  readonly attempts: number;
  /** Of the last attempt that got a response. */
  readonly responseCode: number | null;
  readonly error: string | null;
  readonly queuedAt: Date;
  /** When the last attempt ended; null before the first one. */
  readonly triedAt: Date | null;
};

export type MessageType =
  | 'lead.processing_error'
  | 'lead.routed'
  | 'lead.rejected'
  | 'lead.returned'
  | 'return.reviewed'
  | 'dispute.reviewed'
  | 'endpoint.disabled';

export type NewMessage = {
  /** The TypeID is the `webhook-id`. Generated if missing; given if other records refer to it. */
  readonly messageId?: Uuid;
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  /** To a supplier's callback or a partner's webhook, or by email to the partner's address. */
  readonly channel: 'webhook' | 'email';
  readonly type: MessageType;
  /** The `data` of the message, as it is sent. */
  readonly data: object;
  /** The delivery that it is about, if any: its attempts are then in that delivery's log. */
  readonly deliveryId: DeliveryId | null;
  /** The lead that a message to a supplier is about: the result is then logged under the lead. */
  readonly leadId?: LeadId;
};
