// The catalogue of error codes, with the meaning and the remedy of each (contract 1.9).

import { pageProblems, type CatalogueEntry } from './page-problems.ts';

/** Codes that stand at the top of a problem document. */
export const problemCatalogue = {
  bad_request: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request is not well-formed HTTP.',
    remedy: 'Send it with an HTTP library rather than by hand, and check proxies in between.',
  },
  invalid_json: {
    status: 400,
    title: 'Unreadable body',
    meaning: 'The body is not one JSON object in UTF-8.',
    remedy:
      'Send a JSON object without a byte order mark, nested at most 64 levels deep, with at most 2,048 values and finite numbers only.',
  },
  invalid_query: {
    status: 400,
    title: 'Invalid query parameter',
    meaning: 'A query parameter has a value that is not allowed. Values are never adjusted.',
    remedy: 'Correct the parameters named in `errors`. Give each at most once, and leave out what has no value.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning: 'The Idempotency-Key header must be given once and hold 1 to 255 printable ASCII characters.',
    remedy: 'Use a random UUID for each new operation, and the same one when you repeat the request.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authorized',
    meaning: 'The credential is missing or not valid.',
    remedy:
      'Send a valid credential in the header that WWW-Authenticate names. Ask the operator for a new one if yours is lost or revoked.',
  },
  supplier_not_approved: {
    status: 403,
    title: 'Supplier not approved',
    meaning: 'Only approved suppliers may submit leads.',
    remedy: 'Ask the operator about the approval of your account.',
  },
  partner_suspended: {
    status: 403,
    title: 'Partner suspended',
    meaning: 'This partner account is suspended.',
    remedy: 'Ask the operator why.',
  },
  scope_missing: {
    status: 403,
    title: 'Scope missing',
    meaning: 'The token is valid and lacks the scope that this operation needs.',
    remedy: 'Use a token with the scope that `detail` names. Scopes are set when a token is issued and never change.',
  },
  beta_not_enabled: {
    status: 403,
    title: 'Beta tool not enabled',
    meaning: 'This endpoint is a beta tool that is not enabled for your account.',
    remedy: 'Ask the operator to enable it. The account endpoint lists the enabled ones in `betaTools`.',
  },
  setting_not_editable: {
    status: 403,
    title: 'Setting not editable',
    meaning: 'Only the operator may read or change this setting.',
    remedy: 'Ask the operator. The account endpoint lists in `editableFields` what you may read and change yourself.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such resource, or you have no access to it.',
    remedy:
      'Check the path, including case and a trailing slash, the id, and which account your credential belongs to.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    meaning: 'Your account has no such delivery.',
    remedy: 'Use a `deliveryId` from the list of delivered leads of the same account.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'This path does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request was not received completely in time.',
    remedy: 'Repeat the request and send it without pauses.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Still in progress',
    meaning: 'The first request with this Idempotency-Key is still running.',
    remedy: 'Repeat the same request a little later to get the first response.',
  },
  external_id_conflict: {
    status: 409,
    title: 'external_id already used',
    meaning: 'A lead with the same external_id but other content was accepted before.',
    remedy: 'Give each lead its own external_id. To repeat a submission, send exactly the same content.',
  },
  delivery_not_confirmed: {
    status: 409,
    title: 'Delivery not confirmed',
    meaning: 'Only a confirmed delivery can be claimed.',
    remedy: 'Read the delivery again; wait while it is Pending. Failed and Returned ones cannot be claimed.',
  },
  claim_exists: {
    status: 409,
    title: 'Claim exists',
    meaning: 'This delivery has a claim already.',
    remedy: 'Read your returns and disputes. A denied return may be appealed once by a dispute.',
  },
  claim_not_withdrawable: {
    status: 409,
    title: 'Claim not withdrawable',
    meaning: 'A claim can be withdrawn only while it is submitted.',
    remedy: 'Wait for the decision.',
  },
  webhook_not_configured: {
    status: 409,
    title: 'No webhook configured',
    meaning: 'The account has no webhookUrl to send to.',
    remedy: 'Set `webhookUrl` in the account, or use the target `preview`.',
  },
  delivery_not_redeliverable: {
    status: 409,
    title: 'Delivery not redeliverable',
    meaning:
      'Only webhook deliveries can be sent again: a Confirmed one, or a Failed one whose lead can still be sold to you.',
    remedy:
      'Read the delivery again and wait while it is Pending. A Failed one can be sent again while its lead is not sold to others, and your offer, caps and funds allow it.',
  },
  endpoint_disabled: {
    status: 409,
    title: 'Endpoint disabled',
    meaning: 'Nothing is sent to your webhook, because it responded with 410 Gone or failed for a long time.',
    remedy: 'Repair the endpoint, then set `webhookUrl` in the account. Setting the same value enables it, too.',
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    meaning: 'The events after this cursor are no longer stored.',
    remedy:
      'Start again without `after`. Read the missed deliveries from the list of leads, with `from` and `to` around the gap.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The resource has changed since you read it: its current ETag is not in If-Match.',
    remedy: 'Read it again and, if the change still applies, repeat it with the new ETag.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    meaning: 'The body is larger than 64 KiB.',
    remedy: 'Send less. A lead rarely needs more than 2 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body must be plain JSON: Content-Type application/json in UTF-8, without a Content-Encoding.',
    remedy: 'Set Content-Type: application/json and do not compress the body.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    meaning: 'Members of the body are missing or have values that are not allowed.',
    remedy: 'Correct every field named in `errors`; each has its own code. Nothing was changed.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'This Idempotency-Key was used with a different request.',
    remedy: 'Use a new key for each operation. A key is reserved for 24 hours.',
  },
  reason_kind_mismatch: {
    status: 422,
    title: 'Reason does not fit the delivery',
    meaning: 'Lead reasons are for lead sales, booking reasons for booked calls.',
    remedy: 'Choose a reason that the return policy lists for this kind of delivery.',
  },
  return_window_closed: {
    status: 422,
    title: 'Return window closed',
    meaning: 'The return window of this delivery has ended.',
    remedy: 'A dispute may still be possible; see the return policy.',
  },
  return_cap_reached: {
    status: 422,
    title: 'Return cap reached',
    meaning: 'The monthly number of returns of this kind is used up.',
    remedy: 'A dispute may be possible; it has no cap.',
  },
  proof_required: {
    status: 422,
    title: 'Proof required',
    meaning: 'This reason needs a proof.',
    remedy: 'Describe in `proof` how the defect was found.',
  },
  dispute_window_closed: {
    status: 422,
    title: 'Dispute window closed',
    meaning: 'The dispute window of this delivery has ended.',
    remedy: 'No claim is possible any more.',
  },
  detail_required: {
    status: 422,
    title: 'Detail required',
    meaning: 'A dispute needs an explanation.',
    remedy: 'Explain the case in `detail`.',
  },
  evidence_required: {
    status: 422,
    title: 'Evidence required',
    meaning: 'This reason needs evidence.',
    remedy: 'Put an https URL into `evidenceUrl`.',
  },
  webhook_url_blocked: {
    status: 422,
    title: 'Webhook URL blocked',
    meaning: 'The URL is not HTTPS, or it leads to an address that is not public.',
    remedy: 'Use an https URL whose name resolves to public addresses only, on port 443 or 1024 and above.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning: 'This credential has sent too many requests, or too many leads of its supplier wait to be routed.',
    remedy: 'Wait for the seconds in Retry-After. Watch RateLimit-Remaining to stay within the limit.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'Request line and headers together are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers, or a shorter URL.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service has an internal error.',
    remedy:
      'Repeat the request with the same Idempotency-Key or external_id. If the error persists, send the requestId to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service is unavailable. The request may or may not have taken effect.',
    remedy:
      'Repeat the request after the seconds in Retry-After. With the same Idempotency-Key or external_id this is always safe.',
  },
  ...pageProblems,
} as const satisfies Record<string, CatalogueEntry>;

export type ProblemCode = keyof typeof problemCatalogue;

const field = (title: string, meaning: string, remedy: string): CatalogueEntry => ({
  status: null,
  title,
  meaning,
  remedy,
});

/** Codes that stand beside a field's name in `errors`. */
export const fieldCatalogue: Readonly<Record<string, CatalogueEntry>> = {
  required: field('Required', 'The member is missing.', 'Add it.'),
  unknown_field: field('Unknown field', 'The endpoint has no such member.', 'Check the spelling, or leave it out.'),
  wrong_type: field('Wrong type', 'The value does not have the expected type.', 'Send the documented type.'),
  too_long: field('Too long', 'The value has more characters or items than allowed.', 'Shorten it.'),
  too_short: field('Too short', 'The value has fewer characters or items than required.', 'Make it longer.'),
  out_of_range: field(
    'Out of range',
    'The number is outside of the allowed range.',
    'Send a number within the documented range.',
  ),
  invalid_format: field('Invalid format', 'The text does not have the expected format.', 'Use the documented format.'),
  not_allowed_value: field(
    'Value not allowed',
    'The value is not one of the allowed values.',
    'Use one of the documented values.',
  ),
  not_unique: field('Not unique', 'A list has the same item twice.', 'Send each item once.'),
  repeated: field('Repeated', 'The query parameter was sent more than once.', 'Send it once.'),
  empty: field('Empty', 'The query parameter has no value.', 'Send a value, or leave it out.'),
  field_not_editable: field('Field not editable', 'You may not change this member.', 'See `editableFields`.'),
  reason_unknown: field('Unknown reason', 'There is no such reason code.', 'Use a code from the return policy.'),
  reason_not_objective: field(
    'Reason not objective',
    'Sales outcomes such as no response or no interest are not valid reasons.',
    'Claim only defects of the lead itself.',
  ),
};

/** The entry of a problem or field code; undefined for an unknown code. */
export function catalogueEntry(code: string): CatalogueEntry | undefined {
  if (Object.hasOwn(problemCatalogue, code)) return problemCatalogue[code as ProblemCode];
  return Object.hasOwn(fieldCatalogue, code) ? fieldCatalogue[code] : undefined;
}
