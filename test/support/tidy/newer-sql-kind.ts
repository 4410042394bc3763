// Says what a kind of newer SQL is: its version, how its text is found, and examples that the tests run on servers of both ages.

/** One piece of syntax, a function, a view or a setting that came after PostgreSQL 15. */
export type NewerSql = {
  /** The version that brought it. */
  readonly since: 16 | 17 | 18;
  /** Where it begins in a text whose comments and strings are blank, or null. */
  readonly find: (sql: string, raw: string) => RegExpExecArray | null;
  /** Statements that the rule reports. Each runs on `since` and newer on the tables of `SALES`, and none on an older version. */
  readonly rejected: readonly string[];
  /** Statements that look alike and that PostgreSQL 15 understands. */
  readonly allowed?: readonly string[];
};

/** The tables of the examples. */
export const SALES = `
  CREATE TABLE sale (sale_id integer PRIMARY KEY, cents integer, at daterange, body text);
  CREATE TABLE refund (sale_id integer, cents integer);
  CREATE TABLE old_sale (sale_id integer, old integer)`;

export const matches = (pattern: RegExp) => (sql: string) => pattern.exec(sql);

export function callOf(...names: readonly string[]): NewerSql['find'] {
  return matches(new RegExp(String.raw`(?<![\w.])(?:${names.join('|')})\s*\(`, 'i'));
}

/** Ends just behind the bracket that closes the one at `open`; -1 without one. */
function endOfBrackets(sql: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sql.length; at++) {
    if (sql[at] === '(') depth += 1;
    if (sql[at] === ')' && --depth === 0) return at + 1;
  }
  return -1;
}

/** The first match whose last bracket is closed and followed by `next`. */
export function bracketsFollowedBy(pattern: RegExp, next: RegExp): NewerSql['find'] {
  return (sql) => {
    for (const match of sql.matchAll(pattern)) {
      const end = endOfBrackets(sql, sql.indexOf('(', match.index));
      if (end !== -1 && next.test(sql.slice(end))) return match;
    }
    return null;
  };
}
