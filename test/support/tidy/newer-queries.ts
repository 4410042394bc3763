// Lists what queries, changes and functions learned after PostgreSQL 15.
import { bracketsFollowedBy, callOf, matches, type NewerSql } from './newer-sql-kind.ts';

// What may follow a subquery that has no name; `substring(text FROM (…))` and its like need none.
const NO_NAME =
  /^\s*(?:$|[);,]|(?:WHERE|GROUP|ORDER|HAVING|WINDOW|LIMIT|OFFSET|FETCH|FOR|UNION|INTERSECT|EXCEPT|(?:LEFT|RIGHT|FULL|INNER|CROSS|NATURAL)\b|JOIN|ON|USING|RETURNING|TABLESAMPLE|WHEN|SET)\b)/i;
const SUBQUERY =
  /(?<!\bDISTINCT\s+)(?<!\b(?:EXTRACT|SUBSTRING|TRIM|OVERLAY|POSITION)\s*\([^()]*)\b(?:FROM|JOIN)\s+(?:LATERAL\s+)?\(\s*(?:SELECT|VALUES|WITH|TABLE)\b/gi;
// A table of the statement may have the name `old` or `new`, and does in triggers.
const NAMES_OLD_OR_NEW = /\b(?:AS|FROM|JOIN|UPDATE|INTO|USING)\s+(?:\w+\s+)?(?:old|new)\b/i;
const RETURNS_OLD_OR_NEW = /\bRETURNING\b[^;]*?(?:\b(?:old|new)\.|\bWITH\s*\(\s*(?:OLD|NEW)\s+AS\b)/i;

export const newerQueries: Readonly<Record<string, NewerSql>> = {
  'IS JSON': {
    since: 16,
    find: matches(/\bIS\s+(?:NOT\s+)?JSON\b/i),
    rejected: ['SELECT body IS JSON OBJECT FROM sale', 'SELECT FROM sale WHERE body IS NOT JSON'],
    allowed: [`SELECT body = 'IS JSON' FROM sale`],
  },
  'constructors of JSON': {
    since: 16,
    find: matches(
      /(?<![\w.])(?:json_array(?:agg)?|json_objectagg)\s*\(|(?<![\w.])json_object\s*\(\s*(?:\)|[^():]*(?<!:):(?!:)|[^()]*\bVALUE\b)/i,
    ),
    rejected: [
      'SELECT JSON_ARRAY(1, 2)',
      'SELECT JSON_ARRAYAGG(cents) FROM sale',
      'SELECT JSON_OBJECTAGG(sale_id: cents) FROM sale',
      `SELECT JSON_OBJECT('cents': cents) FROM sale`,
      `SELECT JSON_OBJECT('cents' VALUE cents) FROM sale`,
    ],
    allowed: [
      `SELECT json_object('{a, b}'::text[])`,
      `SELECT json_object(ARRAY['a'], ARRAY['b'])`,
      `SELECT json_object_agg(sale_id, cents), jsonb_build_array(1) FROM sale GROUP BY sale_id`,
    ],
  },
  'a number with underscores or in another base': {
    since: 16,
    // A parameter is `?` or `$1` here, and a name may hold digits.
    find: matches(/(?<![\w$.])(?:\d+(?:_\d+)+|0x[0-9a-f_]+|0o[0-7_]+|0b[01_]+)\b/i),
    rejected: ['SELECT 5_000_000', 'SELECT 0xFF', 'SELECT 0o17', 'SELECT 0b101'],
    allowed: [`SELECT '1_000', decode('0xff', 'escape'), 1000 AS a_1_0`, 'SELECT 1.5e3, -20'],
  },
  'a subquery in FROM without a name': {
    since: 16,
    find: bracketsFollowedBy(SUBQUERY, NO_NAME),
    rejected: [
      'SELECT count(*) FROM (SELECT FROM sale)',
      'SELECT * FROM (VALUES (1), (2)) WHERE true',
      'SELECT 1 FROM sale CROSS JOIN LATERAL (SELECT max(cents) FROM refund)',
    ],
    allowed: [
      'SELECT count(*) FROM (SELECT (1)) AS one',
      'SELECT n FROM (VALUES (1), (2)) v (n) WHERE true',
      'SELECT 1 FROM sale WHERE cents IS DISTINCT FROM (SELECT 1)',
      `SELECT substring('a1' FROM (SELECT 'a')), extract(year FROM (SELECT lower(at) FROM sale LIMIT 1))`,
    ],
  },
  'functions of PostgreSQL 16': {
    since: 16,
    find: callOf(
      'any_value',
      'array_shuffle',
      'array_sample',
      'date_add',
      'date_subtract',
      'random_normal',
      'erfc?',
      'pg_input_is_valid',
      'pg_input_error_info',
    ),
    rejected: [
      'SELECT any_value(cents) FROM sale',
      'SELECT array_shuffle(ARRAY[1, 2]), array_sample(ARRAY[1, 2], 1)',
      `SELECT date_add(timestamptz '2026-01-01', interval '1 day'), date_subtract(timestamptz '2026-01-01', interval '1 day')`,
      'SELECT random_normal(), erf(1), erfc(1)',
      `SELECT pg_input_is_valid('1', 'integer')`,
    ],
  },
  SYSTEM_USER: { since: 16, find: matches(/(?<![\w.])SYSTEM_USER\b/i), rejected: ['SELECT system_user'] },
  'options of EXPLAIN': {
    since: 16,
    find: matches(/\bEXPLAIN\s*\([^()]*\bGENERIC_PLAN\b/i),
    rejected: ['EXPLAIN (GENERIC_PLAN) SELECT FROM sale'],
  },
  'further options of EXPLAIN': {
    since: 17,
    find: matches(/\bEXPLAIN\s*\([^()]*\b(?:MEMORY|SERIALIZE)\b/i),
    rejected: ['EXPLAIN (MEMORY) SELECT FROM sale', 'EXPLAIN (ANALYZE, SERIALIZE TEXT) SELECT FROM sale'],
    allowed: ['EXPLAIN (ANALYZE, BUFFERS, SETTINGS, WAL) SELECT FROM sale'],
  },
  'DEFAULT in COPY': {
    since: 16,
    find: matches(/\bCOPY\b[^;]*\bFROM\b[^;]*\([^()]*\bDEFAULT\b/i),
    rejected: [`COPY sale FROM '/dev/null' (DEFAULT 'd')`],
  },
  'options of COPY against errors': {
    since: 17,
    find: matches(/\bCOPY\b[^;]*\([^()]*\b(?:ON_ERROR|LOG_VERBOSITY|FORCE_(?:NOT_)?NULL\s+\*)/i),
    rejected: [`COPY sale FROM '/dev/null' (ON_ERROR ignore)`, `COPY sale FROM '/dev/null' (FORMAT csv, FORCE_NULL *)`],
    allowed: [`COPY sale FROM '/dev/null' (FORMAT csv, FORCE_NULL (body))`],
  },
  'REJECT_LIMIT in COPY': {
    since: 18,
    find: matches(/\bREJECT_LIMIT\b/i),
    rejected: [`COPY sale FROM '/dev/null' (ON_ERROR ignore, REJECT_LIMIT 3)`],
  },
  'MERGE with RETURNING, or for rows without a source': {
    since: 17,
    find: matches(
      /\bMERGE\s+INTO\b[^;]*(?:\bRETURNING\b|\bNOT\s+MATCHED\s+BY\s+(?:SOURCE|TARGET)\b)|(?<![\w.])merge_action\s*\(/i,
    ),
    rejected: [
      'MERGE INTO sale s USING refund r ON s.sale_id = r.sale_id WHEN MATCHED THEN DELETE RETURNING s.cents',
      'MERGE INTO sale s USING refund r ON s.sale_id = r.sale_id WHEN NOT MATCHED BY SOURCE THEN DELETE',
    ],
    allowed: [
      'MERGE INTO sale s USING refund r ON s.sale_id = r.sale_id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN DO NOTHING',
      'INSERT INTO sale (sale_id) VALUES (2) RETURNING cents',
    ],
  },
  'queries of JSON': {
    since: 17,
    find: matches(
      /(?<![\w.])json_(?:table|exists|value|query|scalar|serialize)\s*\(|(?<![\w.])json\s*\([^()]*\bWITH(?:OUT)?\s+UNIQUE\b/i,
    ),
    rejected: [
      `SELECT * FROM JSON_TABLE('[1]'::jsonb, '$[*]' COLUMNS (n integer PATH '$')) t`,
      `SELECT JSON_EXISTS('{}'::jsonb, '$.a'), JSON_VALUE('{}'::jsonb, '$.a'), JSON_QUERY('{}'::jsonb, '$.a')`,
      `SELECT JSON_SCALAR(1), JSON_SERIALIZE('{}')`,
      `SELECT JSON('{}' WITH UNIQUE KEYS)`,
    ],
    allowed: [`SELECT jsonb_path_exists('{}'::jsonb, '$.a'), json_typeof('{}'::json)`],
  },
  'methods of JSON paths': {
    since: 17,
    find: (_, raw) =>
      /\bjsonb_path_\w+\s*\([^;]*\.(?:bigint|boolean|date|decimal|integer|number|string|time|timestamp)(?:_tz)?\(\)/i.exec(
        raw,
      ),
    rejected: [`SELECT jsonb_path_query('"1"'::jsonb, '$.integer()')`],
    allowed: [`SELECT jsonb_path_query('"1"'::jsonb, '$.double()')`],
  },
  'random numbers between bounds': {
    since: 17,
    find: matches(/(?<![\w.])random\s*\(\s*[^\s)]/i),
    rejected: ['SELECT random(1, 6)'],
    allowed: ['SELECT random() * 6, gen_random_uuid()'],
  },
  'functions of PostgreSQL 17': {
    since: 17,
    find: callOf(
      'to_bin',
      'to_oct',
      'xmltext',
      'unicode_assigned',
      'uuid_extract_(?:timestamp|version)',
      'to_regtypemod',
      'pg_basetype',
    ),
    rejected: [
      'SELECT to_bin(5), to_oct(8)',
      `SELECT xmltext('a')`,
      `SELECT unicode_assigned('a'), pg_basetype('integer'::regtype), to_regtypemod('varchar(3)')`,
      'SELECT uuid_extract_version(gen_random_uuid()), uuid_extract_timestamp(gen_random_uuid())',
    ],
  },
  transaction_timeout: {
    since: 17,
    find: (_, raw) => /\btransaction_timeout\b/i.exec(raw),
    rejected: [`SET LOCAL transaction_timeout = '5s'`, `SELECT set_config('transaction_timeout', '5s', true)`],
    allowed: [`SET LOCAL idle_in_transaction_session_timeout = '5s'`],
  },
  'AT LOCAL': {
    since: 17,
    find: matches(/\bAT\s+LOCAL\b/i),
    rejected: [`SELECT timestamptz '2026-01-01' AT LOCAL`],
    allowed: [`SELECT timestamptz '2026-01-01' AT TIME ZONE 'UTC'`],
  },
  'views of statistics of PostgreSQL 16': {
    since: 16,
    find: matches(/\bpg_stat_io\b/i),
    rejected: ['SELECT FROM pg_stat_io'],
  },
  'views of statistics of PostgreSQL 17': {
    since: 17,
    find: matches(/\bpg_(?:stat_checkpointer|wait_events)\b/i),
    rejected: ['SELECT FROM pg_stat_checkpointer', 'SELECT FROM pg_wait_events'],
    allowed: ['SELECT FROM pg_stat_bgwriter'],
  },
  'UUIDs of versions 4 and 7': {
    since: 18,
    find: callOf('uuidv[47]'),
    rejected: ['SELECT uuidv7()', 'SELECT uuidv4()'],
  },
  'RETURNING old and new rows': {
    since: 18,
    find: (sql) => (NAMES_OLD_OR_NEW.test(sql) ? null : RETURNS_OLD_OR_NEW.exec(sql)),
    rejected: [
      'UPDATE sale SET cents = 2 RETURNING old.cents, new.cents',
      'DELETE FROM sale RETURNING WITH (OLD AS before) before.cents',
    ],
    allowed: [
      'UPDATE sale SET cents = old.old FROM old_sale AS old WHERE old.sale_id = sale.sale_id RETURNING old.sale_id',
    ],
  },
  'functions of PostgreSQL 18': {
    since: 18,
    find: callOf('array_sort', 'array_reverse', 'casefold', 'crc32c?', 'l?gamma', 'pg_get_acl'),
    rejected: [
      'SELECT array_sort(ARRAY[2, 1]), array_reverse(ARRAY[2, 1])',
      `SELECT casefold('A')`,
      `SELECT crc32('\\x00'), crc32c('\\x00')`,
      'SELECT gamma(5), lgamma(5)',
    ],
    allowed: ['SELECT array_position(ARRAY[2, 1], 1)'],
  },
  'nulls removed from JSON arrays': {
    since: 18,
    find: matches(/\bjsonb?_strip_nulls\s*\([^()]*,/i),
    rejected: [`SELECT jsonb_strip_nulls('[1, null]', true)`],
    allowed: [`SELECT jsonb_strip_nulls('[1, null]')`],
  },
};
