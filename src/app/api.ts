// Builds the HTTP application: registers all routes in their scopes, with the credential that each scope requires (contract 1 to 3, 6, 8.4).
import {
  type ApiOptions,
  ingestContextOf,
  known,
  type PageOptions,
  type PartnerOptions,
  withOwner,
} from '../scopes/options.ts';
import { createListParts } from '../scopes/list-parts.ts';
import { registerBuyerRoutes } from '../scopes/buyer-routes.ts';
import { claimWebhooks } from '../claims/claim-webhook.schema.ts';
import { registerConsole } from '../console/console.scope.ts';
import { registerSigningSecret } from '../credentials/signing-secret.route.ts';
import { createExportSlots } from '../deliveries/export/export-slots.ts';
import { leadWebhooks } from '../deliveries/channels/webhook.schema.ts';
import { registerDemoInbox } from '../demo/demo-inbox.route.ts';
import { ingestProblemExtras } from '../leads/ingest-response.rules.ts';
import { createInboxWatch } from '../leads/inbox-watch.ts';
import { registerIngest } from '../leads/ingest.route.ts';
import { verticalsOf } from '../leads/supplier-verticals.rules.ts';
import { registerSupplierLeads } from '../leads/supplier-leads.route.ts';
import { createLiveHub } from '../live/live-hub.ts';
import { noticeWebhooks } from '../messages/notice-webhook.schema.ts';
import { createFaultLog } from '../platform/fault-log.ts';
import { checkMigrated } from '../platform/database/migrate.ts';
import { behindWall } from '../platform/database/tenant.ts';
import type { App } from '../platform/http/app.ts';
import { registerOperatorApi } from '../operator/operator.scope.ts';
import { registerDocs } from '../platform/http/docs.route.ts';
import { registerErrorPages } from '../platform/http/error-pages.route.ts';
import { registerHealth } from '../platform/http/health.route.ts';
import { isOwnHost } from '../platform/http/own-address.ts';
import { followOwnChanges } from '../platform/http/own-changes.ts';
import { registerOpenapi } from '../platform/http/openapi.ts';
import { registerScope } from '../platform/http/scope.ts';
import { createServer } from '../platform/http/server.ts';
import { registerWebFiles } from '../platform/http/web-files.route.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { registerPortal } from '../portal/portal.scope.ts';
import { createPasswordSlots } from '../sessions/password-slots.ts';
import { registerSupplierStats } from '../reports/supplier-stats.route.ts';
import { registerSupplierStatements } from '../statements/supplier-statements.route.ts';
import { registerSupplierOpenapi } from '../specification/supplier-openapi.route.ts';
import { callbackWebhooks } from '../suppliers/callback.schema.ts';

const INGEST_PATH = '/api/v1/ingest';
const VERSION = '1.0.0';

export async function buildApp(options: ApiOptions): Promise<App> {
  const { database, clock, log, metrics, wall } = options;
  const app = createServer({
    log,
    clock,
    trustProxy: options.trustProxy,
    isOwnHost: (host) => isOwnHost(host, { publicUrl: options.publicUrl(), names: options.allowedHosts }),
    onUntrustedProxy: options.onUntrustedProxy,
    extras: new Map([[INGEST_PATH, ingestProblemExtras]]),
    meter: metrics.http,
    ...(options.rateLimiter === undefined ? {} : { rateLimiter: options.rateLimiter }),
    tracing: options.tracing,
    ...(options.compilesRoutes === undefined ? {} : { compilesRoutes: options.compilesRoutes }),
  });
  registerOpenapi(app, {
    info: {
      title: 'Lead Marketplace Partner API',
      version: VERSION,
      description: 'Suppliers submit leads; buyers read the leads delivered to them.',
      contact: { name: 'The operator of your marketplace' },
    },
    tags: [
      { name: 'Supplier', description: 'For suppliers, with a supplier key in `x-api-key`.' },
      { name: 'Buyer', description: 'For partners, with an access token as `Authorization: Bearer`.' },
      {
        name: 'Operator',
        description: 'For programs of the operator, with a scoped token as `Authorization: Bearer`.',
      },
    ],
    webhooks: { ...leadWebhooks, ...claimWebhooks, ...callbackWebhooks, ...noticeWebhooks },
  });
  await app.after();
  registerHealth(app, {
    log,
    metrics,
    checks: [{ name: 'database', check: () => checkMigrated(database) }],
    metricsFor: options.hasStatusPort ? 'nobody' : 'this machine',
  });
  registerErrorPages(app);
  registerWebFiles(app);
  registerDocs(app, 'Lead Marketplace Partner API');
  // A demo can end while the process runs, but not start.
  if (options.isDemo()) registerDemoInbox(app, options);
  const exportSlots = createExportSlots();
  const listParts = createListParts(clock);
  const passwordSlots = createPasswordSlots();
  registerSupplierScopes(app, { ...options, exportSlots });
  const live = createLiveHub({ database, reads: options.reads.database, clock, onFault: createFaultLog(log, clock) });
  // Before the server waits for running responses, which live streams are for as long as their pages are open.
  app.addHook('preClose', (done) => {
    live.close();
    done();
  });
  const partnerOptions = {
    ...{ ...options, live, walled: behindWall(database, wall) },
    walledReads: behindWall(options.reads.database, wall),
    ...{ exportSlots, listParts, passwordSlots, changeAccount: oneAtATime() },
  };
  registerBuyerScope(app, partnerOptions);
  registerPortal(app, partnerOptions);
  registerConsole(app, { ...options, live, exportSlots, listParts, passwordSlots });
  registerOperatorApi(app, { ...options, exportSlots, listParts });
  await app.ready();
  return app;
}

/** Two scopes, because a supplier that may not submit leads may still read its statistics. */
function registerSupplierScopes(app: App, options: ApiOptions & Pick<PageOptions, 'exportSlots'>): void {
  const { database, clock, batch, supplierOf } = options;
  const scope = {
    name: 'supplier',
    header: 'x-api-key',
    clock,
    authenticate: (presented: string) =>
      withOwner(options.authenticator.authenticate('supplier_key', presented), supplierOf, options.refresh),
    rateLimitOf: ({ ownerKey }: { ownerKey: string }) => known(supplierOf(ownerKey)).config.rateLimit,
  } as const;
  registerScope(app, {
    ...scope,
    admit: ({ ownerKey }) =>
      known(supplierOf(ownerKey)).config.status === 'approved' ? null : { status: 403, code: 'supplier_not_approved' },
    routes: (routes) =>
      registerIngest(routes, {
        ...{ database, clock, batch },
        inbox: createInboxWatch({ database, clock, onFault: createFaultLog(options.log, clock) }),
        onResponse: options.onResponse,
        contextOf: ingestContextOf(options),
      }),
  });
  registerScope(app, {
    ...scope,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      registerSupplierStats(routes, { database: options.reads.database, clock });
      registerSupplierStatements(routes, {
        ...{ database: options.reads.database, clock, slots: options.exportSlots },
        ...{ currency: options.currency, brand: options.brand },
        supplierOf: (key) => known(supplierOf(key)).config,
      });
      registerSupplierLeads(routes, { database });
      registerSupplierOpenapi(routes, {
        clock,
        inputOf(key) {
          const supplier = known(supplierOf(key)).config;
          const { brand, regions, verticals } = options;
          return {
            supplier,
            marketplace: brand().name,
            regions: regions(),
            verticals: verticalsOf(supplier, verticals()),
          };
        },
      });
      registerSigningSecret(routes, { database, clock, kind: 'supplier' });
    },
  });
}

function registerBuyerScope(app: App, options: PartnerOptions): void {
  const { clock, buyerOf } = options;
  registerScope(app, {
    name: 'buyer',
    header: 'authorization',
    clock,
    authenticate: (presented) =>
      withOwner(options.authenticator.authenticate('buyer_token', presented), buyerOf, options.refresh),
    // A paused partner may use the API, a suspended one may not.
    admit: ({ ownerKey }) =>
      known(buyerOf(ownerKey)).status === 'suspended' ? { status: 403, code: 'partner_suspended' } : null,
    rateLimitOf: ({ ownerKey }) => known(buyerOf(ownerKey)).rateLimit,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      registerBuyerRoutes(routes, options);
    },
  });
}
