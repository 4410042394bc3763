// The table of contents of the operator's console: the routes that an operator's session opens (decision 022).
import type { PageOptions } from './api-options.ts';
import { registerConsoleAudit } from './audit/console-audit.route.ts';
import { registerConsoleClaims } from './claims/console-claims.route.ts';
import { claimsOfLead } from './claims/claims-of-lead.ts';
import { checkHolds } from './deliveries/check-holds.ts';
import { registerConsoleEndpoints } from './deliveries/console-endpoints.route.ts';
import { registerConsoleFailedDeliveries } from './deliveries/console-failed-deliveries.route.ts';
import { checkInvoices } from './invoices/check-invoices.ts';
import { registerConsoleInvoices } from './invoices/console-invoices.route.ts';
import { registerConsoleLedger } from './invoices/console-ledger.route.ts';
import { registerConfigurationRoutes } from './configuration-routes.ts';
import { registerLiveStream } from './live/live-stream.route.ts';
import type { App, Principal } from './platform/http/app.ts';
import type { Permission } from './platform/http/permission.rules.ts';
import { registerOwnPages, registerScope } from './platform/http/scope.ts';
import { registerConsoleErasure } from './privacy/console-erasure.route.ts';
import { watchPersons } from './privacy/watch-persons.route.ts';
import { registerConsoleOverview } from './reports/console-overview.route.ts';
import { registerConsoleJobs } from './routing/console-jobs.route.ts';
import { registerConsoleLeads } from './routing/console-leads.route.ts';
import { reviveDeliveries } from './routing/revive-deliveries.ts';
import { registerConsoleSession } from './sessions/console-session.route.ts';
import { registerSecondFactor } from './sessions/second-factor.route.ts';
import { registerOwnSessions } from './sessions/own-sessions.route.ts';
import { isAttended, SESSION_RATE } from './sessions/session-rate.ts';
import { sessionPrincipal } from './sessions/session-principal.ts';

/** The scope has the prefix /console: a route `/api/leads` is at /console/api/leads. */
export function registerConsole(app: App, options: PageOptions): void {
  const { database, clock, sessions, requireTotp } = options;
  registerOwnPages(app, 'console', (routes) => registerConsoleSession(routes, options));
  registerScope(app, {
    name: 'operator',
    cookie: 'console',
    clock,
    authenticate: (secret, request) =>
      sessionPrincipal(sessions.find(secret, isAttended(request)), ['operator'], { requireTotp }),
    permits,
    rateLimitOf: () => SESSION_RATE,
    routes(routes) {
      watchPersons(routes, { database, clock });
      // Routes of the console: one line each.
      registerOwnSessions(routes, { database, clock, sessions });
      registerSecondFactor(routes, { database, clock, sessions });
      registerLiveStream(routes, { hub: options.live, mayStay: () => true });
      registerConfigurationRoutes(routes, options);
      registerConsoleOverview(routes, { database, clock });
      registerConsoleLeads(routes, { ...options, claimsOf: claimsOfLead });
      registerConsoleEndpoints(routes, options);
      registerConsoleJobs(routes, { database, clock });
      registerConsoleFailedDeliveries(routes, { ...options, revive: reviveDeliveries });
      registerConsoleClaims(routes, options);
      registerConsoleLedger(routes, { ...options, furtherChecks });
      registerConsoleInvoices(routes, options);
      registerConsoleAudit(routes, options);
      registerConsoleErasure(routes, options);
    },
  });
}

/** By what the operator's role is now (decision 030). */
function permits({ session }: Principal, permission: Permission) {
  if (session?.mustEnrol === true && permission !== 'own') {
    return { status: 403, code: 'second_factor_required' } as const;
  }
  const isAllowed = session?.permissions?.includes(permission) === true;
  return isAllowed ? null : ({ status: 403, code: 'role_not_allowed' } as const);
}

/** What a recount looks at beside the ledger itself. */
const furtherChecks = new Map([
  ['holds', checkHolds],
  ['invoices', checkInvoices],
]);
