// Lists what definitions of tables and rights learned after PostgreSQL 15.
import { bracketsFollowedBy, matches, type NewerSql } from './newer-sql-kind.ts';

const STORAGE = 'PLAIN|EXTERNAL|EXTENDED|MAIN|DEFAULT';

export const newerDefinitions: Readonly<Record<string, NewerSql>> = {
  'STORAGE in the definition of a column': {
    since: 16,
    find: matches(new RegExp(String.raw`(?<!\bSET\s+)\bSTORAGE\s+(?:${STORAGE})\b`, 'i')),
    rejected: [
      'CREATE TABLE file (content bytea STORAGE EXTERNAL NOT NULL)',
      'ALTER TABLE sale ADD COLUMN content text STORAGE MAIN',
    ],
    allowed: [
      'ALTER TABLE sale ALTER COLUMN body SET STORAGE EXTERNAL',
      'CREATE TABLE copy (LIKE sale INCLUDING STORAGE)',
    ],
  },
  'SET STORAGE DEFAULT': {
    since: 16,
    find: matches(/\bSET\s+STORAGE\s+DEFAULT\b/i),
    rejected: ['ALTER TABLE sale ALTER COLUMN body SET STORAGE DEFAULT'],
  },
  'options of granted roles': {
    since: 16,
    find: matches(/\bGRANT\b[^;]*\bTO\b[^;]*\bWITH\s+(?:(?:INHERIT|SET)\b|ADMIN\s+(?:TRUE|FALSE)\b)/i),
    rejected: [
      'GRANT pg_read_all_stats TO pg_monitor WITH INHERIT FALSE',
      'GRANT pg_signal_backend TO pg_monitor WITH ADMIN TRUE',
    ],
    allowed: ['GRANT pg_signal_backend TO pg_monitor WITH ADMIN OPTION'],
  },
  'statistics without a name': {
    since: 16,
    find: matches(/\bCREATE\s+STATISTICS\s+(?:\([^()]*\)\s*)?ON\b/i),
    rejected: ['CREATE STATISTICS ON sale_id, cents FROM sale'],
    allowed: ['CREATE STATISTICS both_columns ON sale_id, cents FROM sale'],
  },
  'SET EXPRESSION': {
    since: 17,
    find: matches(/\bSET\s+EXPRESSION\b/i),
    rejected: [
      'CREATE TABLE twice (n integer, m integer GENERATED ALWAYS AS (n * 2) STORED); ALTER TABLE twice ALTER m SET EXPRESSION AS (n * 3)',
    ],
  },
  'DEFAULT as access method or statistics': {
    since: 17,
    find: matches(/\bSET\s+(?:ACCESS\s+METHOD|STATISTICS)\s+DEFAULT\b/i),
    rejected: [
      'ALTER TABLE sale SET ACCESS METHOD DEFAULT',
      'ALTER TABLE sale ALTER COLUMN cents SET STATISTICS DEFAULT',
    ],
    allowed: ['ALTER TABLE sale ALTER COLUMN cents SET STATISTICS -1'],
  },
  'the privilege MAINTAIN': {
    since: 17,
    find: matches(/\b(?:GRANT|REVOKE)\b[^;]*\bMAINTAIN\b[^;]*\bON\b/i),
    rejected: ['GRANT SELECT, MAINTAIN ON sale TO PUBLIC'],
  },
  'the built-in locale provider': {
    since: 17,
    find: matches(/\bBUILTIN_LOCALE\b|\bLOCALE_PROVIDER\s*=?\s*builtin\b|"?\bpg_c_utf8\b/i),
    rejected: ['SELECT body COLLATE pg_c_utf8 FROM sale'],
    allowed: ['SELECT body COLLATE "C" FROM sale'],
  },
  'generated columns that are not stored': {
    since: 18,
    find: bracketsFollowedBy(/\bGENERATED\s+ALWAYS\s+AS\s*\(/gi, /^(?!\s*STORED\b)/i),
    rejected: [
      'CREATE TABLE twice (n integer, m integer GENERATED ALWAYS AS (n * (1 + 1)) VIRTUAL)',
      'CREATE TABLE twice (n integer, m integer GENERATED ALWAYS AS (n * 2))',
    ],
    allowed: [
      'CREATE TABLE twice (n integer, m integer GENERATED ALWAYS AS (n * (1 + 1)) STORED)',
      'CREATE TABLE twice (n integer GENERATED ALWAYS AS IDENTITY)',
    ],
  },
  'keys with periods': {
    since: 18,
    find: matches(/\bWITHOUT\s+OVERLAPS\b|,\s*PERIOD\s+\w+\s*\)/i),
    rejected: ['CREATE TABLE lease (lots int4range, days daterange, UNIQUE (lots, days WITHOUT OVERLAPS))'],
  },
  'constraints that are not enforced': {
    since: 18,
    find: matches(/\bNOT\s+ENFORCED\b/i),
    rejected: ['ALTER TABLE sale ADD CONSTRAINT paid CHECK (cents > 0) NOT ENFORCED'],
    allowed: ['ALTER TABLE sale ADD CONSTRAINT paid CHECK (cents > 0) NOT VALID'],
  },
  'NOT NULL as a constraint of the table': {
    since: 18,
    find: matches(/\bADD\s+(?:CONSTRAINT\s+\w+\s+)?NOT\s+NULL\s+\w/i),
    rejected: [
      'ALTER TABLE sale ADD CONSTRAINT cents_known NOT NULL cents NOT VALID',
      'ALTER TABLE sale ADD NOT NULL cents',
    ],
    allowed: ['ALTER TABLE sale ADD COLUMN paid integer NOT NULL DEFAULT 0'],
  },
};
