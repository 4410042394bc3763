// The webhook channel: a signed POST by Standard Webhooks (contract 5.1), or a request in the partner's own format (contract 13.1). A message
// has the same id and body on every attempt; of a signed one, only the timestamp and the signature differ.
import type { OpenSecrets } from '../../credentials/partner-secrets.ts';
import type { GuardedClient } from '../../platform/outbound/guarded-client.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { signedPost } from '../../platform/outbound/signed-post.ts';
import { renderRequest } from '../templates/webhook-request.rules.ts';
import { type DeliveryChannel, leadBody, type Parcel, type Recipient } from './channel.ts';
import { compileFormat, templateInput } from './custom-webhook.ts';
import { outcomeOfCustom } from './custom-outcome.ts';

export type WebhookServices = { readonly client: GuardedClient; readonly openSecrets: OpenSecrets };

export function createWebhookChannel({ client, openSecrets }: WebhookServices): DeliveryChannel {
  return {
    name: 'webhook',
    parcelsPerCall: 1,
    async send(recipient, parcels, now) {
      const {
        settings: { webhookUrl: url },
        secrets,
        custom,
      } = recipient;
      if (url === null) return parcels.map(() => notTried('No webhook URL is set.'));
      if (custom !== null) {
        return Promise.all(parcels.map((parcel) => sendCustom({ client, openSecrets }, recipient, parcel, now)));
      }
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

async function sendCustom(
  { client, openSecrets }: WebhookServices,
  { buyerKey, settings, custom }: Recipient,
  parcel: Parcel,
  now: Date,
): Promise<SendOutcome> {
  const compiled = compileFormat(custom?.format ?? '');
  if (!compiled.ok) return notTried(compiled.error);
  const { request: template, rules } = compiled.webhook;
  const secrets = openSecrets(buyerKey, custom?.secrets ?? []);
  const rendered = renderRequest(template, settings.webhookUrl ?? '', templateInput(parcel, buyerKey, secrets));
  // What this lead contains does not change, so that only a few attempts are made.
  if (!rendered.ok) return { ...notTried(rendered.error), ...(rendered.isMendable ? {} : { why: 'refused' as const }) };
  const { hidden, ...request } = rendered.request;
  const http = await client.request({ ...request, headers: asBytes(request.headers) });
  return outcomeOfCustom(http, { rules, priceBounds: parcel.priceBounds, hidden, now });
}

/** The client writes each character of a header as one byte: text beyond ASCII is sent as UTF-8. */
function asBytes(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
  );
}
