// The channels of a partner and how they are doing.
import { type Static, Type } from 'typebox';

import { buyerSettings, channels } from '../../buyers/partner.schema.ts';
import { orNull } from '../../platform/http/values.schema.ts';

const instant = Type.String({ format: 'date-time' });

const ChannelSchema = Type.Object({
  name: Type.Enum([...channels]),
  isPrimary: Type.Boolean(),
  /** The member of the account that says where it goes. */
  setting: Type.Enum([...buyerSettings]),
  isSet: Type.Boolean(),
  /** Null while the latest attempt succeeded, or there was none. */
  trouble: orNull(
    Type.Object({
      failures: Type.Integer(),
      /** Since when leads wait for it to answer again; null while every attempt is made as usual. */
      waitingSince: orNull(instant),
      lastError: Type.String(),
      lastFailedAt: instant,
    }),
  ),
});

export type ChannelState = Static<typeof ChannelSchema>;

export const ChannelsSchema = Type.Object({
  marketplaceName: Type.String(),
  /** In the order of the account's configuration; the first is primary. None: the partner reads the API only. */
  channels: Type.Array(ChannelSchema),
  /** Since when the webhook is out of use, because it answered 410. */
  webhookDisabledAt: orNull(instant),
  /** The last characters of the secrets that sign now; null where there is none yet. */
  signing: orNull(
    Type.Object({
      endsIn: Type.String(),
      previous: orNull(Type.Object({ endsIn: Type.String(), validUntil: instant })),
    }),
  ),
});
export type Channels = Static<typeof ChannelsSchema>;
