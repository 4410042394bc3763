// The supplier's overview in the portal: submissions over time in its own time zone, acceptance, scores, and the reasons of unsold leads.
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SupplierConfig, SupplierStatus } from '../../suppliers/supplier.ts';
import { namedPeriod } from '../../reports/local-days.rules.ts';
import { readSupplierOverview } from '../../reports/supplier-stats.ts';
import { OverviewQuerySchema, OverviewSchema } from './overview.schema.ts';

export type PortalSupplierOverviewDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly supplierOf: (supplierKey: string) => {
    readonly name: string;
    readonly status: SupplierStatus;
    readonly timeZone: string;
    readonly pay: Pick<SupplierConfig['pay'], 'model'>;
  };
};

export function registerPortalSupplierOverview(
  scope: App,
  { database, clock, supplierOf }: PortalSupplierOverviewDependencies,
): void {
  scope.get(
    '/api/supplier/overview',
    {
      schema: {
        querystring: OverviewQuerySchema,
        response: { 200: OverviewSchema },
      },
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { name, status, timeZone, pay } = supplierOf(ownerKey);
      const when = { now: clock.now(), timeZone };
      const period = namedPeriod(request.query.period ?? '30d', when);
      const monthDays = pay.model === 'none' ? null : namedPeriod('month', when).periods.length;
      const overview = await database.tx((tx) => readSupplierOverview(tx, ownerKey, period), {
        snapshot: true,
      });
      return reply.send({ ...overview, name, status, monthDays });
    },
  );
}
