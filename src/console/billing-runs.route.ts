// Shows on the operator's console what the monthly runs did, and when the next one is (contract 6.20).
import { readBillingRuns } from '../invoices/read-billing-runs.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { BillingRunsSchema } from './billing-runs.schema.ts';

export type ConsoleBillingRunsDependencies = { readonly database: Database; readonly clock: Clock };

export function registerConsoleBillingRuns(scope: App, { database, clock }: ConsoleBillingRunsDependencies): void {
  scope.get(
    '/api/billing-runs',
    { config: { permission: 'read' }, schema: { response: { 200: BillingRunsSchema } } },
    async (_request, reply) => {
      const now = clock.now();
      const { routines, runOn } = await database.tx(
        async (tx) => ({
          routines: await readBillingRuns(tx, now),
          runOn: (await readSettings(tx)).settings.billing.runOn,
        }),
        { snapshot: true },
      );
      return reply.send({
        runOn,
        routines: routines.map(({ runs, failures, ...routine }) => ({
          ...routine,
          runs: runs.map(({ startedAt, completedAt, ...run }) => ({
            ...run,
            startedAt: startedAt.toISOString(),
            completedAt: completedAt?.toISOString() ?? null,
          })),
          failures: failures.map(({ month, ownerKey, error, at }) => ({
            ...{ month, owner: ownerKey, error },
            at: at.toISOString(),
          })),
        })),
      });
    },
  );
}
