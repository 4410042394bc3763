// The webhook channel: a signed POST by Standard Webhooks (contract 5.1). A message has the same id and body on every attempt; only the
// timestamp and the signature differ.
import type { GuardedClient } from '../../platform/outbound/guarded-client.ts';
import { notTried, outcomeOfHttp } from '../../platform/outbound/send-outcome.ts';
import { signedPost } from '../../platform/outbound/signed-post.ts';
import { type DeliveryChannel, leadBody } from './channel.ts';

export function createWebhookChannel(client: GuardedClient): DeliveryChannel {
  return {
    name: 'webhook',
    parcelsPerCall: 1,
    async send({ settings: { webhookUrl: url }, secrets }, parcels, now) {
      if (url === null) return parcels.map(() => notTried('No webhook URL is set.'));
      if (secrets.length === 0) return parcels.map(() => notTried('There is no secret to sign with.'));
      return Promise.all(
        parcels.map(async (parcel) => {
          const post = signedPost({ url, id: parcel.id, body: leadBody(parcel), secrets }, now);
          return outcomeOfHttp(await client.post(post), now);
        }),
      );
    },
  };
}
