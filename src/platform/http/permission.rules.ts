// What a route of the console lets somebody do; each declares one, and whether its answers show persons (decision 030).

export const permissions = [
  /** One's own sessions and second factor. */
  'own',
  /** Lists, figures and the configuration as it is. */
  'read',
  /** Review claims, send again, take endpoints back into use. */
  'operate',
  /** Post to the ledger; issue, settle and void invoices. */
  'money',
  /** Change the marketplace, its suppliers, partners and offers. */
  'configure',
  /** Issue and revoke keys and tokens, show and rotate signing secrets. */
  'credentials',
  /** Find persons, read their data and erase it. Without it every answer comes masked. */
  'persons',
] as const;

export type Permission = (typeof permissions)[number];

/** `record`: answers hold what a person sent. `search`: the question itself is about a person. */
export type Reveals = 'record' | 'search';
