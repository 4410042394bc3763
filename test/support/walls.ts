// The second wall between partners up and down, for stories that the first has to pass alone (decisions 017 and 036).
import { select } from './ledger-faults.ts';
import type { TestMarketplace } from './marketplace.ts';

export const WALLS = [
  { walls: 'behind both walls', withoutWall: false },
  { walls: 'behind the first wall alone', withoutWall: true },
] as const;

/** The rights of partners' requests as the next release has them: without the key of the hashes of persons. */
export async function takeNextRights({ database }: TestMarketplace): Promise<void> {
  await select(database, 'REVOKE SELECT ON marketplace FROM leadmarket_buyer');
  await select(
    database,
    `DO $$ BEGIN EXECUTE (
       SELECT format('GRANT SELECT (%s) ON marketplace TO leadmarket_buyer', string_agg(quote_ident(attname), ', ')) FROM pg_attribute
       WHERE attrelid = 'marketplace'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'person_pepper'); END $$`,
  );
}
