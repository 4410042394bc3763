// An endpoint queue: the sendings to one partner through one channel, which wait for each other and for no others.
import type { Channel } from '../../buyers/buyer.ts';
import type { DueQueue as Due } from '../../platform/queue/dispatcher.ts';

export type EndpointQueue = { readonly buyerKey: string; readonly channel: Channel };

export function queueName({ buyerKey, channel }: EndpointQueue): string {
  return `${buyerKey} ${channel}`;
}

/** `sale` decides about the delivery; `copy` goes out beside it, best effort; `replay` is sent again on request. */
export type SendPurpose = 'sale' | 'copy' | 'replay';

export type DueQueue = EndpointQueue & Due;
