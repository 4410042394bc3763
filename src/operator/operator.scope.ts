// Registers the operator's HTTP API behind tokens with scopes (contract 10; decision 065).
import { registerConsoleClaims } from '../console/claims.route.ts';
import { registerConsoleEndpoints } from '../console/endpoints.route.ts';
import { registerConsoleErasure } from '../console/erasure.route.ts';
import { registerConsoleFailedDeliveries } from '../console/failed-deliveries.route.ts';
import { registerConsoleJobs } from '../console/jobs.route.ts';
import { registerConsoleLeads } from '../console/leads.route.ts';
import { typeId } from '../base/ids.ts';
import { permissionsOfScopes, scopeOfPermission } from '../credentials/operator-scopes.rules.ts';
import type { App, Principal } from '../platform/http/app.ts';
import { followOwnChanges } from '../platform/http/own-changes.ts';
import type { Permission } from '../platform/http/permission.rules.ts';
import { registerReport } from '../scopes/report.route.ts';
import { registerScope } from '../platform/http/scope.ts';
import { watchPersonalData } from '../privacy/watch-personal-data.route.ts';
import type { ApiOptions } from '../scopes/options.ts';
import { mountConsoleRoutes, OPERATOR_PATH, OPERATOR_TAG, scopeText } from './mount-console-routes.ts';
import { workRoutes } from './work-routes.ts';

/** Per token, as for partners' tokens; the burst is for a program that reads several lists at once. */
const RATE = { perSecond: 10, burst: 50 };

export function registerOperatorApi(app: App, options: ApiOptions): void {
  const { database, clock } = options;
  registerScope(app, {
    name: 'operator',
    header: 'authorization',
    clock,
    authenticate: (presented) => findToken(options, presented),
    permits,
    rateLimitOf: () => RATE,
    routes(routes) {
      followOwnChanges(routes, options.reads);
      watchPersonalData(routes, { database, clock });
      const lists = { ...options, reads: options.reads.database };
      mountConsoleRoutes(routes, workRoutes, (scope) => {
        registerConsoleLeads(scope, lists);
        registerConsoleErasure(scope, options);
        registerConsoleFailedDeliveries(scope, options);
        registerConsoleClaims(scope, options);
        registerConsoleJobs(scope, { database, clock });
        registerConsoleEndpoints(scope, options);
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
