// The routes of a supplier's pages in the portal, besides those that the API has, too (decision 022).
import { type ApiOptions, ingestContextOf, known, type CurrentSupplier } from '../../scopes/options.ts';
import { registerPortalSubmissions } from './submissions.route.ts';
import { registerPortalTestLeads } from './test-leads.route.ts';
import type { App } from '../../platform/http/app.ts';
import { registerPortalSupplierOverview } from './overview.route.ts';
import { registerPortalSpecification } from './specification.route.ts';

/** For suppliers in every status; to post a test one has to be approved. */
export function registerSupplierPageRoutes(routes: App, options: ApiOptions): void {
  const { database, clock, onResponse } = options;
  const supplierOf = (key: string): CurrentSupplier => known(options.supplierOf(key));
  const configOf = (key: string) => supplierOf(key).config;
  registerPortalSupplierOverview(routes, { database, clock, supplierOf: configOf });
  registerPortalSubmissions(routes, { database, supplierOf });
  registerPortalTestLeads(routes, {
    ...{ database, clock, onResponse },
    statusOf: (key) => configOf(key).status,
    contextOf: ingestContextOf(options),
  });
  registerPortalSpecification(routes, {
    clock,
    supplierOf: configOf,
    marketplaceName: options.marketplaceName,
    regions: options.regions,
  });
}
