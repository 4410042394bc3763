// Registers the console's routes behind an operator's session (decision 022).
import type { ApiOptions, PageOptions } from '../scopes/options.ts';
import { registerConsoleAudit } from './audit.route.ts';
import { registerConsoleClaimFiles } from './claim-files.route.ts';
import { registerConsoleClaims } from './claims.route.ts';
import { registerConsoleEndpoints } from './endpoints.route.ts';
import { registerConsoleFailedDeliveries } from './failed-deliveries.route.ts';
import { registerConsoleInvoices } from './invoices.route.ts';
import { registerConsoleBillingRuns } from './billing-runs.route.ts';
import { registerConsolePayouts } from './payouts.route.ts';
import { registerConsoleStatements } from './statements.route.ts';
import { registerConsolePayments } from './payments.route.ts';
import { registerConsoleLedger } from './ledger.route.ts';
import { registerConsoleLists } from './lists.route.ts';
import { registerConsoleChanges } from './changes.route.ts';
import { registerConsoleConfiguration } from './configuration.route.ts';
import { registerConsoleCredentials } from './credentials.route.ts';
import { registerOperatorTokens } from './operator-tokens.route.ts';
import { registerConsoleOperators } from './operators.route.ts';
import { registerOfferEstimate } from './offer-estimate.route.ts';
import { registerConsoleOffers } from './offers.route.ts';
import { registerPartnerWebhook } from './partner-webhook.route.ts';
import { registerConsolePartners } from './partners.route.ts';
import { registerConsoleResponses } from './responses.route.ts';
import { registerConsoleSimulations } from './simulations.route.ts';
import { registerMappingTrial } from './mapping-trial.route.ts';
import { registerConsoleSuppliers } from './suppliers.route.ts';
import { registerConsoleUsers } from './users.route.ts';
import { registerConsoleVerticals } from './verticals.route.ts';
import { registerLiveStream } from '../live/live-stream.route.ts';
import type { App, Principal } from '../platform/http/app.ts';
import type { Permission } from '../platform/http/permission.rules.ts';
import { followOwnChanges } from '../platform/http/own-changes.ts';
import { registerOwnPages, registerScope } from '../platform/http/scope.ts';
import { registerConsoleErasure } from './erasure.route.ts';
import { watchPersonalData } from '../privacy/watch-personal-data.route.ts';
import { registerFirstSteps } from './first-steps.route.ts';
import { registerConsoleHealth } from './health.route.ts';
import { registerConsoleWaiting } from './waiting.route.ts';
import { registerConsoleWarnings } from './warnings.route.ts';
import { registerReportViews } from './report-views.route.ts';
import { registerListExport } from '../scopes/list-export.route.ts';
import { registerReport } from '../scopes/report.route.ts';
import { exportedLists } from './exported-lists.rules.ts';
import { registerConsoleMessages } from './messages.route.ts';
import { registerConsoleReplays } from './replays.route.ts';
import { registerConsoleNotices } from './notices.route.ts';
import { registerConsoleJobs } from './jobs.route.ts';
import { registerConsoleLeads } from './leads.route.ts';
import { registerConsoleSearch } from './search.route.ts';
import { registerProviderCallback, registerProviderSignIn } from './provider-sign-in.route.ts';
import { registerConsoleSession } from './session.route.ts';
import { operatorFactors, registerSecondFactor } from '../sessions/second-factor.route.ts';
import { registerInvitation } from '../scopes/invitation.route.ts';
import { registerListViews } from '../list-views/list-views.route.ts';
import { registerOwnSessions } from '../sessions/own-sessions.route.ts';
import { isAttended, SESSION_RATE, sessionPrincipal } from '../sessions/session-access.ts';

/** The scope has the prefix /console: `/api/leads` is served at /console/api/leads. */
export function registerConsole(app: App, options: PageOptions): void {
  const { database, clock, sessions, requireTotp } = options;
  const reads = options.reads.database;
  registerOwnPages(app, 'console', (routes) => {
    registerConsoleSession(routes, options);
    if (options.openId !== null) registerProviderSignIn(routes, { ...options, provider: options.openId });
    registerInvitation(routes, {
      ...{ database, clock, kinds: ['operator'], accountOf: () => null, onAccepted: sessions.discard },
      passwordSlots: options.passwordSlots,
    });
  });
  if (options.openId !== null) registerProviderCallback(app, { ...options, provider: options.openId });
  registerScope(app, {
    name: 'operator',
    cookie: 'console',
    clock,
    authenticate: (secret, request) =>
      sessionPrincipal(sessions.find(secret, isAttended(request)), ['operator'], { requireTotp }),
    permits,
    rateLimitOf: () => SESSION_RATE,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      watchPersonalData(routes, { database, clock });
      registerOwnSessions(routes, { database, clock, sessions });
      registerSecondFactor(routes, operatorFactors, { database, clock, sessions });
      registerLiveStream(routes, { hub: options.live, mayStay: () => true });
      registerConfigurationRoutes(routes, options);
      registerConsoleOperators(routes, { ...options, onChanged: sessions.discard });
      registerConsoleUsers(routes, { ...options, onChanged: sessions.discard });
      registerConsoleHealth(routes, { ...options, database: reads });
      registerConsoleWarnings(routes, { database, clock });
      registerConsoleWaiting(routes, { database: reads });
      registerFirstSteps(routes, { database });
      registerReport(routes, {
        ...{ path: '/api/reports', database: reads, clock, config: { permission: 'read' } },
        scopeOf: () => ({ kind: 'operator' }),
      });
      registerListViews(routes, { database, clock });
      registerReportViews(routes, { database, clock });
      registerListExport(routes, {
        ...{ path: '/api/exports/:list', permission: 'read', lists: exportedLists, clock, slots: options.exportSlots },
      });
      registerConsoleLeads(routes, { ...options, reads });
      registerConsoleSearch(routes, { ...options, database: reads });
      registerConsoleEndpoints(routes, options);
      registerConsoleJobs(routes, options);
      registerConsoleFailedDeliveries(routes, options);
      registerConsoleMessages(routes, { ...options, reads });
      registerConsoleReplays(routes, options);
      registerConsoleClaims(routes, options);
      registerConsoleClaimFiles(routes, { database, clock });
      registerConsoleLedger(routes, { ...options, reads });
      registerConsoleInvoices(routes, { ...options, reads });
      registerConsoleStatements(routes, { ...options, reads });
      registerConsolePayouts(routes, { ...options, reads });
      registerConsoleBillingRuns(routes, { database, clock });
      registerConsolePayments(routes, { database, clock });
      registerConsoleLists(routes, { database, reads, clock, parts: options.listParts });
      registerConsoleAudit(routes, { database: reads });
      registerConsoleNotices(routes, { database, clock });
      registerConsoleErasure(routes, options);
    },
  });
}

/** Suppliers, partners, offers, credentials, the marketplace file, and dry runs of changes to them (contract 7.5). */
function registerConfigurationRoutes(routes: App, options: ApiOptions): void {
  const { database, reads, clock, allowTargets, sessions, simulations, refresh, log } = options;
  /** The change is committed already: if the reload fails here, this process notices the change later, like the others. */
  const reload = async (): Promise<void> => {
    try {
      await refresh();
    } catch (error) {
      log.warn({ err: error }, 'configuration reload failed after a change; retried automatically');
    }
  };
  registerConsoleSuppliers(routes, { database, reads: reads.database, clock, reload });
  registerConsolePartners(routes, { database, reads: reads.database, clock, reload });
  registerPartnerWebhook(routes, options);
  registerConsoleOffers(routes, { database: reads.database, clock });
  registerOfferEstimate(routes, { reads: reads.database, clock });
  registerConsoleResponses(routes, { database, reads: reads.database, clock, reload });
  registerConsoleCredentials(routes, { database, clock, onRevoked: sessions.discard });
  registerOperatorTokens(routes, { database, clock });
  registerMappingTrial(routes, options);
  registerConsoleVerticals(routes, { database: reads.database });
  registerConsoleConfiguration(routes, { database, clock, allowTargets, reload });
  registerConsoleChanges(routes, { database: reads.database });
  registerConsoleSimulations(routes, { database, clock, simulations });
}

/** Checks the permission against the operator's current role (decision 030). */
function permits({ session, permissions }: Principal, permission: Permission) {
  if (session?.mustEnrol === true && permission !== 'own') {
    return { status: 403, code: 'second_factor_required' } as const;
  }
  const isAllowed = permissions?.includes(permission) === true;
  return isAllowed ? null : ({ status: 403, code: 'role_not_allowed' } as const);
}
