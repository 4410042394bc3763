// A partner's delivery channels with their health and signing secrets.
import { type Static, Type } from 'typebox';

import { buyerSettings, channels } from '../../buyers/partner.schema.ts';
import { orNull } from '../../platform/http/values.schema.ts';
import { PauseSchema } from './pause.schema.ts';

const instant = Type.String({ format: 'date-time' });

const ChannelSchema = Type.Object({
  name: Type.Enum([...channels]),
  isPrimary: Type.Boolean(),
  /** The account setting that holds the channel's target. */
  setting: Type.Enum([...buyerSettings]),
  isSet: Type.Boolean(),
  /** Null if the latest attempt succeeded or there was none. */
  trouble: orNull(
    Type.Object({
      failures: Type.Integer(),
      /** Since when its deliveries are held back until it responds again; null while attempts are made as usual. */
      waitingSince: orNull(instant),
      lastError: Type.String(),
      lastFailedAt: instant,
    }),
  ),
});

export type ChannelState = Static<typeof ChannelSchema>;

export const ChannelsSchema = Type.Object({
  marketplaceName: Type.String(),
  /** In configured order, the primary first. Empty: the partner only polls the API. */
  channels: Type.Array(ChannelSchema),
  /** Those that the partner may switch on, off and put first by itself. */
  own: Type.Array(Type.Enum([...channels])),
  /** The partner's own pause of receiving leads. */
  pause: PauseSchema.properties.pause,
  /** Since when the webhook is disabled because it responded 410. */
  webhookDisabledAt: orNull(instant),
  /** The last characters of the current signing secrets; null if there is none yet. */
  signing: orNull(
    Type.Object({
      endsIn: Type.String(),
      previous: orNull(Type.Object({ endsIn: Type.String(), validUntil: instant })),
    }),
  ),
});
export type Channels = Static<typeof ChannelsSchema>;

const ChannelList = Type.Array(Type.Enum([...channels]), { maxItems: channels.length, uniqueItems: true });

export const ChannelsChangeSchema = Type.Object(
  {
    /** The primary channel first. */
    channels: ChannelList,
    /** The channels as they were read: a change in between is not overwritten. */
    seen: ChannelList,
  },
  { additionalProperties: false },
);
export type ChannelsChange = Static<typeof ChannelsChangeSchema>;

export const ChannelTestSchema = Type.Object({
  channel: Type.Enum([...channels]),
  delivered: Type.Boolean(),
  /** Masked. */
  sentTo: Type.String(),
  responseCode: orNull(Type.Integer()),
  error: orNull(Type.String()),
});
export type ChannelTest = Static<typeof ChannelTestSchema>;

/** The webhook has a test of its own, which shows the request. */
export const ChannelTestBody = Type.Object(
  { channel: Type.Enum(['email', 'sms', 'sheets', 'sheets_script']) },
  { additionalProperties: false },
);
export type ChannelTestRequest = Static<typeof ChannelTestBody>;
