// Builds the SQL of a loose index scan, which finds the first row of each group with one index probe, however many rows the groups have.

/** For `WITH RECURSIVE name AS (...)`. Needs an index on `keys` and then `first`; these are also the columns of the result. */
export function firstOfEach(name: string, table: string, keys: readonly string[], first: string): string {
  const columns = [...keys, first].join(', ');
  return `(SELECT ${columns} FROM ${table} ORDER BY ${columns} LIMIT 1)
     UNION ALL
     SELECT following.* FROM ${name}, LATERAL (
       SELECT ${columns} FROM ${table}
       WHERE (${keys.join(', ')}) > (${keys.map((key) => `${name}.${key}`).join(', ')})
       ORDER BY ${columns} LIMIT 1) AS following`;
}
