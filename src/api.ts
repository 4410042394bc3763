// The table of contents of HTTP: which routes there are, in which scope, and who may enter it (contract 1, 2, 6, 8).
import { strict as assert } from 'node:assert';

import type { Logger } from 'pino';

import { registerAuditLog } from './audit/audit-log.route.ts';
import { registerAccount } from './buyers/account.route.ts';
import { betaGate } from './buyers/beta-gate.ts';
import type { Buyer } from './buyers/buyer.ts';
import { registerBuyerClaims } from './claims/buyer-claims.route.ts';
import { claimStandings } from './claims/claim-standings.ts';
import { claimWebhooks } from './claims/claim-webhook-schema.ts';
import { registerReturnPolicy } from './claims/return-policy.route.ts';
import { reviewsOf } from './claims/reviews-of.ts';
import type { CredentialKind } from './credentials/credential.ts';
import type { Authenticator, Principal } from './credentials/authenticator.ts';
import { registerBuyerEvents } from './deliveries/buyer-events.route.ts';
import { registerBuyerLeads } from './deliveries/buyer-leads.route.ts';
import type { DeliveryChannel } from './deliveries/channel.ts';
import { registerDeliveryLogs } from './deliveries/delivery-logs.route.ts';
import { registerExport } from './deliveries/export.route.ts';
import { registerRedeliver } from './deliveries/redeliver.route.ts';
import { registerSheetsConfig } from './deliveries/sheets-config.route.ts';
import { registerTestDelivery } from './deliveries/test-delivery.route.ts';
import { registerTimeline } from './deliveries/timeline.route.ts';
import { leadWebhooks } from './deliveries/webhook-schema.ts';
import { registerDemoInbox } from './demo/demo-inbox.route.ts';
import { registerBuyerBilling } from './invoices/buyer-billing.route.ts';
import { registerInvoiceDocument } from './invoices/invoice-document.route.ts';
import type { IngestAnswer } from './leads/ingest-lead.ts';
import { ingestProblemExtras, registerIngest } from './leads/ingest.route.ts';
import type { StoreResult, Submission } from './leads/store-submissions.ts';
import type { ScoreWeights } from './marketplace/settings.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { checkMigrated } from './platform/database/check-migrated.ts';
import type { MicroBatch } from './platform/database/micro-batch.ts';
import { behindWall, forTenant, readWall } from './platform/database/tenant.ts';
import type { App } from './platform/http/app.ts';
import { registerDocs } from './platform/http/docs.route.ts';
import { registerErrorPages } from './platform/http/error-pages.route.ts';
import { registerHealth } from './platform/http/health.route.ts';
import { registerOpenapi } from './platform/http/openapi.ts';
import { principalOf, registerScope } from './platform/http/scope.ts';
import { createServer } from './platform/http/server.ts';
import type { Metrics } from './platform/metrics.ts';
import { registerBuyerStats } from './reports/buyer-stats.route.ts';
import { registerSupplierStats } from './reports/supplier-stats.route.ts';
import { callbackWebhooks } from './suppliers/callback-schema.ts';
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
  readonly currency: () => string;
  readonly returnRateOf: (supplierKey: string) => number;
  readonly onAnswer: (kind: IngestAnswer['kind']) => void;
  /** Whether the database holds the demo, whose receiver then listens here. */
  readonly isDemo: boolean;
  /** For tests of partners' endpoints. */
  readonly webhook: DeliveryChannel;
  /** Exact origins that the target rules do not hold for. */
  readonly allowTargets: readonly string[];
  /** Called when something waits to be sent. */
  readonly onQueued: () => void;
  /** The address that partners share their sheets with; null where there is none. */
  readonly serviceAccountEmail: string | null;
  /** The title of the sheet that is appended to; null where it cannot be found out now. */
  readonly sheetNameOf: (spreadsheetId: string) => Promise<string | null>;
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
    webhooks: { ...leadWebhooks, ...claimWebhooks, ...callbackWebhooks },
  });
  await app.after();
  registerHealth(app, { log, metrics, checks: [{ name: 'database', check: () => checkMigrated(database) }] });
  registerErrorPages(app);
  registerDocs(app, 'Lead Marketplace Partner API');
  if (options.isDemo) registerDemoInbox(app, { database, clock });
  registerSupplierScopes(app, options);
  const wall = await readWall(database);
  if (!wall.stands) log.warn('the second wall between partners is missing: `leadmarket doctor` says how to build it');
  registerBuyerScope(app, { ...options, database: behindWall(database, wall) });
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
  const { clock, buyerOf } = options;
  registerScope(app, {
    name: 'buyer',
    header: 'authorization',
    clock,
    authenticate: (presented) => authenticate(options, 'buyer_token', presented),
    // A paused partner may use the API, a suspended one may not.
    admit: ({ ownerKey }) =>
      known(buyerOf(ownerKey)).status === 'suspended' ? { status: 403, code: 'partner_suspended' } : null,
    rateLimitOf: ({ ownerKey }) => known(buyerOf(ownerKey)).rateLimit,
    routes(routes) {
      // After the body has come, because its reading loses the request's own context.
      routes.addHook('preHandler', (request, _reply, done) => forTenant(principalOf(request).ownerKey, done));
      registerBuyerRoutes(routes, options);
    },
  });
}

function registerBuyerRoutes(routes: App, options: ApiOptions): void {
  const { database, clock, webhook, allowTargets, onQueued, currency, refresh } = options;
  const { serviceAccountEmail, sheetNameOf } = options;
  const buyerOf = (key: string): Buyer => known(options.buyerOf(key));
  const standingsOf = claimStandings;
  registerBuyerLeads(routes, { database, clock, buyerOf, standingsOf });
  registerBuyerEvents(routes, { database, clock, buyerOf, standingsOf, reviewsOf });
  registerReturnPolicy(routes, { database, clock, buyerOf });
  registerBuyerClaims(routes, { database, clock, buyerOf });
  registerDeliveryLogs(routes, { database, clock, buyerOf });
  registerTimeline(routes, { database, buyerOf });
  registerRedeliver(routes, { database, clock, onQueued });
  registerTestDelivery(routes, { database, clock, buyerOf, webhook, allowTargets });
  registerBuyerStats(routes, { database, clock, buyerOf, currency });
  registerExport(routes, { database, clock });
  registerAccount(routes, { database, clock, buyerOf, currency, allowTargets, refresh });
  registerSheetsConfig(routes, { database, serviceAccountEmail, sheetNameOf });
  registerAuditLog(routes, { database, onRequest: betaGate('audit-log', buyerOf) });
  registerBuyerBilling(routes, { database, clock });
  registerInvoiceDocument(routes, { database, clock });
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
