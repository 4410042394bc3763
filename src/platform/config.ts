// Reads the configuration from the environment into one frozen object; reports all errors at once (contract 8.3).
import { readFileSync } from 'node:fs';

import { serverListFault } from './database/server-list.rules.ts';
import type { OpenIdConfig } from './outbound/openid-provider.ts';
import { parseSender } from './outbound/mail/sender.rules.ts';
import { parseKeys } from './secrets/secret-keys.ts';
import { readTracingConfig, type TracingConfig } from './tracing/tracing-config.rules.ts';

export type Config = {
  readonly host: string;
  readonly port: number;
  /** An additional listener for health and metrics; null for none. */
  readonly status: { readonly host: string; readonly port: number } | null;
  /** From SIGTERM to the end of the listener: load balancers need this time to notice. */
  readonly drainSeconds: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** A standby of the database, for reports, exports and searches; null for none. */
  readonly databaseReplicaUrl: string | null;
  /** How far behind the standby may be; further, the database itself is read. */
  readonly replicaLagSeconds: number;
  /** `on` enforces the demo and `off` disables it; null decides by the environment that the service runs in. */
  readonly demo: 'on' | 'off' | null;
  /** Whether every operator must have a second factor. */
  readonly requireTotp: boolean;
  /** Whether partners are served even though row-level security is missing. */
  readonly allowMissingWall: boolean;
  /** Operators may sign in through this provider; null for by password only. */
  readonly openId: OpenIdConfig | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly sms: {
    readonly apiUrl: string;
    readonly account: string | null;
    readonly token: string | null;
    readonly from: string | null;
  };
  readonly googleServiceAccountFile: string | null;
  readonly sheetsApiUrl: string;
  /** The keys that seal named secrets, the current one first; null for the key file of the embedded database. */
  readonly secretsKey: string | null;
  readonly allowTargets: readonly string[];
  readonly trustProxy: readonly string[];
  /** Names besides the public address under which pages may be used, in lower case. */
  readonly allowedHosts: readonly string[];
  readonly logLevel: LogLevel;
  /** Null where no traces are exported. */
  readonly tracing: TracingConfig | null;
};

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
export type ConfigOutcome = { ok: true; config: Config } | { ok: false; faults: string[] };
type Env = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const REPLICA = 'DATABASE_REPLICA_URL';
/** Variables that may hold a secret; each can also come from a file named by NAME_FILE. */
const SECRETS = [
  ...['DATABASE_URL', REPLICA, 'SMTP_URL', 'SMS_ACCOUNT', 'SMS_TOKEN', 'SECRETS_KEY'],
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** Pure except for reading NAME_FILE files. An error never quotes the value of a variable that may hold a secret. */
export function loadConfig(
  env: Env,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ConfigOutcome {
  const faults: string[] = [];
  const merged = withSecretFiles(env, readFile, faults);
  const text = (name: string): string | null => {
    const value = merged[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const url = (name: string, protocols: readonly string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    // PostgreSQL's URLs may have no host (the query then names a socket folder) or several, which the standard URL parser rejects.
    const [, scheme = ''] = /^([a-z]+:)\/\/\S*$/.exec(value) ?? [];
    const isPostgres = scheme.startsWith('postgres');
    const hasHost = isPostgres || /^[^,]+$/.test(URL.parse(value)?.hostname ?? '');
    const listFault = isPostgres ? serverListFault(value, name === REPLICA ? 'any' : 'writable') : null;
    if (!protocols.includes(scheme) || !hasHost) {
      faults.push(
        `${name} must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    } else if (listFault !== null) faults.push(`${name} ${listFault}`);
    return value;
  };
  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', text('PORT') ?? '3000', { most: 65_535, faults }),
    status: statusAddress(text('STATUS_HOST'), text('STATUS_PORT'), faults),
    // At most half of the 30 seconds that the process has to stop.
    drainSeconds: wholeNumber('DRAIN_SECONDS', text('DRAIN_SECONDS') ?? '5', { most: 15, faults }),
    dataDir: text('DATA_DIR') ?? './data',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseReplicaUrl: url(REPLICA, ['postgres:', 'postgresql:']),
    replicaLagSeconds: wholeNumber('REPLICA_LAG_SECONDS', text('REPLICA_LAG_SECONDS') ?? '5', {
      least: 1,
      most: 300,
      faults,
    }),
    demo: onOff('DEMO', text('DEMO'), faults),
    requireTotp: onOff('REQUIRE_TOTP', text('REQUIRE_TOTP'), faults) === 'on',
    allowMissingWall: trueFalse('ALLOW_MISSING_TENANT_WALL', text('ALLOW_MISSING_TENANT_WALL'), faults),
    openId: openId({ text, url, faults }),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: mailFrom(text('MAIL_FROM'), faults),
    sms: {
      apiUrl: url('SMS_API_URL', ['https:', 'http:']) ?? 'https://api.twilio.com',
      account: text('SMS_ACCOUNT'),
      token: text('SMS_TOKEN'),
      from: text('SMS_FROM'),
    },
    googleServiceAccountFile: text('GOOGLE_SERVICE_ACCOUNT_FILE'),
    sheetsApiUrl: url('SHEETS_API_URL', ['https:', 'http:']) ?? 'https://sheets.googleapis.com',
    secretsKey: secretsKey(text('SECRETS_KEY'), faults),
    allowTargets: origins(text('WEBHOOK_ALLOW_TARGETS'), faults),
    trustProxy: proxies(text('TRUST_PROXY'), faults),
    allowedHosts: hostNames(text('ALLOWED_HOSTS'), faults),
    logLevel: logLevel(text('LOG_LEVEL'), faults),
    tracing: readTracingConfig({ text, url, faults }),
  };
  return faults.length > 0 ? { ok: false, faults } : { ok: true, config: Object.freeze(config) };
}

function withSecretFiles(env: Env, readFile: (path: string) => string, faults: string[]): Env {
  const merged: Record<string, string | undefined> = { ...env };
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined && env[name] !== '') {
      faults.push(`${name} and ${name}_FILE are both set; set one`);
      continue;
    }
    try {
      merged[name] = readFile(path).trim();
    } catch (error) {
      faults.push(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return merged;
}

type Reading = {
  readonly text: (name: string) => string | null;
  readonly url: (name: string, protocols: readonly string[]) => string | null;
  readonly faults: string[];
};

/** All of the issuer, the client and its secret, or none. */
function openId({ text, url, faults }: Reading): OpenIdConfig | null {
  const issuer = url('OIDC_ISSUER', ['https:', 'http:']);
  const [clientId, clientSecret] = [text('OIDC_CLIENT_ID'), text('OIDC_CLIENT_SECRET')];
  const name = text('OIDC_NAME') ?? 'single sign-on';
  if (issuer === null && clientId === null && clientSecret === null) return null;
  if (issuer === null || clientId === null || clientSecret === null) {
    faults.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
    return null;
  }
  if (issuer.startsWith('http:') && !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(issuer)) {
    faults.push('OIDC_ISSUER must be a URL that starts with https://, except on this machine');
  }
  return { issuer, clientId, clientSecret, name };
}

function mailFrom(text: string | null, faults: string[]): string | null {
  if (text !== null && parseSender(text) === null) {
    faults.push('MAIL_FROM must be an address such as leads@example.com, or Name <leads@example.com>');
  }
  return text;
}

function secretsKey(text: string | null, faults: string[]): string | null {
  if (text !== null && parseKeys(text) === null) {
    faults.push(
      'SECRETS_KEY must be 32 random bytes in base64, as of `openssl rand -base64 32`; several with spaces between',
    );
  }
  return text;
}

type Range = { readonly least?: number; readonly most: number; readonly faults: string[] };

function wholeNumber(name: string, text: string, { least = 0, most, faults }: Range): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) {
    faults.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`);
  }
  return value;
}

function statusAddress(host: string | null, port: string | null, faults: string[]): Config['status'] {
  if (port !== null)
    return { host: host ?? '127.0.0.1', port: wholeNumber('STATUS_PORT', port, { most: 65_535, faults }) };
  if (host !== null) faults.push('STATUS_HOST needs STATUS_PORT');
  return null;
}

function onOff(name: string, text: string | null, faults: string[]): 'on' | 'off' | null {
  if (text === null || text === 'on' || text === 'off') return text;
  faults.push(`${name} must be "on" or "off", not "${text}"`);
  return null;
}

function trueFalse(name: string, text: string | null, faults: string[]): boolean {
  if (text !== null && text !== 'true' && text !== 'false') {
    faults.push(`${name} must be "true" or "false", not "${text}"`);
  }
  return text === 'true';
}

function logLevel(text: string | null, faults: string[]): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text ?? 'info'));
  if (level !== undefined) return level;
  faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}"`);
  return 'info';
}

function origins(text: string | null, faults: string[]): readonly string[] {
  const items = (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.flatMap((item) => {
    const parsed = URL.canParse(item) ? new URL(item) : null;
    if (parsed !== null && /^https?:$/.test(parsed.protocol) && item.replace(/\/$/, '') === parsed.origin)
      return [parsed.origin];
    faults.push(`WEBHOOK_ALLOW_TARGETS: "${item}" is not an origin such as http://127.0.0.1:9911`);
    return [];
  });
}

function hostNames(text: string | null, faults: string[]): readonly string[] {
  const items = (text ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
  for (const item of items) {
    if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(item)) {
      faults.push(`ALLOWED_HOSTS: "${item}" is not a name such as console.example.com, without a port`);
    }
  }
  return items;
}

function proxies(text: string | null, faults: string[]): readonly string[] {
  const items = (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const item of items) {
    // A hop count or "true" would let a client forge its address, so only addresses and networks are accepted.
    if (!/^[0-9a-fA-F.:]*[.:][0-9a-fA-F.:]*(\/\d{1,3})?$/.test(item)) {
      faults.push(`TRUST_PROXY: "${item}" is not an IP address or CIDR network`);
    }
  }
  return items;
}
