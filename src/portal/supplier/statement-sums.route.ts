// GET /portal/api/supplier/statements/sums: what all statements of the supplier come to, for the line under their list.
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { ListSumsSchema } from '../../platform/http/list-sums.schema.ts';
import { listSums } from '../../platform/http/list-sums.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { sumStatements } from '../../statements/find-statements.ts';

export function registerPortalStatementSums(
  scope: App,
  { database, currency }: { readonly database: Database; readonly currency: () => string },
): void {
  scope.get(
    '/api/supplier/statements/sums',
    { schema: { response: { 200: ListSumsSchema } } },
    async (request, reply) => {
      const supplierKey = principalOf(request).ownerKey;
      const { total, earnedCents } = await database.tx((tx) => sumStatements(tx, { supplierKey, month: null }));
      return reply.send(listSums({ rows: total, cents: { earned: earnedCents }, currency: currency() }));
    },
  );
}
