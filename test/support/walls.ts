// Variants with and without row-level security between partners, so that the conditions of the queries are also tested alone
// (decisions 017 and 036).
import { select } from './ledger-faults.ts';
import type { TestMarketplace } from './marketplace.ts';

export const WALLS = [
  { walls: 'with row-level security', withoutWall: false },
  { walls: 'without row-level security', withoutWall: true },
] as const;

/** The rights of partners' requests in the next release: without the key of the identity hashes. */
export async function takeNextRights({ database }: TestMarketplace): Promise<void> {
  await select(database, 'REVOKE SELECT ON marketplace FROM leadmarket_buyer');
  await select(
    database,
    `DO $$ BEGIN EXECUTE (
       SELECT format('GRANT SELECT (%s) ON marketplace TO leadmarket_buyer', string_agg(quote_ident(attname), ', ')) FROM pg_attribute
       WHERE attrelid = 'marketplace'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'person_pepper'); END $$`,
  );
}
