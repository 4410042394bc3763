// Finds SQL that PostgreSQL 15, the oldest version that the service promises, does not understand, by its text alone.
import { newerDefinitions } from './newer-definitions.ts';
import { newerQueries } from './newer-queries.ts';
import type { NewerSql } from './newer-sql-kind.ts';

export const newerSql: Readonly<Record<string, NewerSql>> = { ...newerDefinitions, ...newerQueries };

type NewerSqlFound = {
  readonly at: number;
  readonly found: string;
  readonly what: string;
  readonly since: number;
};

/** What a piece of SQL has that PostgreSQL 15 does not know, each kind once. */
export function findNewerSql(text: string): NewerSqlFound[] {
  const blank = (piece: string): string => piece.replaceAll(/[^\n]/g, ' ');
  const raw = text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, blank);
  // A string that is executed is SQL.
  const sql = raw.replaceAll(
    /((?:\bEXECUTE\s+(?:format\s*\(\s*)?)?)'((?:[^']|'')*)'/gi,
    (all: string, executed: string) => (executed === '' ? `'${blank(all.slice(1, -1))}'` : all),
  );
  return Object.entries(newerSql).flatMap(([what, { since, find }]) => {
    const match = find(sql, raw);
    return match === null ? [] : [{ at: match.index, found: match[0].trim(), what, since }];
  });
}
