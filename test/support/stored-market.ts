// A marketplace in a database of its own without a running service: for tests that call the operations themselves. A start of the service takes
// many times as long.
import { commandLineActor } from '../../src/audit/audit-event.ts';
import type { LeadId } from '../../src/base/ids.ts';
import { readSigningSecrets } from '../../src/credentials/signing-secrets.ts';
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type StoredMarket = {
  readonly database: Database;
  /** For a worker that works on it: `startTestMarketplace({ role: 'worker', on: testDatabase, … })`. */
  readonly testDatabase: TestDatabase;
  /** Applies another marketplace file. */
  apply(yaml: string): Promise<void>;
  /** `whsec_…` of a partner. */
  secretOf(buyerKey: string): Promise<string>;
  /** Stores leads of the supplier `acme` as submissions do; their ids in the order of the bodies. */
  submit(bodies: readonly Record<string, unknown>[], at?: Date): Promise<LeadId[]>;
  close(): Promise<void>;
};

export type StoredMarketOptions = {
  readonly yaml: string;
  readonly allowTargets?: readonly string[];
  readonly clock?: Clock;
};

export async function storeMarket(options: StoredMarketOptions): Promise<StoredMarket> {
  const { yaml, allowTargets = [], clock = systemClock } = options;
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const apply = (text: string): Promise<void> => applyMarketplaceFile(database, { yaml: text, allowTargets, clock });
  await apply(yaml);
  return {
    database,
    testDatabase,
    apply,
    secretOf: (buyerKey) => signingSecret(database, buyerKey, clock.now()),
    async submit(bodies, at = clock.now()) {
      const submissions = bodies.map((members) =>
        prepareSubmission({ members, text: JSON.stringify(members) }, contextOfAcme, at),
      );
      const rejected = submissions.flatMap(({ reason }) => reason ?? []);
      if (rejected.length > 0) throw new Error(`a lead was rejected: ${rejected.join()}`);
      await database.tx((tx) => storeSubmissions(tx, submissions));
      return submissions.map(({ leadId }) => leadId);
    },
    close: () => testDatabase.drop(),
  };
}

const contextOfAcme = {
  supplierKey: 'acme',
  mapping: compileFieldMapping({}),
  regions: defaultSettings.regions,
  weights: defaultSettings.scoreWeights,
  returnRate: 0,
};

type Input = { readonly yaml: string; readonly allowTargets: readonly string[]; readonly clock: Clock };

export async function applyMarketplaceFile(
  database: Database,
  { yaml, allowTargets, clock }: Input,
  { prune = false } = {},
): Promise<void> {
  const parsed = parseFile(yaml, { allowTargets });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors, null, 2));
  const options = { dryRun: false, prune, actor: commandLineActor };
  const applied = await database.tx((tx) => applyFile(tx, parsed.file, options, clock.now()));
  if (!applied.ok) throw new Error(JSON.stringify(applied.errors, null, 2));
}

export async function signingSecret(database: Database, buyerKey: string, now: Date): Promise<string> {
  const secrets = await database.tx((tx) => readSigningSecrets(tx, { kind: 'buyer', key: buyerKey }, now));
  if (secrets === null) throw new Error(`partner ${buyerKey} has no secret`);
  return secrets.secret;
}
