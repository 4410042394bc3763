// Which of its channels a partner may switch on, off and put first by itself (contract 6.16).
import type { Buyer, Channel } from './buyer.ts';
import { settingOf, targetOf } from './channel-target.rules.ts';
import { channels } from './partner.schema.ts';

type OwnBounds = Pick<Buyer, 'channels' | 'editableFields'>;

/** Those whose target the partner may change as well: who may not enter a number may not switch text messages on. */
export function ownChannels({ editableFields }: Pick<Buyer, 'editableFields'>): Channel[] {
  if (!editableFields.includes('channels')) return [];
  return channels.filter((channel) => editableFields.includes(settingOf(channel)));
}

export type ChannelFault = { readonly code: 'setting_not_editable' | 'missing_target'; readonly channel: Channel };

/** Null if the partner may have these channels instead, the primary first. Channels that only the operator switches keep their order. */
export function channelsFault(
  buyer: OwnBounds & Pick<Buyer, 'settings'>,
  next: readonly Channel[],
): ChannelFault | null {
  const own = ownChannels(buyer);
  const before = buyer.channels;
  const switched = channels.filter((channel) => before.includes(channel) !== next.includes(channel));
  const foreign = switched.find((channel) => !own.includes(channel)) ?? movedForeign(before, next, own);
  if (foreign !== undefined) return { code: 'setting_not_editable', channel: foreign };
  const untargeted = switched.find((channel) => next.includes(channel) && targetOf(channel, buyer.settings) === null);
  return untargeted === undefined ? null : { code: 'missing_target', channel: untargeted };
}

/** A channel of the operator that would be, or would no longer be, the primary one, or that changes places with another such channel. */
function movedForeign(
  before: readonly Channel[],
  next: readonly Channel[],
  own: readonly Channel[],
): Channel | undefined {
  const foreignOf = (list: readonly Channel[]): Channel[] => list.filter((channel) => !own.includes(channel));
  const primaries = before[0] === next[0] ? [] : [before[0], next[0]];
  const moved = foreignOf(before).filter((channel, index) => foreignOf(next)[index] !== channel);
  return [...primaries, ...moved].find((channel) => channel !== undefined && !own.includes(channel));
}
