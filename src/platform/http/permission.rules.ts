// The permissions of operators: each console route declares one, and whether its responses show personal data (decision 030).

export const permissions = [
  /** The operator's own sessions, second factor and saved views. */
  'own',
  /** Read lists, figures and the configuration. */
  'read',
  /** Review claims, redeliver, enable endpoints again. */
  'operate',
  /** Post to the ledger; issue, settle and void invoices. */
  'money',
  /** Change the marketplace, its suppliers, partners and offers. */
  'configure',
  /** Issue and revoke keys and tokens, show and rotate signing secrets. */
  'credentials',
  /** Invite operators, change their roles, disable them. */
  'operators',
  /** Find data subjects, read their data and erase it. Without it personal data is masked in every response. */
  'persons',
] as const;

export type Permission = (typeof permissions)[number];

/** The roles of a partner's or supplier's users: read; file and withdraw claims; read billing; change settings, credentials and users. */
export const userRoles = ['view', 'claims', 'money', 'settings'] as const;
export type UserRole = (typeof userRoles)[number];

/** What a route of the portal needs: `own` are the user's own sessions, second factor and saved views. */
export type PortalRight = 'own' | UserRole;

/** `record`: the response has personal data. `search`: the query itself is about a person. */
export type Reveals = 'record' | 'search';
