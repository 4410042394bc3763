// An endpoint queue: the send jobs of one partner and channel, which wait for each other and for no other jobs.
import type { Channel } from '../../buyers/buyer.ts';
import type { DueQueue as Due } from '../../platform/queue/dispatcher.ts';

export type EndpointQueue = { readonly buyerKey: string; readonly channel: Channel };

export function queueName({ buyerKey, channel }: EndpointQueue): string {
  return `${buyerKey} ${channel}`;
}

/** `sale` settles the delivery; `copy` goes to another channel, best effort; `replay` is sent again on request. */
export type SendPurpose = 'sale' | 'copy' | 'replay';

export type DueQueue = EndpointQueue & Due;
