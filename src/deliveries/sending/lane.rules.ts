// A lane: the sendings of one partner through one channel, which wait for each other and for nobody else.
import type { Channel } from '../../buyers/buyer.ts';

export type Lane = { readonly buyerKey: string; readonly channel: Channel };

export function laneName({ buyerKey, channel }: Lane): string {
  return `${buyerKey} ${channel}`;
}
