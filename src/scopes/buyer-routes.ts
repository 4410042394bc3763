// Registers the routes that partners use both through the API with a token and through the portal with a session (contract 6; decision 022).
import { known, type PartnerOptions } from './options.ts';
import { registerAuditLog } from '../audit/audit-log.route.ts';
import { registerAccount } from '../buyers/account.route.ts';
import { betaGate, editableGate } from '../buyers/buyer-gates.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { registerBuyerClaims } from '../claims/buyer-claims.route.ts';
import { readClaimStatuses } from '../claims/read-claim-statuses.ts';
import { registerReturnPolicy } from '../claims/return-policy.route.ts';
import { readClaimViews } from '../claims/stored-claims.ts';
import { registerSigningSecret } from '../credentials/signing-secret.route.ts';
import { registerBuyerEvents } from '../deliveries/feed/buyer-events.route.ts';
import { registerBuyerLeads } from '../deliveries/buyer-leads.route.ts';
import { registerDeliveryLogs } from '../deliveries/delivery-logs.route.ts';
import { registerExport } from '../deliveries/export/export.route.ts';
import { registerRedeliver } from '../deliveries/redelivery/redeliver.route.ts';
import { registerSheetsConfig } from '../deliveries/channels/sheets-config.route.ts';
import { registerTestDelivery } from '../deliveries/test-delivery/test-delivery.route.ts';
import { registerTimeline } from '../deliveries/timeline/timeline.route.ts';
import { registerBuyerBilling } from '../invoices/buyer-billing.route.ts';
import { registerInvoiceDocument } from '../invoices/invoice-document.route.ts';
import { forTenant } from '../platform/database/tenant.ts';
import type { App } from '../platform/http/app.ts';
import { principalOf } from '../platform/http/scope.ts';
import { registerBuyerStats } from '../reports/buyer-stats.route.ts';
import { reviveDeliveries } from '../routing/revive-deliveries.ts';

/** Call it once in the API's scope and once in the portal's. */
export function registerBuyerRoutes(routes: App, options: PartnerOptions): void {
  // After the body is read, because reading it loses the request's async context.
  routes.addHook('preHandler', (request, _reply, done) => forTenant(principalOf(request).ownerKey, done));
  const { walled: database, walledReads, clock, channels, allowTargets, onQueued, currency, refresh } = options;
  const { serviceAccountEmail, sheetNameOf, changeAccount, personPepper } = options;
  const buyerOf = (key: string): Buyer => known(options.buyerOf(key));
  const claimStatusesOf = readClaimStatuses;
  registerBuyerLeads(routes, { database, clock, buyerOf, claimStatusesOf });
  registerBuyerEvents(routes, { database, buyerOf, reviewsOf: readClaimViews });
  registerReturnPolicy(routes, { database, clock, buyerOf });
  registerBuyerClaims(routes, { database, clock, buyerOf, personPepper });
  registerDeliveryLogs(routes, { database, clock, buyerOf });
  registerTimeline(routes, { database, buyerOf, currency });
  registerRedeliver(routes, { database: options.database, clock, revive: reviveDeliveries, onQueued });
  registerTestDelivery(routes, { database, clock, buyerOf, channels, allowTargets, verticals: options.verticals });
  registerBuyerStats(routes, { database: walledReads, clock, buyerOf, currency });
  registerExport(routes, { database: walledReads, clock, slots: options.exportSlots });
  registerAccount(routes, { database, clock, buyerOf, currency, allowTargets, refresh, changeAccount });
  registerSigningSecret(routes, { database, clock, kind: 'buyer', onRequest: editableGate('webhookSecret', buyerOf) });
  registerSheetsConfig(routes, { database, serviceAccountEmail, sheetNameOf });
  registerAuditLog(routes, { database: walledReads, onRequest: betaGate('audit-log', buyerOf) });
  registerBuyerBilling(routes, { database, clock });
  registerInvoiceDocument(routes, { database, clock, brand: options.brand });
}
