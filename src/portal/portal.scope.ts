// Registers the portal's routes behind a buyer's or supplier's session (decision 022).
import type { FastifyRequest } from 'fastify';

import { type CurrentSupplier, ingestContextOf, known, type PartnerOptions, withOwner } from '../scopes/options.ts';
import { registerBuyerRoutes } from '../scopes/buyer-routes.ts';
import { registerPortalChannels } from './buyer/channels.route.ts';
import { readClaimStatuses } from '../claims/read-claim-statuses.ts';
import { registerPortalClaims } from './buyer/claims.route.ts';
import { registerPortalClaimFiles } from './buyer/claim-files.route.ts';
import { registerPortalPause } from './buyer/pause.route.ts';
import { registerPortalLimits } from './buyer/limits.route.ts';
import { registerPortalFiling } from './buyer/filing.route.ts';
import { registerPortalReturns } from './buyer/returns.route.ts';
import { registerPortalLists } from './buyer/lists.route.ts';
import { registerPortalDeliveries } from './buyer/deliveries.route.ts';
import { registerPortalExport } from './buyer/export.route.ts';
import { registerPortalBilling } from './buyer/billing.route.ts';
import { registerPortalReceipts } from './buyer/receipts.route.ts';
import { registerPortalNotices } from './notices.route.ts';
import { registerPortalCredentials } from './credentials.route.ts';
import { registerSigningSecret } from '../credentials/signing-secret.route.ts';
import { registerPortalWebhookFormat } from './buyer/webhook-format.route.ts';
import { registerPortalWebhookTrial } from './buyer/webhook-trial.route.ts';
import { registerPortalTestDelivery } from './buyer/test-delivery.route.ts';
import { registerLiveStream } from '../live/live-stream.route.ts';
import type { App, Principal } from '../platform/http/app.ts';
import { followOwnChanges } from '../platform/http/own-changes.ts';
import { principalOf, registerOwnPages, registerScope } from '../platform/http/scope.ts';
import { registerPortalOverview } from './buyer/overview.route.ts';
import { registerListExport } from '../scopes/list-export.route.ts';
import { registerReport } from '../scopes/report.route.ts';
import { registerPortalStats } from './buyer/stats.route.ts';
import { registerSupplierStats } from '../reports/supplier-stats.route.ts';
import { registerSupplierStatements } from '../statements/supplier-statements.route.ts';
import { registerPortalSupplierOverview } from './supplier/overview.route.ts';
import { registerPortalSpecification } from './supplier/specification.route.ts';
import { registerPortalStatementSums } from './supplier/statement-sums.route.ts';
import { registerPortalSubmissionEarnings } from './supplier/submission-earnings.route.ts';
import { registerPortalSubmissions } from './supplier/submissions.route.ts';
import { registerPortalTestLeads } from './supplier/test-leads.route.ts';
import { registerListViews } from '../list-views/list-views.route.ts';
import { registerSecondFactor } from '../sessions/second-factor.route.ts';
import { registerOwnSessions } from '../sessions/own-sessions.route.ts';
import { registerInvitation } from '../scopes/invitation.route.ts';
import { registerPasswordLinks } from './password-links.route.ts';
import { userFactors } from './second-factor.route.ts';
import { buyerLists, supplierLists } from './exported-lists.rules.ts';
import { routeRights } from './route-rights.ts';
import { registerUserSignIn } from './user-session.route.ts';
import { registerPortalUsers } from './users.route.ts';
import { type PortalSessionDependencies, registerPortalSession } from './session.route.ts';
import { isAttended, SESSION_RATE, sessionRate, sessionPrincipal } from '../sessions/session-access.ts';

/** As in the API: paused partners have access, suspended ones do not. */
const SUSPENDED = { status: 403, code: 'partner_suspended' } as const;

type Found = Principal | null | Promise<Principal | null>;

/** Each scope has the prefix /portal: `/api/buyer/tokens` is served at /portal/api/buyer/tokens. */
export function registerPortal(app: App, options: PartnerOptions): void {
  registerSignInPages(app, options);
  registerSharedPages(app, options);
  registerBuyerPages(app, options);
  registerSupplierPages(app, options);
}

function registerSignInPages(app: App, options: PartnerOptions): void {
  const { database, clock, sessions } = options;
  const partnerOf = partnersOf(options);
  registerOwnPages(app, 'portal', (routes) => {
    registerPortalSession(routes, { ...options, partnerOf });
    registerUserSignIn(routes, { ...options, partnerOf });
    registerPasswordLinks(routes, { database, clock });
    registerInvitation(routes, {
      ...{ database, clock, kinds: ['buyer', 'supplier'], onAccepted: sessions.discard },
      passwordSlots: options.passwordSlots,
      accountOf: ({ kind, ownerKey }) => (kind === 'operator' ? null : (partnerOf(kind, ownerKey)?.name ?? ownerKey)),
    });
  });
}

function partnersOf({ buyerOf, supplierOf }: PartnerOptions): PortalSessionDependencies['partnerOf'] {
  return (kind, key) => (kind === 'buyer' ? buyerOf(key) : (supplierOf(key)?.config ?? null));
}

/** Routes that buyers and suppliers share. */
function registerSharedPages(app: App, options: PartnerOptions): void {
  const { database, clock, sessions, buyerOf, supplierOf, refresh } = options;
  registerScope(app, {
    name: 'partner',
    cookie: 'portal',
    rights: routeRights,
    clock,
    async authenticate(secret, request) {
      const found = await sessionPrincipal(sessions.find(secret, isAttended(request)), ['buyer', 'supplier']);
      return withOwner(found, found?.session.kind === 'buyer' ? buyerOf : supplierOf, refresh);
    },
    admit: ({ ownerKey, session }) =>
      session?.kind === 'buyer' && known(buyerOf(ownerKey)).status === 'suspended' ? SUSPENDED : null,
    rateLimitOf: ({ ownerKey, session }) =>
      session?.kind === 'buyer' ? sessionRate(known(buyerOf(ownerKey)).rateLimit) : SESSION_RATE,
    routes(routes) {
      registerOwnSessions(routes, { database, clock, sessions });
      registerListViews(routes, { database, clock });
      registerSecondFactor(routes, userFactors, { database, clock, sessions });
      registerPortalUsers(routes, {
        ...{ ...options, onChanged: sessions.discard },
        nameOf: (kind, key) => partnersOf(options)(kind, key)?.name ?? key,
      });
      registerLiveStream(routes, {
        hub: options.live,
        mayStay: ({ kind, ownerKey }) => kind !== 'buyer' || buyerOf(ownerKey)?.status !== 'suspended',
      });
    },
  });
}

/** The public API's routes for buyers, and those that only the portal has. */
function registerBuyerPages(app: App, options: PartnerOptions): void {
  const { database, clock, sessions, buyerOf, refresh } = options;
  registerScope(app, {
    name: 'buyer',
    cookie: 'portal',
    rights: routeRights,
    clock,
    authenticate: (secret: string, request: FastifyRequest): Found =>
      withOwner(sessionPrincipal(sessions.find(secret, isAttended(request)), ['buyer']), buyerOf, refresh),
    admit: ({ ownerKey }) => (known(buyerOf(ownerKey)).status === 'suspended' ? SUSPENDED : null),
    rateLimitOf: ({ ownerKey }) => sessionRate(known(buyerOf(ownerKey)).rateLimit),
    routes(routes) {
      followOwnChanges(routes, options.reads);
      registerBuyerRoutes(routes, options);
      registerPortalCredentials(routes, { database, clock, kind: 'buyer_token', onRevoked: sessions.discard });
      const own = { database: options.walled, clock, buyerOf: (key: string) => known(buyerOf(key)) };
      const reports = { ...own, database: options.walledReads };
      registerPortalDeliveries(routes, {
        ...own,
        reads: options.walledReads,
        claimStatusesOf: readClaimStatuses,
        verticals: options.verticals,
        currency: options.currency,
      });
      registerPortalExport(routes, { ...reports, slots: options.exportSlots });
      registerPortalBilling(routes, { ...reports, currency: options.currency });
      registerPortalReceipts(routes, { ...own, brand: options.brand });
      registerPortalFiling(routes, { ...own, personPepper: options.personPepper });
      registerPortalReturns(routes, { ...own, personPepper: options.personPepper });
      registerPortalClaims(routes, { ...reports, labels: database, currency: options.currency });
      registerPortalClaimFiles(routes, { database: options.walled, clock });
      registerListExport(routes, {
        ...{ path: '/api/buyer/exports/:list', lists: buyerLists, clock, slots: options.exportSlots },
      });
      registerPortalOverview(routes, { ...reports, currency: options.currency });
      registerPortalStats(routes, { ...reports, currency: options.currency });
      registerReport(routes, {
        ...{ path: '/api/buyer/reports', database: options.walledReads, clock },
        scopeOf: (request) => ({ kind: 'partner', key: principalOf(request).ownerKey }),
        timeZoneOf: (request) => own.buyerOf(principalOf(request).ownerKey).timeZone,
      });
      registerPortalChannels(routes, {
        ...{ ...options, ...own, database: options.walled, change: options },
      });
      registerPortalPause(routes, { ...options, ...own, database: options.walled });
      registerPortalLimits(routes, { ...options, ...own, database: options.walled, reads: options.walledReads });
      registerPortalLists(routes, { ...own, reads: options.walledReads, parts: options.listParts });
      registerPortalNotices(routes, {
        ...{ database: options.walled, clock, kind: 'buyer', allowTargets: options.allowTargets },
        accountOf(key) {
          const { settings, timeZone } = known(buyerOf(key));
          const { notificationEmail, ccEmails } = settings;
          return { emails: notificationEmail === null ? [] : [notificationEmail, ...ccEmails], timeZone };
        },
      });
      // Reading the whole configuration is beyond a partner's rights; the route changes nothing but the partner's own format.
      registerPortalWebhookFormat(routes, { ...own, ...options, buyerOf: own.buyerOf });
      registerPortalWebhookTrial(routes, { ...options, ...own });
      registerPortalTestDelivery(routes, {
        ...options,
        database: options.walled,
        buyerOf: (key) => known(buyerOf(key)),
      });
    },
  });
}

/** Open to suppliers in every status, as their statistics are in the API. Only test leads can be posted, and only if approved. */
function registerSupplierPages(app: App, options: PartnerOptions): void {
  const { database, clock, sessions, supplierOf, refresh } = options;
  registerScope(app, {
    name: 'supplier',
    cookie: 'portal',
    rights: routeRights,
    clock,
    authenticate: (secret: string, request: FastifyRequest): Found =>
      withOwner(sessionPrincipal(sessions.find(secret, isAttended(request)), ['supplier']), supplierOf, refresh),
    rateLimitOf: () => SESSION_RATE,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      const reports = { database: options.reads.database, clock };
      registerSupplierStats(routes, reports);
      registerSupplierStatements(routes, {
        ...{ ...reports, slots: options.exportSlots, currency: options.currency, brand: options.brand },
        supplierOf: (key) => known(supplierOf(key)).config,
      });
      registerPortalSubmissionEarnings(routes, { ...reports, currency: options.currency });
      registerPortalStatementSums(routes, { ...reports, currency: options.currency });
      registerSigningSecret(routes, { database, clock, kind: 'supplier' });
      registerPortalCredentials(routes, { database, clock, kind: 'supplier_key', onRevoked: sessions.discard });
      const currentSupplier = (key: string): CurrentSupplier => known(supplierOf(key));
      const configOf = (key: string) => currentSupplier(key).config;
      registerPortalSupplierOverview(routes, { ...reports, supplierOf: configOf });
      registerReport(routes, {
        ...{ ...reports, path: '/api/supplier/reports' },
        scopeOf: (request) => ({ kind: 'supplier', key: principalOf(request).ownerKey }),
        timeZoneOf: (request) => configOf(principalOf(request).ownerKey).timeZone,
      });
      registerPortalNotices(routes, {
        ...{ database, clock, kind: 'supplier', allowTargets: options.allowTargets },
        accountOf: (key) => ({ emails: [], timeZone: configOf(key).timeZone }),
      });
      registerPortalSubmissions(routes, { ...reports, supplierOf: currentSupplier, currency: options.currency });
      registerListExport(routes, {
        ...{ path: '/api/supplier/exports/:list', lists: supplierLists, clock, slots: options.exportSlots },
      });
      registerPortalTestLeads(routes, {
        ...{ database, clock, onResponse: options.onResponse },
        statusOf: (key) => configOf(key).status,
        contextOf: ingestContextOf(options),
      });
      const { brand, regions, verticals } = options;
      registerPortalSpecification(routes, { clock, supplierOf: configOf, brand, regions, verticals });
    },
  });
}
