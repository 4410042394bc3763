// An endpoint queue: the sendings to one partner through one channel, which wait for each other and for no others.
import type { Channel } from '../../buyers/buyer.ts';

export type EndpointQueue = { readonly buyerKey: string; readonly channel: Channel };

export function queueName({ buyerKey, channel }: EndpointQueue): string {
  return `${buyerKey} ${channel}`;
}
