// Says what a newcomer does next, for `leadmarket doctor`: from the first operator to the first lead.
import { readBuyers } from '../buyers/read-buyers.ts';
import { listCredentials } from '../credentials/find-credentials.ts';
import { demoObstacle } from '../demo/demo-terms.rules.ts';
import { listLeads } from '../leads/find-leads.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import { listOperators } from '../sessions/list-operators.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { chooseNextStep } from './next-step.rules.ts';

const ANY_LEAD = { supplierKey: null, verticalKey: null, states: null, statuses: null, from: null, to: null };

export async function nextStep(database: Database, config: Config, now: Date): Promise<string> {
  const { host, port } = config;
  const [{ demoOrigin }, suppliers, buyers, keys, operators, leads] = await database.tx(
    async (tx) =>
      [
        await readSettings(tx),
        await readSuppliers(tx),
        await readBuyers(tx),
        await listCredentials(tx, { kinds: ['supplier_key'], ownerKey: null, limit: 1 }),
        await listOperators(tx, { after: null, limit: 1 }, now),
        await listLeads(tx, { filter: ANY_LEAD, before: null, limit: 1 }),
      ] as const,
    { snapshot: true },
  );
  return chooseNextStep({
    hasDemo: demoOrigin !== null,
    mayHaveDemo: demoObstacle(config) === null,
    hasAccounts: suppliers.size > 0 && buyers.size > 0,
    hasKey: keys.length > 0,
    hasOperator: operators.length > 0,
    hasLead: leads.length > 0,
    // A server that listens on all addresses is found on this one.
    origin: `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`,
  });
}
