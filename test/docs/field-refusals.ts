// What each operation may say in `errors` of a refusal, with a request that makes it say so: docs/api.md names the codes, and a test sends
// the requests.

export type FieldRefusal = { readonly code: string; readonly query?: string; readonly body?: object };

const number = (name: string): readonly FieldRefusal[] => [
  { code: 'wrong_type', query: `${name}=ten` },
  { code: 'out_of_range', query: `${name}=0` },
  { code: 'repeated', query: `${name}=1&${name}=2` },
  { code: 'empty', query: `${name}=` },
];
const filter: readonly FieldRefusal[] = [
  { code: 'not_allowed_value', query: 'status=Sold' },
  { code: 'invalid_format', query: 'from=2026-02-30' },
  { code: 'out_of_range', query: 'from=2026-11-02&to=2026-11-01' },
  { code: 'repeated', query: 'to=2026-11-01&to=2026-11-02' },
  { code: 'empty', query: 'status=' },
];
const claim: readonly FieldRefusal[] = [
  { code: 'wrong_type', query: 'dryRun=yes', body: {} },
  { code: 'repeated', query: 'dryRun=true&dryRun=true', body: {} },
  { code: 'empty', query: 'dryRun=', body: {} },
  { code: 'required', body: {} },
  { code: 'unknown_field', body: { note: 'Never answers.' } },
  { code: 'wrong_type', body: { deliveryId: 100_042 } },
  { code: 'too_long', body: { deliveryId: 'x'.repeat(101) } },
  { code: 'invalid_format', body: { deliveryId: 'LS-100042\0' } },
  { code: 'reason_unknown', body: { reason: 'too_expensive' } },
  { code: 'reason_not_objective', body: { reason: 'no response' } },
];

/** By the operation's id; one that is not here names no fields. */
export const fieldRefusals: Readonly<Record<string, readonly FieldRefusal[]>> = {
  getSupplierStats: number('days'),
  getEarnings: number('days'),
  listStatements: number('pageSize'),
  getStatementCsv: [
    { code: 'not_allowed_value', query: 'for=numbers' },
    { code: 'repeated', query: 'for=excel&for=excel' },
    { code: 'empty', query: 'for=' },
  ],
  listBuyerLeads: [...number('page'), ...filter],
  listBuyerEvents: [...number('limit'), { code: 'invalid_format', query: 'after=yesterday' }],
  getBuyerStats: number('days'),
  exportDeliveries: filter,
  redeliverLead: [{ code: 'unknown_field', body: { target: 'webhook' } }],
  fileReturn: claim,
  listReturns: number('pageSize'),
  fileDispute: claim,
  listDisputes: number('pageSize'),
  updateAccount: [
    { code: 'field_not_editable', body: { partnerKey: 'other' } },
    { code: 'wrong_type', body: { phone: 5_550_199 } },
    { code: 'too_long', body: { notificationEmail: `${'x'.repeat(500)}@example.com` } },
    { code: 'invalid_format', body: { notificationEmail: 'leads at summit' } },
    { code: 'webhook_url_blocked', body: { webhookUrl: 'http://crm.summit.example/leads' } },
  ],
  rotateWebhookSecret: [{ code: 'unknown_field', body: { secret: 'whsec_mine' } }],
  rotateCallbackSecret: [{ code: 'unknown_field', body: { secret: 'whsec_mine' } }],
  getBilling: number('pageSize'),
  listDeliveryLogs: number('limit'),
  sendTestDelivery: [
    { code: 'required', body: {} },
    { code: 'unknown_field', body: { target: 'preview', billable: false } },
    { code: 'not_allowed_value', body: { target: 'email' } },
  ],
  listAuditLog: number('limit'),
};

/** The codes of an operation, each once. */
export function fieldCodesOf(operationId: string): string[] {
  return [...new Set((fieldRefusals[operationId] ?? []).map(({ code }) => code))];
}
