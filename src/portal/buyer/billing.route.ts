// GET /portal/api/buyer/billing and /ledger/sums: the billing of the public API with the ledger filtered by type and by days of the
// partner's time zone, and what the filtered entries come to, for the line under them.
import type { Buyer } from '../../buyers/buyer.ts';
import { readDeliveryFilter } from '../../deliveries/delivery-filter.ts';
import { readBilling } from '../../invoices/read-billing.ts';
import { sumEntries } from '../../ledger/entries.ts';
import type { EntryFilter } from '../../ledger/entry-versions.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { ListSumsSchema } from '../../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../../platform/http/list-sums.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { type LedgerFilters, LedgerFiltersSchema, LedgerQuerySchema } from './billing.schema.ts';

export type PortalBillingDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'timeZone'>;
  readonly currency: () => string;
};

export function registerPortalBilling(
  scope: App,
  { database, clock, buyerOf, currency }: PortalBillingDependencies,
): void {
  const filterOf = (buyerKey: string, { type, ...days }: LedgerFilters, invalid?: Error): EntryFilter => {
    const { from, until } = readDeliveryFilter(days, { invalid, timeZone: buyerOf(buyerKey).timeZone }).filter;
    return { type: type ?? null, from, until };
  };
  scope.get(
    '/api/buyer/billing',
    {
      attachValidation: true,
      schema: { querystring: LedgerQuerySchema },
      // As in the public API: the view has exactly its members.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { page = 1, pageSize = 25, ...filters } = request.query;
      const query = { page, pageSize, filter: filterOf(ownerKey, filters, request.validationError) };
      return reply.send(await database.tx((tx) => readBilling(tx, ownerKey, query, clock.now()), { snapshot: true }));
    },
  );
  scope.get(
    '/api/buyer/ledger/sums',
    { attachValidation: true, schema: { querystring: LedgerFiltersSchema, response: { 200: ListSumsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const query = { filter: filterOf(ownerKey, request.query, request.validationError), atMost: LIST_SUMS_MAX };
      const { rows, debitCents, creditCents } = await database.tx((tx) => sumEntries(tx, ownerKey, query), {
        snapshot: true,
      });
      const cents = { debited: debitCents, credited: creditCents };
      return reply.send(listSums({ rows, cents, currency: currency() }));
    },
  );
}
