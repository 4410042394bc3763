// GET /portal/api/buyer/ledger/sums: what the entries of the partner's ledger come to, for the line under it.
import { sumEntries } from '../../ledger/entries.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { ListSumsSchema } from '../../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../../platform/http/list-sums.ts';
import { principalOf } from '../../platform/http/scope.ts';

export function registerPortalLedgerSums(
  scope: App,
  { database, currency }: { readonly database: Database; readonly currency: () => string },
): void {
  scope.get('/api/buyer/ledger/sums', { schema: { response: { 200: ListSumsSchema } } }, async (request, reply) => {
    const { ownerKey } = principalOf(request);
    const { rows, debitCents, creditCents } = await database.tx((tx) => sumEntries(tx, ownerKey, LIST_SUMS_MAX), {
      snapshot: true,
    });
    const cents = { debited: debitCents, credited: creditCents };
    return reply.send(listSums({ rows, cents, currency: currency() }));
  });
}
