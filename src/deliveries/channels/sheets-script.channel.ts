// The legacy Sheets channel: posts the webhook's message to a script that the partner has added to its sheet, and reads what the script writes
// (contract 5.6).
import type { GuardedClient } from '../../platform/outbound/guarded-client.ts';
import type { HttpOutcome } from '../../platform/outbound/http-outcome.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { signedPost } from '../../platform/outbound/signed-post.ts';
import { type DeliveryChannel, leadBody } from './channel.ts';
import {
  googleHosts,
  type Redirect,
  SCRIPT_BODY_BYTES,
  scriptFault,
  type ScriptHosts,
  scriptOutput,
} from './script-response.rules.ts';

export function createSheetsScriptChannel(client: GuardedClient, hosts: ScriptHosts = googleHosts): DeliveryChannel {
  return {
    name: 'sheets_script',
    parcelsPerCall: 1,
    async send({ settings: { sheetsWebhookUrl: url }, secrets }, parcels, now) {
      if (url === null) return parcels.map(() => notTried('No script URL is set.'));
      return Promise.all(
        parcels.map(async (parcel) => {
          // Google's scripts cannot read headers; a script on another host may check the signature.
          const post = signedPost({ url, id: parcel.id, body: leadBody(parcel), secrets }, now);
          const outputOf = (redirect: Omit<Redirect, 'url'>) => scriptOutput({ url, ...redirect }, hosts);
          return outcomeOfScript(await client.post({ ...post, outputOf, keepBodyBytes: SCRIPT_BODY_BYTES }), now);
        }),
      );
    },
  };
}

function outcomeOfScript(http: HttpOutcome, now: Date): SendOutcome {
  const outcome = outcomeOfHttp(http, now);
  if (http.kind === 'error') return outcome;
  const { status, snippet, latencyMs, body = null, output } = http;
  if (output !== undefined) return outcomeOfOutput(output, { status, latencyMs });
  const facts = { responseCode: status, responseSnippet: snippet, latencyMs };
  const fault = outcome.kind === 'taken' ? scriptFault({ body, start: snippet }) : null;
  return fault === null ? outcome : { kind: 'not_taken', why: 'later', retryAfterSeconds: 0, ...facts, ...fault };
}

/** The script has run: if its output cannot be read, it may have added the row. */
function outcomeOfOutput(
  output: HttpOutcome,
  redirect: { readonly status: number; readonly latencyMs: number },
): SendOutcome {
  const latencyMs = redirect.latencyMs + output.latencyMs;
  const notTaken = { kind: 'not_taken', why: 'later', receipt: 'unknown', retryAfterSeconds: 0, latencyMs } as const;
  if (output.kind === 'error') {
    const error = `The script’s output was not received: ${output.message}`;
    return { ...notTaken, responseCode: redirect.status, responseSnippet: null, error };
  }
  const { status, snippet, body = null } = output;
  const facts = { responseCode: status, responseSnippet: snippet };
  if (status < 200 || status > 299) {
    return { ...notTaken, ...facts, error: `The script’s output was not received: HTTP ${status}.` };
  }
  const fault = scriptFault({ body, start: snippet });
  if (fault !== null) return { ...notTaken, ...facts, ...fault };
  if (body === null) return { ...notTaken, ...facts, error: 'The script’s output was not received in full.' };
  return { kind: 'taken', ...facts, latencyMs, error: null };
}
