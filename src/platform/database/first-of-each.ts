// The text of a loose index scan: finds the first row of each group with one index probe, however many rows the groups have.

/** For `WITH RECURSIVE name AS (...)`. An index on `keys` and then `first` must exist; the columns are these and no others. */
export function firstOfEach(name: string, table: string, keys: readonly string[], first: string): string {
  const columns = [...keys, first].join(', ');
  return `(SELECT ${columns} FROM ${table} ORDER BY ${columns} LIMIT 1)
     UNION ALL
     SELECT following.* FROM ${name}, LATERAL (
       SELECT ${columns} FROM ${table}
       WHERE (${keys.join(', ')}) > (${keys.map((key) => `${name}.${key}`).join(', ')})
       ORDER BY ${columns} LIMIT 1) AS following`;
}
