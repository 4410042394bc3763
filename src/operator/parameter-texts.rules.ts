// Descriptions of the path and query parameters of routes that the operator's API shares with the console (contract 10).

const TEXTS: Readonly<Record<string, string>> = {
  action: 'Only events of this action, such as `offer.updated`.',
  actor: 'Only events of this actor, by its name.',
  actorType: 'Only events of this kind of actor.',
  after: 'The `next` of the response before: the page that follows it.',
  before: 'The `next` of the response before: the page that follows it.',
  channel: 'The channel of the endpoint, such as `webhook`.',
  columns: 'Which columns to read, as `name=heading` pairs.',
  credentialId: 'The id of a key (`key_…`) or token (`tok_…`).',
  deliveryId: 'The id of a delivery (`dlv_…`).',
  error: 'Only jobs that failed with this error.',
  form: '`pdf` or `html`.',
  from: 'Only what is not older than this time.',
  id: 'The id, or the number of an invoice.',
  jobId: 'The id of a job that failed for good.',
  key: 'The key in the marketplace file.',
  kind: 'Only this kind.',
  leadId: 'The id of a lead (`lead_…`), or where a lead is read of one of its deliveries.',
  limit: 'The number of rows at most.',
  month: 'Only of this month, such as `2026-11`.',
  name: 'Only jobs with this name.',
  noticeId: 'The id of a notice (`ntc_…`).',
  offerKey: 'The key of an offer.',
  only: 'Only endpoints with a problem (`failing`).',
  order: 'The order of the rows.',
  overdue: 'Only what is overdue.',
  owner: 'Only jobs of this supplier or partner.',
  ownerKey: 'The key of a supplier or partner.',
  ownerKind: '`buyer` for a partner, or `supplier`.',
  page: 'The number of the page, from 1.',
  pageSize: 'The number of rows of a page.',
  partner: 'The key of a partner.',
  partnerKey: 'The key of a partner.',
  reason: 'Only with this reason.',
  recipient: 'Only to operators, partners or suppliers.',
  round: 'Which of the decisions to explain, from 1; the last one by default.',
  search: 'Only rows with these words.',
  state: 'Only in this state.',
  status: 'Only in this state.',
  supplier: 'The key of a supplier.',
  supplierKey: 'The key of a supplier.',
  statementId: 'The number of a statement.',
  target: 'Only events about this partner, offer, lead or other thing.',
  tokenId: 'The id of a token (`tok_…`).',
  to: 'Only what is older than this time.',
  until: 'Only what is older than this time.',
};

type MemberSchema = { readonly description?: string };

/** The schema with a description of every member that has none. */
export function describedMembers(schema: unknown): object {
  const { properties = {}, ...rest } = schema as { readonly properties?: Readonly<Record<string, MemberSchema>> };
  const described = Object.entries(properties).map(([name, member]) => [
    name,
    { ...member, description: member.description ?? TEXTS[name] ?? `Only rows with this \`${name}\`.` },
  ]);
  return { ...rest, properties: Object.fromEntries(described) as object };
}
