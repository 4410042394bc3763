// POST /portal/api/buyer/deliveries/export: the filtered and searched deliveries as a CSV file. The search text is in the body, so that it
// appears in no URL and no file name.
import { localDate } from '../../base/time.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { readDeliveryFilter } from '../../deliveries/delivery-filter.ts';
import { readNarrowing } from '../../deliveries/narrowing.ts';
import { csvFileName, filterInFileName } from '../../deliveries/export/export-csv.rules.ts';
import { readSearch, type ParsedSearch } from '../../deliveries/search/search-query.rules.ts';
import type { ExportSlots } from '../../deliveries/export/export-slots.ts';
import { makeSendExport } from '../../deliveries/export/send-export.route.ts';
import { ExportFileQuery, ExportRequestSchema } from './deliveries.schema.ts';

const NOTHING: ParsedSearch = { delivery: null, kind: 'name', ranges: [] };

export type PortalExportDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly slots: ExportSlots;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'timeZone'>;
};

export function registerPortalExport(scope: App, { database, clock, slots, buyerOf }: PortalExportDependencies): void {
  const sendExport = makeSendExport({ database, slots });
  scope.post(
    '/api/buyer/deliveries/export',
    { attachValidation: true, schema: { body: ExportRequestSchema, querystring: ExportFileQuery } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { timeZone } = buyerOf(ownerKey);
      const { filter, days } = readDeliveryFilter(request.body, { invalid: request.validationError, timeZone });
      const { eventType = null, search } = request.body;
      const reading = search === undefined ? null : readSearch(search);
      const today = localDate(clock.now(), timeZone);
      const narrowing = readNarrowing(request.body);
      const words = filterInFileName({
        status: filter.status,
        eventType,
        narrowing,
        isSearch: search !== undefined,
      });
      return sendExport(request, reply, {
        buyerKey: ownerKey,
        // A search that is too short finds nothing, as in the list.
        filter: {
          ...filter,
          eventType,
          narrowing,
          search: reading === null ? null : reading.ok ? reading.parsed : NOTHING,
        },
        fileName: (total) => csvFileName({ ...days, today, further: [...words, `${total}-rows`] }),
      });
    },
  );
}
