// Checks for `leadmarket doctor` whether the operator's outside services can be reached: mail, text messages, Google, sign-on, traces.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { type Finding, findingOf } from './finding.ts';
import { createGuardedClient, type GuardedClient } from './outbound/guarded-client.ts';
import { createOpenIdProvider, type OpenIdConfig } from './outbound/openid-provider.ts';
import { readServiceAccount } from './outbound/sheets/service-account.ts';

type Reach = { readonly clock: Clock; readonly withinMs: number };

/** All side by side, each within the limit. None gets a credential, a message or a lead. */
export async function examineReach(config: Config, { clock, withinMs }: Reach): Promise<Finding[]> {
  const { smtpUrl, sms, googleServiceAccountFile, sheetsApiUrl, openId, tracing } = config;
  const account = googleServiceAccountFile === null ? null : readServiceAccount(config);
  const tokenUri = account?.ok === true ? account.account.tokenUri : null;
  const urls = [sms.apiUrl, sheetsApiUrl, tokenUri, tracing?.url ?? null].filter((url) => url !== null);
  // The operator has named them, so they may have any address.
  const client = createGuardedClient({ allowTargets: urls.map((url) => new URL(url).origin) });
  const reach = (name: string, url: string | null): Promise<Finding> =>
    findingOf(name, () => (url === null ? null : readStatus(client, url, withinMs)));
  try {
    return await Promise.all([
      findingOf('smtp', () => (smtpUrl === null ? null : readGreeting(smtpUrl, withinMs))),
      reach('text messages', sms.account === null && sms.token === null ? null : sms.apiUrl),
      findingOf('google service account', () => {
        if (account === null) return null;
        return account.ok ? Promise.resolve(account.account.email) : Promise.reject(new Error(account.fault));
      }),
      reach('google tokens', tokenUri),
      reach('google sheets', tokenUri === null ? null : sheetsApiUrl),
      findingOf('single sign-on', () => (openId === null ? null : readProvider(openId, { clock, withinMs }))),
      reach('traces', tracing?.url ?? null),
    ]);
  } finally {
    await client.close();
  }
}

/** Every response but that of a proxy without its server shows that the service is there: without a credential most refuse. */
async function readStatus(client: GuardedClient, url: string, withinMs: number): Promise<string> {
  const { host } = new URL(url);
  const outcome = await client.get({ url, headers: {}, timeoutMs: withinMs });
  if (outcome.kind === 'error') throw new Error(`${host} does not respond: ${outcome.message}`);
  if ([502, 503, 504].includes(outcome.status)) throw new Error(`${host} responds with HTTP ${outcome.status}`);
  return `${host} responds`;
}

async function readProvider(config: OpenIdConfig, limits: Reach): Promise<string> {
  const provider = createOpenIdProvider(config, limits);
  try {
    const url = await provider.authorizationUrl({ nonce: '', verifier: '', redirectUri: '' }, '');
    return `browsers sign in at ${new URL(url).host}`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${new URL(config.issuer).host}: ${why}`, { cause: error });
  } finally {
    await provider.close();
  }
}

/** Reads the first line of the mail server; does not log in. */
function readGreeting(smtpUrl: string, withinMs: number): Promise<string> {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const isTls = protocol === 'smtps:';
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (isTls ? 465 : 587) : Number(port) };
  return new Promise((resolve, reject) => {
    const socket: Socket = isTls ? connectTls({ ...target, servername: target.host }) : connectTcp(target);
    const late = new Error(`no greeting within ${withinMs / 1000} seconds`);
    const timer = setTimeout(() => socket.destroy(late), withinMs);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new Error('closes the connection without a greeting'));
    });
    socket.once('error', reject);
    socket.once('data', (bytes: Buffer) => {
      const greeting = bytes.toString('latin1').split('\r\n')[0] ?? '';
      if (greeting.startsWith('220')) resolve(`greets as ${greeting.slice(4)}`);
      else reject(new Error(`greets with ${greeting.slice(0, 100)}`));
      socket.destroy();
    });
  });
}
