// What an operator configures at the console: suppliers, partners, offers, credentials, the marketplace itself, and what a change would
// come to (contract 7.5).
import type { ApiOptions } from './api-options.ts';
import { registerConsolePartners } from './buyers/console-partners.route.ts';
import { readBuyer } from './buyers/read-buyer.ts';
import { registerConsoleCredentials } from './credentials/console-credentials.route.ts';
import { registerConsoleChanges } from './marketplace-file/console-changes.route.ts';
import { registerConsoleConfiguration } from './marketplace-file/console-configuration.route.ts';
import type { App } from './platform/http/app.ts';
import { offerFigures, partnerFigures, supplierFigures } from './reports/console-figures.ts';
import { standingOfOffer } from './reports/offer-standing.ts';
import { registerConsoleOffers } from './routing/console-offers.route.ts';
import { rememberSpans } from './routing/gates.rules.ts';
import { registerConsoleSimulations } from './simulation/console-simulations.route.ts';
import { registerConsoleSuppliers } from './suppliers/console-suppliers.route.ts';
import { readSupplier } from './suppliers/read-supplier.ts';

export function registerConfigurationRoutes(routes: App, options: ApiOptions): void {
  const { database, clock, allowTargets, sessions, simulations, refresh, log } = options;
  const spanOf = rememberSpans();
  /** What is on disk stays changed whatever comes of this; this process then notices like the others. */
  const takeUp = async (): Promise<void> => {
    try {
      await refresh();
    } catch (error) {
      log.warn({ err: error }, 'a change of the configuration is not taken up yet');
    }
  };
  registerConsoleSuppliers(routes, { database, clock, takeUp, figuresOf: supplierFigures });
  registerConsolePartners(routes, { database, clock, takeUp, figuresOf: partnerFigures });
  registerConsoleOffers(routes, {
    ...{ database, clock, figuresOf: offerFigures },
    standingOf: (tx, offer, buyer, now) => standingOfOffer(tx, { offer, buyer, spanOf }, now),
  });
  registerConsoleCredentials(routes, {
    ...{ database, clock, onRevoked: sessions.forget },
    ownerExists: async (kind, key, tx) =>
      (kind === 'supplier' ? await readSupplier(tx, key) : await readBuyer(tx, key)) !== null,
  });
  registerConsoleConfiguration(routes, { database, clock, allowTargets, takeUp });
  registerConsoleChanges(routes, { database });
  registerConsoleSimulations(routes, { database, clock, simulations });
}
