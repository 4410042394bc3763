// The table of contents of HTTP: which routes there are, in which scope, and who may enter it (contract 1, 2, 6, 8).
import { strict as assert } from 'node:assert';

import type { Logger } from 'pino';

import type { Buyer } from './buyers/buyer.ts';
import type { CredentialKind } from './credentials/credential.ts';
import type { Authenticator, Principal } from './credentials/authenticator.ts';
import { registerBuyerLeads } from './deliveries/buyer-leads.route.ts';
import { leadWebhooks } from './deliveries/webhook-schema.ts';
import { registerDemoInbox } from './demo/demo-inbox.route.ts';
import type { IngestAnswer } from './leads/ingest-lead.ts';
import { ingestProblemExtras, registerIngest } from './leads/ingest.route.ts';
import type { StoreResult, Submission } from './leads/store-submissions.ts';
import type { ScoreWeights } from './marketplace/settings.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { checkMigrated } from './platform/database/check-migrated.ts';
import type { MicroBatch } from './platform/database/micro-batch.ts';
import type { App } from './platform/http/app.ts';
import { registerDocs } from './platform/http/docs.route.ts';
import { registerErrorPages } from './platform/http/error-pages.route.ts';
import { registerHealth } from './platform/http/health.route.ts';
import { registerOpenapi } from './platform/http/openapi.ts';
import { registerScope } from './platform/http/scope.ts';
import { createServer } from './platform/http/server.ts';
import type { Metrics } from './platform/metrics.ts';
import { registerSupplierStats } from './reports/supplier-stats.route.ts';
import type { CompiledFieldMapping } from './suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from './suppliers/supplier.ts';

export type SupplierInForce = { readonly config: SupplierConfig; readonly mapping: CompiledFieldMapping };

export type ApiOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly trustProxy: readonly string[];
  readonly authenticator: Authenticator;
  readonly batch: MicroBatch<Submission, StoreResult>;
  /** Null for a key that the configuration in memory does not hold. */
  readonly supplierOf: (supplierKey: string) => SupplierInForce | null;
  readonly buyerOf: (buyerKey: string) => Buyer | null;
  /** Reads the configuration anew, for an owner that may have been added a moment ago. */
  readonly refresh: () => Promise<unknown>;
  readonly scoreWeights: () => ScoreWeights;
  readonly returnRateOf: (supplierKey: string) => number;
  readonly onAnswer: (kind: IngestAnswer['kind']) => void;
  /** Whether the database holds the demo, whose receiver then listens here. */
  readonly isDemo: boolean;
};

const INGEST_PATH = '/api/v1/ingest';
const VERSION = '1.0.0';

export async function buildApp(options: ApiOptions): Promise<App> {
  const { database, clock, log, metrics } = options;
  const app = createServer({
    log,
    trustProxy: options.trustProxy,
    extras: new Map([[INGEST_PATH, ingestProblemExtras]]),
    meter: metrics.http,
  });
  registerOpenapi(app, {
    info: {
      title: 'Lead Marketplace Partner API',
      version: VERSION,
      description: 'Suppliers submit leads; buyers read the leads delivered to them.',
    },
    tags: [
      { name: 'Supplier', description: 'For suppliers, with a supplier key in `x-api-key`.' },
      { name: 'Buyer', description: 'For partners, with an access token as `Authorization: Bearer`.' },
    ],
    webhooks: leadWebhooks,
  });
  await app.after();
  registerHealth(app, { log, metrics, checks: [{ name: 'database', check: () => checkMigrated(database) }] });
  registerErrorPages(app);
  registerDocs(app, 'Lead Marketplace Partner API');
  if (options.isDemo) registerDemoInbox(app, { database, clock });
  registerSupplierScopes(app, options);
  registerBuyerScope(app, options);
  await app.ready();
  return app;
}

/** Two scopes, because a supplier that may not submit may still see its numbers. */
function registerSupplierScopes(app: App, options: ApiOptions): void {
  const { database, clock, batch, supplierOf } = options;
  const scope = {
    name: 'supplier',
    header: 'x-api-key',
    clock,
    authenticate: (presented: string) => authenticate(options, 'supplier_key', presented),
    rateLimitOf: (principal: Principal) => known(supplierOf(principal.ownerKey)).config.rateLimit,
  } as const;
  registerScope(app, {
    ...scope,
    admit: ({ ownerKey }) =>
      known(supplierOf(ownerKey)).config.status === 'approved' ? null : { status: 403, code: 'supplier_not_approved' },
    routes: (routes) =>
      registerIngest(routes, {
        database,
        clock,
        batch,
        onAnswer: options.onAnswer,
        contextOf: (supplierKey) => ({
          supplierKey,
          mapping: known(supplierOf(supplierKey)).mapping,
          weights: options.scoreWeights(),
          returnRate: options.returnRateOf(supplierKey),
        }),
      }),
  });
  registerScope(app, { ...scope, routes: (routes) => registerSupplierStats(routes, { database, clock }) });
}

function registerBuyerScope(app: App, options: ApiOptions): void {
  const { database, clock, buyerOf } = options;
  registerScope(app, {
    name: 'buyer',
    header: 'authorization',
    clock,
    authenticate: (presented) => authenticate(options, 'buyer_token', presented),
    // A paused partner may use the API, a suspended one may not.
    admit: ({ ownerKey }) =>
      known(buyerOf(ownerKey)).status === 'suspended' ? { status: 403, code: 'partner_suspended' } : null,
    rateLimitOf: ({ ownerKey }) => known(buyerOf(ownerKey)).rateLimit,
    routes: (routes) => registerBuyerLeads(routes, { database, clock, buyerOf: (key) => known(buyerOf(key)) }),
  });
}

/** Answers at once where both the credential and its owner are known, which is nearly always. */
function authenticate(
  options: ApiOptions,
  kind: CredentialKind,
  presented: string,
): Principal | null | Promise<Principal | null> {
  const ownerOf = kind === 'supplier_key' ? options.supplierOf : options.buyerOf;
  const found = options.authenticator.authenticate(kind, presented);
  if (!(found instanceof Promise) && (found === null || ownerOf(found.ownerKey) !== null)) return found;
  return withOwner(found, ownerOf, options.refresh);
}

async function withOwner(
  found: Principal | null | Promise<Principal | null>,
  ownerOf: (key: string) => unknown,
  refresh: ApiOptions['refresh'],
): Promise<Principal | null> {
  const principal = await found;
  if (principal === null || ownerOf(principal.ownerKey) !== null) return principal;
  await refresh();
  return ownerOf(principal.ownerKey) === null ? null : principal;
}

function known<Value>(value: Value | null): Value {
  assert(value !== null, 'an authenticated owner is not in force');
  return value;
}
