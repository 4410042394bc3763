// Messages that wait for one endpoint, and one whose attempt has begun.
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import type { NewMessage, MessageType } from './queue-messages.ts';
import type { DueQueue as Due } from '../platform/queue/dispatcher.ts';
import type { Uuid, DeliveryId } from '../base/ids.ts';
import type { JobState } from '../platform/outbound/retry.rules.ts';
import type { MessageTarget } from './message-target.rules.ts';

/** The messages to one owner through one channel, which wait for each other and for no others. */
export type EndpointQueue = EndpointKey & Pick<NewMessage, 'channel'>;

export type DueQueue = EndpointQueue & Due;

export type StartedMessage = EndpointQueue & {
  /** Of the attempt, also in the log. */
  readonly leaseId: Uuid;
  readonly messageId: Uuid;
  readonly type: MessageType;
  /** JSON text. */
  readonly data: string;
  readonly deliveryId: DeliveryId | null;
  readonly occurredAt: Date;
  readonly job: JobState;
  /** Null where the owner does not have this channel any more. */
  readonly target: MessageTarget | null;
};
