// A program: the production application on a store that responds at once. The remaining time of ingest is HTTP, checks and score; every
// figure is compared with it. Prints one line of JSON, ends on SIGTERM.
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { accentShades } from '../src/base/accent-shades.ts';
import { buildApp } from '../src/app/api.ts';
import { newUuid } from '../src/base/ids.ts';
import { createAuthenticator } from '../src/credentials/authenticator.ts';
import { hashSecret, newSecret } from '../src/credentials/secret-text.ts';
import { createRefusedBodyLimit, REFUSED_BODIES_A_DAY } from '../src/leads/submission-limits.ts';
import type { StoreResult, Submission } from '../src/leads/store-submissions.ts';
import { defaultSettings } from '../src/marketplace/settings.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/database.ts';
import { openReads } from '../src/platform/database/replica.ts';
import type { MicroBatch } from '../src/platform/database/micro-batch.ts';
import { closeWithin } from '../src/platform/http/drain.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { createProcessCounts } from '../src/platform/processes/process-counts.ts';
import { openSecretKeys } from '../src/platform/secrets/secret-keys.ts';
import { countEvents } from '../src/app/runtime-metrics.ts';
import { compileFieldMapping } from '../src/suppliers/field-mapping.rules.ts';
import { noPay } from '../src/suppliers/supplier-form.rules.ts';
import { createSessionKeeper } from '../src/sessions/session-keeper.ts';

const SUPPLIER = 'bench';
const MAPPING = compileFieldMapping({});

const key = newSecret('supplier_key');
const credential = {
  credentialId: newUuid(),
  owner: SUPPLIER,
  secretHash: hashSecret(key),
  lastUsedAt: null,
  expiresAt: null,
};

/** Accepts one credential and rejects all others. */
const database = {
  query: () => Promise.resolve([credential]),
} as unknown as Database;

/** Resolves in the next turn of the event loop, as a commit without a disk would. */
const batch: MicroBatch<Submission, StoreResult> = {
  add: () => new Promise((resolve) => setImmediate(() => resolve({ kind: 'stored' }))),
  pending: () => 0,
  drain: () => Promise.resolve(),
};

const onFault = (error: unknown): void => console.error(error);
const authenticator = createAuthenticator({ database, clock: systemClock, onFault });
const metrics = createMetrics();
const events = countEvents(metrics, createProcessCounts(systemClock));
const supplier = {
  config: {
    supplierKey: SUPPLIER,
    name: 'Bench',
    status: 'approved',
    vertical: null,
    verticals: [],
    fieldMapping: {},
    callback: null,
    rateLimit: { perSecond: 1_000_000, burst: 1_000_000 },
    timeZone: 'UTC',
    pay: noPay,
  },
  mapping: MAPPING,
  verticals: null,
} as const;

const app = await buildApp({
  database,
  reads: openReads({ database, replica: null }),
  wall: { stands: true },
  clock: systemClock,
  log: pino({ level: 'silent' }),
  metrics,
  tracing: null,
  trustProxy: [],
  allowedHosts: [],
  onUntrustedProxy: () => undefined,
  hasStatusPort: true,
  authenticator,
  sessions: createSessionKeeper({ database, clock: systemClock, onFault: () => undefined, isDemo: () => false }),
  simulations: {
    start: () => Promise.resolve({ ok: false, code: 'simulation_running' }),
    close: () => Promise.resolve(),
  },
  batch,
  supplierOf: () => supplier,
  buyerOf: () => null,
  refresh: () => Promise.resolve(),
  verticals: () => new Map(),
  scoreWeights: () => defaultSettings.scoreWeights,
  regions: () => defaultSettings.regions,
  currency: () => defaultSettings.currency,
  timeZone: () => defaultSettings.timeZone,
  personPepper: Buffer.alloc(32),
  refusedBodies: createRefusedBodyLimit(REFUSED_BODIES_A_DAY),
  brand: () => ({ name: '', shades: accentShades('#000000'), logo: null, helpEmail: null }),
  publicUrl: () => null,
  mailer: { send: () => Promise.reject(new Error('nothing here sends mail')) },
  hasMailServer: false,
  serviceAccountEmail: null,
  sheetNameOf: () => Promise.resolve(null),
  returnRateOf: () => 0,
  onResponse: events.ingest,
  isDemo: () => false,
  requireTotp: false,
  openId: null,
  channels: {
    ...{ webhook: silent('webhook'), email: silent('email'), sms: silent('sms') },
    ...{ sheets: silent('sheets'), sheets_script: silent('sheets_script') },
  },
  allowTargets: [],
  secretKeys: openSecretKeys({ secretsKey: null, dataDir: '', databaseUrl: 'none' }),
  onQueued: () => undefined,
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ port, key })}\n`);

process.once('SIGTERM', () => {
  void closeWithin(app, 1000).then(() => authenticator.close());
});

function silent<Name extends string>(name: Name) {
  return { name, parcelsPerCall: 1, send: () => Promise.resolve([]) };
}
