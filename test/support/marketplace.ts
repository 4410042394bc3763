// A whole marketplace for a test: the production composition on a database of its own, listening on loopback.
import type { Logger } from 'pino';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import type { OperatorScope } from '../../src/credentials/operator-scopes.rules.ts';
import { REFUSED_BODIES_A_DAY } from '../../src/leads/submission-limits.ts';
import type { IntegrationConfig } from '../../src/app/integrations.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Replica } from '../../src/platform/database/replica.ts';
import { readWall } from '../../src/platform/database/tenant.ts';
import type { TracingConfig } from '../../src/platform/tracing/tracing-config.rules.ts';
import { openSecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Role, type Runtime, startRuntime } from '../../src/app/runtime.ts';
import type { HandClock } from './hand-clock.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { watchResponses } from './openapi/watch-responses.ts';
import { type SignIn, signIn } from './signed-in.ts';
import { applyMarketplaceFile, signingSecret } from './stored-market.ts';

export type TestMarketplace = {
  readonly url: string;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  readonly runtime: Runtime;
  /** A fresh credential's secret. */
  supplierKey(supplierKey: string): Promise<string>;
  buyerToken(buyerKey: string): Promise<string>;
  /** A token `lmo_…` with these scopes. */
  operatorToken(scopes: readonly OperatorScope[]): Promise<string>;
  /** Sessions at the portal and the console: `await signedIn.buyer('summit')`. */
  readonly signedIn: SignIn;
  /** `whsec_…` of a partner. */
  secretOf(buyerKey: string): Promise<string>;
  /** Applies another marketplace file, with effect at once; `prune` closes what is not in it. */
  apply(yaml: string, options?: { readonly prune?: boolean }): Promise<void>;
  close(): Promise<void>;
};

export type TestMarketplaceOptions = {
  readonly yaml: string;
  readonly role?: Role;
  /** Workers look for what is due as soon as one that a test moves has moved. */
  readonly clock?: Clock & Partial<HandClock>;
  readonly allowTargets?: readonly string[];
  /** Whether a demo that the database holds works; without it there is none. */
  readonly mayDemo?: boolean;
  /** Instead of a new database; it is then left to its owner. */
  readonly on?: TestDatabase;
  /** By default where it has a database of its own: it then notifies no other process. */
  readonly isAlone?: boolean;
  /** A standby of its server. */
  readonly replica?: Replica;
  /** Nothing of the operator's own is set up unless a test says so: mail is kept. */
  readonly integrations?: Partial<IntegrationConfig>;
  readonly trustProxy?: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly requireTotp?: boolean;
  readonly refusedBodiesADay?: number;
  readonly overviewMaxAgeMs?: number;
  /** As on a database without row-level security. */
  readonly withoutWall?: boolean;
  /** As in production; without it many starts are cheaper. */
  readonly compilesRoutes?: boolean;
  /** Silent unless a test reads it. */
  readonly log?: Logger;
  /** Where traces go; nowhere by default. */
  readonly tracing?: TracingConfig;
};

const environment = loadConfig({});
if (!environment.ok) throw new Error(environment.faults.join());
const noIntegrations: IntegrationConfig = environment.config;

/** The same in all tests, so that several processes of one can read each other's secrets. */
export const testSecretKeys = openSecretKeys({
  secretsKey: Buffer.alloc(32, 'test key ').toString('base64'),
  dataDir: '',
  databaseUrl: null,
});

export async function startTestMarketplace(options: TestMarketplaceOptions): Promise<TestMarketplace> {
  const { yaml, role = 'all', allowTargets = [] } = options;
  const clock: Clock & Partial<HandClock> = options.clock ?? systemClock;
  const testDatabase = options.on ?? (await createTestDatabase());
  const { database, connection } = testDatabase;
  await applyMarketplaceFile(database, { yaml, allowTargets, clock });
  const runtime = await startRuntime({
    database,
    connection,
    replica: options.replica ?? null,
    role,
    wall: options.withoutWall === true ? { stands: false } : await readWall(database),
    isAlone: options.isAlone ?? options.on === undefined,
    clock,
    log: options.log ?? createLog('silent'),
    allowTargets,
    mayDemo: options.mayDemo ?? false,
    integrations: { ...noIntegrations, ...options.integrations },
    secretKeys: testSecretKeys,
    trustProxy: options.trustProxy ?? [],
    allowedHosts: options.allowedHosts ?? [],
    hasStatusPort: false,
    requireTotp: options.requireTotp ?? false,
    refusedBodiesADay: options.refusedBodiesADay ?? REFUSED_BODIES_A_DAY,
    withScheduledJobs: false,
    compilesRoutes: options.compilesRoutes ?? false,
    tracing: options.tracing ?? null,
    ...(options.overviewMaxAgeMs === undefined ? {} : { overviewMaxAgeMs: options.overviewMaxAgeMs }),
  });
  const unwatch = clock.onMove?.(() => runtime.wake());
  if (runtime.app !== null) watchResponses(runtime.app);
  const url = runtime.app === null ? '' : await runtime.app.listen({ host: '127.0.0.1', port: 0 });
  const issue = async (kind: 'supplier_key' | 'buyer_token', ownerKey: string): Promise<string> => {
    const input = { kind, ownerKey, label: null, expiresAt: null, actor: commandLineActor };
    return (await database.tx((tx) => issueCredential(tx, input, clock.now()))).secret;
  };
  const operatorToken = async (scopes: readonly OperatorScope[]): Promise<string> => {
    const input = { kind: 'operator_token', ownerKey: 'program', label: null, expiresAt: null } as const;
    const issued = await database.tx((tx) =>
      issueCredential(tx, { ...input, scopes, actor: commandLineActor }, clock.now()),
    );
    return issued.secret;
  };
  return {
    url,
    database,
    testDatabase,
    runtime,
    supplierKey: (key) => issue('supplier_key', key),
    buyerToken: (key) => issue('buyer_token', key),
    operatorToken,
    signedIn: signIn({ url, database, clock }),
    secretOf: (key) => signingSecret(database, key, clock.now()),
    async apply(changed, how) {
      await applyMarketplaceFile(database, { yaml: changed, allowTargets, clock }, how);
      await runtime.refresh();
    },
    async close() {
      unwatch?.();
      await runtime.drain();
      if (options.on === undefined) await testDatabase.drop();
    },
  };
}
