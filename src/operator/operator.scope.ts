// Registers the operator's HTTP API behind tokens with scopes (contract 10; decision 065).
import { registerConsoleAudit } from '../console/audit.route.ts';
import { registerConsoleBillingRuns } from '../console/billing-runs.route.ts';
import { registerConsoleClaims } from '../console/claims.route.ts';
import { registerConsoleEndpoints } from '../console/endpoints.route.ts';
import { registerConsoleErasure } from '../console/erasure.route.ts';
import { registerConsoleFailedDeliveries } from '../console/failed-deliveries.route.ts';
import { registerConsoleJobs } from '../console/jobs.route.ts';
import { registerConsoleLeads } from '../console/leads.route.ts';
import { registerConsoleCredentials } from '../console/credentials.route.ts';
import { registerConsoleInvoices } from '../console/invoices.route.ts';
import { registerConsoleLedger } from '../console/ledger.route.ts';
import { registerConsoleNotices } from '../console/notices.route.ts';
import { registerConsoleLists } from '../console/lists.route.ts';
import { registerConsoleOffers } from '../console/offers.route.ts';
import { registerConsolePayments } from '../console/payments.route.ts';
import { registerConsolePayouts } from '../console/payouts.route.ts';
import { registerConsoleStatements } from '../console/statements.route.ts';
import { registerOperatorTokens } from '../console/operator-tokens.route.ts';
import { registerPartnerWebhook } from '../console/partner-webhook.route.ts';
import { registerConsolePartners } from '../console/partners.route.ts';
import { registerConsoleResponses } from '../console/responses.route.ts';
import { registerConsoleSuppliers } from '../console/suppliers.route.ts';
import { registerConsoleVerticals } from '../console/verticals.route.ts';
import { typeId } from '../base/ids.ts';
import { permissionsOfScopes, scopeOfPermission } from '../credentials/operator-scopes.rules.ts';
import type { App, Principal } from '../platform/http/app.ts';
import { followOwnChanges } from '../platform/http/own-changes.ts';
import type { Permission } from '../platform/http/permission.rules.ts';
import { registerReport } from '../scopes/report.route.ts';
import { registerScope } from '../platform/http/scope.ts';
import { watchPersonalData } from '../privacy/watch-personal-data.route.ts';
import type { ApiOptions, PartnerOptions } from '../scopes/options.ts';
import { accountRoutes } from './account-routes.ts';
import { registerConfiguration } from './configuration.route.ts';
import { registerMarketplaceFile } from './marketplace-file.route.ts';
import { listRoutes } from './list-routes.ts';
import { moneyRoutes } from './money-routes.ts';
import { mountConsoleRoutes, OPERATOR_PATH, OPERATOR_TAG, scopeText } from './mount-console-routes.ts';
import { workRoutes } from './work-routes.ts';

/** Per token, as for partners' tokens; the burst is for a program that reads several lists at once. */
const RATE = { perSecond: 10, burst: 50 };

export type OperatorApiOptions = ApiOptions & Pick<PartnerOptions, 'exportSlots' | 'listParts'>;

/** The configuration is in a scope without masking: what is read there is written back (decision 065). */
export function registerOperatorApi(app: App, options: OperatorApiOptions): void {
  const { database, clock } = options;
  const reload = reloading(options);
  const operators = {
    name: 'operator',
    header: 'authorization',
    clock,
    authenticate: (presented: string) => findToken(options, presented),
    permits,
    rateLimitOf: () => RATE,
  } as const;
  registerScope(app, {
    ...operators,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      registerConfiguration(routes, { ...options, reload });
      registerMarketplaceFile(routes, { ...options, reload });
    },
  });
  registerScope(app, {
    ...operators,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      watchPersonalData(routes, { database, clock });
      const lists = { ...options, reads: options.reads.database };
      mountConsoleRoutes(routes, moneyRoutes, (scope) => {
        registerConsoleLedger(scope, lists);
        registerConsoleInvoices(scope, lists);
        registerConsoleStatements(scope, lists);
        registerConsolePayouts(scope, lists);
        registerConsolePayments(scope, { database, clock });
        registerConsoleBillingRuns(scope, { database, clock });
      });
      mountConsoleRoutes(routes, accountRoutes, (scope) => {
        registerConsoleSuppliers(scope, { ...lists, reload });
        registerConsolePartners(scope, { ...lists, reload });
        registerPartnerWebhook(scope, options);
        registerConsoleOffers(scope, { database: lists.reads, clock });
        registerConsoleResponses(scope, { ...lists, reload });
        registerConsoleVerticals(scope, { database: lists.reads });
        registerConsoleCredentials(scope, { database, clock, onRevoked: options.sessions.discard });
        registerOperatorTokens(scope, { database, clock });
        registerConsoleAudit(scope, { database: lists.reads });
      });
      mountConsoleRoutes(routes, listRoutes, (scope) =>
        registerConsoleLists(scope, { ...lists, parts: options.listParts }),
      );
      mountConsoleRoutes(routes, workRoutes, (scope) => {
        registerConsoleLeads(scope, lists);
        registerConsoleErasure(scope, options);
        registerConsoleFailedDeliveries(scope, options);
        registerConsoleClaims(scope, options);
        registerConsoleJobs(scope, options);
        registerConsoleEndpoints(scope, options);
        registerConsoleNotices(scope, { database, clock });
      });
      registerReport(routes, {
        ...{ path: `${OPERATOR_PATH}/reports`, database: options.reads.database, clock },
        config: { permission: 'read' },
        scopeOf: () => ({ kind: 'operator' }),
        documented: {
          operationId: 'getOperatorReport',
          tags: [OPERATOR_TAG],
          problems: ['scope_missing'],
          note: scopeText('read'),
        },
      });
    },
  });
}

/** The change is committed already: if the reload fails here, this process notices the change later, like the others. */
function reloading({ refresh, log }: ApiOptions): () => Promise<void> {
  return async () => {
    try {
      await refresh();
    } catch (error) {
      log.warn({ err: error }, 'configuration reload failed after a change; retried automatically');
    }
  };
}

type Found = ReturnType<ApiOptions['authenticator']['authenticate']>;

/** Its name and id are the author of its changes in the audit log. */
function findToken({ authenticator }: ApiOptions, presented: string): Principal | null | Promise<Principal | null> {
  const principalOf = (found: Awaited<Found>): Principal | null =>
    found === null
      ? null
      : {
          credentialId: found.credentialId,
          ownerKey: `${found.ownerKey} (${typeId('token', found.credentialId)})`,
          permissions: permissionsOfScopes(found.scopes ?? []),
        };
  const found = authenticator.authenticate('operator_token', presented);
  return found instanceof Promise ? found.then(principalOf) : principalOf(found);
}

function permits({ permissions = [] }: Principal, permission: Permission) {
  if (permissions.includes(permission)) return null;
  const detail = `This operation needs a token with the scope “${scopeOfPermission(permission) ?? permission}”.`;
  return { status: 403, code: 'scope_missing', detail } as const;
}
