// SQL on the table vertical.
import { statement } from '../platform/database/database.ts';
import type { Vertical } from './verticals.ts';

type VerticalRow = { readonly definition: Vertical };

export const readVerticalsSql = statement<void, VerticalRow>(
  'marketplace.readVerticals',
  `SELECT definition FROM vertical ORDER BY vertical_key`,
);

export const saveVerticalsSql = statement<{
  readonly keys: readonly string[];
  readonly definitions: readonly string[];
  readonly now: Date;
}>(
  'marketplace.saveVerticals',
  `INSERT INTO vertical (vertical_key, definition, created_at, updated_at)
   SELECT vertical_key, definition::jsonb, $now, $now FROM unnest($keys::text[], $definitions::text[]) AS saved (vertical_key, definition)
   ON CONFLICT (vertical_key) DO UPDATE SET definition = EXCLUDED.definition, updated_at = EXCLUDED.updated_at`,
);
