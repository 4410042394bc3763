// SQL on the columns that partners have for own fields.
import { statement } from '../platform/database/database.ts';

export const appendOwnColumnsSql = statement(
  'buyers.append_own_columns',
  `WITH bought AS (
     SELECT DISTINCT buyer_key, definition ->> 'vertical' AS vertical_key FROM offer WHERE definition ->> 'vertical' IS NOT NULL
   ), named AS (
     SELECT DISTINCT ON (buyer_key, name) buyer_key, field ->> 'name' AS name, vertical_key, position
     FROM bought JOIN vertical USING (vertical_key)
     CROSS JOIN LATERAL jsonb_array_elements(vertical.definition -> 'fields') WITH ORDINALITY AS f (field, position)
     CROSS JOIN LATERAL (SELECT field ->> 'name' AS name) AS n
     WHERE (field ->> 'delivered')::boolean ORDER BY buyer_key, name, vertical_key, position
   ), added AS (
     SELECT n.buyer_key, array_agg(n.name ORDER BY n.vertical_key, n.position) AS names
     FROM named n JOIN buyer b USING (buyer_key) WHERE n.name <> ALL (b.own_columns) GROUP BY 1
   )
   UPDATE buyer b SET own_columns = b.own_columns || a.names FROM added a WHERE b.buyer_key = a.buyer_key`,
);

/** For pairs of a partner and a name; names that it has already are left alone, also if another process appends them at the same time. */
export const appendNameColumnsSql = statement<{
  readonly buyerKeys: readonly string[];
  readonly names: readonly string[];
}>(
  'buyers.append_name_columns',
  `WITH named AS (
     SELECT buyer_key, array_agg(name ORDER BY position) AS names
     FROM unnest($buyerKeys::text[], $names::text[]) WITH ORDINALITY AS u (buyer_key, name, position) GROUP BY 1
   ), locked AS (
     SELECT buyer_key FROM buyer JOIN named USING (buyer_key) WHERE NOT own_columns @> named.names ORDER BY buyer_key FOR UPDATE OF buyer
   )
   UPDATE buyer b SET own_columns = b.own_columns || ARRAY(
     SELECT name FROM unnest(n.names) WITH ORDINALITY AS u (name, position) WHERE name <> ALL (b.own_columns) ORDER BY position)
   FROM named n JOIN locked USING (buyer_key) WHERE b.buyer_key = n.buyer_key`,
);

/** Null for leads of no vertical. */
export const readVerticalsBoughtSql = statement<{ readonly buyerKey: string }, { key: string | null }>(
  'buyers.read_verticals_bought',
  `SELECT DISTINCT definition ->> 'vertical' AS key FROM offer WHERE buyer_key = $buyerKey AND status <> 'closed' ORDER BY key`,
);

export const readOwnColumnsSql = statement<{ readonly buyerKey: string }, { names: readonly string[] }>(
  'buyers.read_own_columns',
  `SELECT own_columns AS names FROM buyer WHERE buyer_key = $buyerKey`,
);
