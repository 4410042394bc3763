// The legacy Sheets channel: posts the webhook's message to a script that the partner has added to its sheet (contract 5.6).
import type { GuardedClient } from '../../platform/outbound/guarded-client.ts';
import type { HttpOutcome } from '../../platform/outbound/http-outcome.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { signedPost } from '../../platform/outbound/signed-post.ts';
import { type DeliveryChannel, leadBody } from './channel.ts';
import { SCRIPT_BODY_BYTES, scriptFault, isScriptOutput } from './script-response.rules.ts';

export function createSheetsScriptChannel(client: GuardedClient): DeliveryChannel {
  return {
    name: 'sheets_script',
    parcelsPerCall: 1,
    async send({ settings: { sheetsWebhookUrl: url }, secrets }, parcels, now) {
      if (url === null) return parcels.map(() => notTried('No script URL is set.'));
      return Promise.all(
        parcels.map(async (parcel) => {
          // Google's scripts cannot read headers; a script on another host may check the signature.
          const post = signedPost({ url, id: parcel.id, body: leadBody(parcel), secrets }, now);
          return outcomeOfScript(url, await client.post({ ...post, keepBodyBytes: SCRIPT_BODY_BYTES }), now);
        }),
      );
    },
  };
}

function outcomeOfScript(url: string, http: HttpOutcome, now: Date): SendOutcome {
  const outcome = outcomeOfHttp(http, now);
  if (http.kind === 'error') return outcome;
  const { status, snippet, latencyMs, body = null } = http;
  const facts = { responseCode: status, responseSnippet: snippet, latencyMs };
  if (isScriptOutput({ url, ...http })) return { kind: 'taken', ...facts, error: null };
  const fault = outcome.kind === 'taken' ? scriptFault({ body, start: snippet }) : null;
  return fault === null ? outcome : { kind: 'not_taken', why: 'later', retryAfterSeconds: 0, ...facts, ...fault };
}
