// Legacy Sheets: the webhook's own message to a script that the partner has put behind its sheet (contract 5).
import type { GuardedClient } from '../platform/outbound/guarded-client.ts';
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from '../platform/outbound/send-outcome.ts';
import { signedPost } from '../platform/outbound/signed-post.ts';
import type { DeliveryChannel } from './channel.ts';
import { isScriptOutput } from './script-output.rules.ts';
import { leadBody } from './webhook.channel.ts';

export function createSheetsScriptChannel(client: GuardedClient): DeliveryChannel {
  return {
    name: 'sheets_script',
    parcelsPerCall: 1,
    async send({ settings: { sheetsWebhookUrl: url }, secrets }, parcels, now) {
      if (url === null) return parcels.map(() => notTried('No script URL is set.'));
      return Promise.all(
        parcels.map(async (parcel) => {
          // Google hands a script no headers; a script elsewhere may check the signature.
          const post = signedPost({ url, id: parcel.id, body: leadBody(parcel), secrets }, now);
          return outcomeOfScript(url, await client.post(post), now);
        }),
      );
    },
  };
}

function outcomeOfScript(url: string, http: HttpOutcome, now: Date): SendOutcome {
  if (http.kind === 'error' || !isScriptOutput({ url, ...http })) return outcomeOfHttp(http, now);
  const { status, snippet, latencyMs } = http;
  return { kind: 'taken', responseCode: status, responseSnippet: snippet, latencyMs, error: null };
}
