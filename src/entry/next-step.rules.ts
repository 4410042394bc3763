// Chooses the next step of setting the service up.

export type SetUp = {
  readonly hasDemo: boolean;
  /** Whether a server with this environment brings the example marketplace to an empty database. */
  readonly mayHaveDemo: boolean;
  /** A supplier and a partner. */
  readonly hasAccounts: boolean;
  readonly hasKey: boolean;
  readonly hasOperator: boolean;
  readonly hasLead: boolean;
  /** Where a server with this environment listens. */
  readonly origin: string;
};

export function chooseNextStep({
  hasDemo,
  mayHaveDemo,
  hasAccounts,
  hasKey,
  hasOperator,
  hasLead,
  origin,
}: SetUp): string {
  if (hasDemo) {
    return hasLead
      ? `the demo runs and has leads: see them with "leadmarket lead list", or at ${origin}/console; "leadmarket demo end" ends it for good.`
      : 'send the demo its first lead with the command that the server prints when it starts.';
  }
  if (!hasAccounts) {
    const own = 'describe suppliers, partners and offers in a file, and load it with "leadmarket apply FILE"';
    return mayHaveDemo ? `"leadmarket serve" starts with an example marketplace; or ${own}.` : `${own}.`;
  }
  if (!hasOperator) return `add yourself with "leadmarket operator add NAME", and sign in at ${origin}/console.`;
  if (!hasKey) return 'give a supplier a key with "leadmarket key issue --supplier KEY", so that it can submit leads.';
  if (!hasLead)
    return `have a supplier send a lead to ${origin}/api/v1/ingest; "leadmarket lead list" shows what becomes of it.`;
  return '"leadmarket lead list" shows the newest leads, "leadmarket lead trace ID" why one went where it went.';
}
