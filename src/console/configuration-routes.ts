// What an operator configures at the console: suppliers, partners, offers, credentials, the marketplace itself, and what a change would
// come to (contract 7.5).
import type { ApiOptions } from '../scopes/options.ts';
import { registerConsolePartners } from './partners.route.ts';
import { registerConsoleCredentials } from './credentials.route.ts';
import { registerConsoleChanges } from './changes.route.ts';
import { registerConsoleConfiguration } from './configuration.route.ts';
import type { App } from '../platform/http/app.ts';
import { registerConsoleOffers } from './offers.route.ts';
import { registerConsoleSimulations } from './simulations.route.ts';
import { registerConsoleSuppliers } from './suppliers.route.ts';

export function registerConfigurationRoutes(routes: App, options: ApiOptions): void {
  const { database, clock, allowTargets, sessions, simulations, refresh, log } = options;
  /** What is on disk stays changed whatever comes of this; this process then notices like the others. */
  const takeUp = async (): Promise<void> => {
    try {
      await refresh();
    } catch (error) {
      log.warn({ err: error }, 'a change of the configuration is not taken up yet');
    }
  };
  registerConsoleSuppliers(routes, { database, clock, takeUp });
  registerConsolePartners(routes, { database, clock, takeUp });
  registerConsoleOffers(routes, { database, clock });
  registerConsoleCredentials(routes, { database, clock, onRevoked: sessions.discard });
  registerConsoleConfiguration(routes, { database, clock, allowTargets, takeUp });
  registerConsoleChanges(routes, { database });
  registerConsoleSimulations(routes, { database, clock, simulations });
}
