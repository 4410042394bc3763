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
    meaning: 'A query parameter has a value that is not allowed; nothing was changed to fit.',
    remedy: 'Correct the parameters named in `errors`. Give each at most once, and leave out what has no value.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning: 'The Idempotency-Key header must be given once and hold 1 to 255 printable ASCII characters.',
    remedy: 'Use a random UUID for each new operation, and the same one again when repeating it.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authorized',
    meaning: 'The credential is missing or not valid.',
    remedy:
      'Send a valid credential in the header that WWW-Authenticate names; ask the operator for a new one if need be.',
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
  beta_not_enabled: {
    status: 403,
    title: 'Beta tool not enabled',
    meaning: 'This endpoint is a beta tool that is not enabled for your account.',
    remedy: 'Ask the operator to enable it. The account endpoint lists the enabled ones in `betaTools`.',
  },
  setting_not_editable: {
    status: 403,
    title: 'Setting not editable',
    meaning: 'The operator keeps this setting to itself.',
    remedy: 'Ask the operator. The account endpoint lists in `editableFields` what you may read and change yourself.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing at this path, or nothing that you may see.',
    remedy:
      'Check the path letter by letter: case and a trailing slash count. Check the id and whose credential you use.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    meaning: 'There is no such delivery in your account.',
    remedy: 'Use a `deliveryId` from the list of delivered leads of the same account.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'This path exists, but not for this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive in full in time.',
    remedy: 'Send the whole request at once and repeat it.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Still in progress',
    meaning: 'The first request with this Idempotency-Key is still running.',
    remedy: 'Repeat the same request a little later; it then gives the first answer.',
  },
  external_id_conflict: {
    status: 409,
    title: 'external_id already used',
    meaning: 'A lead with this external_id and other content has been accepted before.',
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
    meaning: 'There already is a claim on this delivery.',
    remedy: 'Read your returns and disputes. A denied return may be appealed once by a dispute.',
  },
  claim_not_withdrawable: {
    status: 409,
    title: 'Claim not withdrawable',
    meaning: 'A claim can be withdrawn only while it is submitted.',
    remedy: 'Nothing; wait for the decision.',
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
      'Only a delivery by webhook that is Confirmed can be sent again, or one that is Failed while its lead can still be yours: not sold to others, and your offer and funds have room for it.',
    remedy:
      'Read the delivery again; wait while it is Pending. A Failed one may be possible later, when your offer is open and your caps and funds have room.',
  },
  endpoint_disabled: {
    status: 409,
    title: 'Endpoint disabled',
    meaning: 'Nothing is sent to your webhook, because it answered 410 Gone or nothing good for a long time.',
    remedy: 'Put the endpoint right, then set `webhookUrl` in the account; the same value enables it again.',
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    meaning: 'The events after this cursor are no longer kept.',
    remedy:
      'Begin again without `after`. What you missed can be read through the list of leads, with `from` and `to` around the gap.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'It has changed since you read it: its present ETag is none of those in If-Match.',
    remedy: 'Read it again, and repeat the change with the new ETag if you still want it.',
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
    meaning: 'Members of the body are missing or not allowed.',
    remedy: 'Correct every field named in `errors`; each has a code of its own. Nothing was changed.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'This Idempotency-Key came with another request before.',
    remedy: 'Use a new key for a new operation; a key stays taken for 24 hours.',
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
    meaning: 'The time in which this delivery could be returned is over.',
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
    remedy: 'Say in `proof` how the fault was found.',
  },
  dispute_window_closed: {
    status: 422,
    title: 'Dispute window closed',
    meaning: 'The time in which this delivery could be disputed is over.',
    remedy: 'Nothing can be filed any more.',
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
    meaning: 'This credential has sent too many requests.',
    remedy: 'Wait for the seconds in Retry-After; watch RateLimit-Remaining to stay below.',
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
    meaning: 'Something is wrong on our side.',
    remedy:
      'Repeat the request with the same Idempotency-Key or external_id; if it stays, tell the operator the requestId.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service cannot answer now; whether the request took effect may be unknown.',
    remedy: 'Repeat it after Retry-After seconds. With the same Idempotency-Key or external_id that is always safe.',
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
  unknown_field: field('Unknown field', 'The endpoint knows no such member.', 'Leave it out; check its spelling.'),
  wrong_type: field('Wrong type', 'The value has another type than the one expected.', 'Send the type documented.'),
  too_long: field('Too long', 'The value has more characters or items than allowed.', 'Shorten it.'),
  too_short: field('Too short', 'The value has fewer characters or items than needed.', 'Complete it.'),
  out_of_range: field('Out of range', 'The number is below or above the range allowed.', 'Stay in the range.'),
  invalid_format: field('Invalid format', 'The text does not have the form expected.', 'Use the form documented.'),
  not_allowed_value: field('Value not allowed', 'The value is none of those allowed.', 'Use one of those documented.'),
  not_unique: field('Not unique', 'A list holds the same item twice.', 'Give each item once.'),
  repeated: field('Repeated', 'The query parameter was given more than once.', 'Give it once.'),
  empty: field('Empty', 'The query parameter has no value.', 'Give it a value or leave it out.'),
  field_not_editable: field('Field not editable', 'You may not change this member.', 'See `editableFields`.'),
  reason_unknown: field('Unknown reason', 'There is no such reason code.', 'Use a code from the return policy.'),
  reason_not_objective: field(
    'Reason not objective',
    'Outcomes of the sale such as no response or no interest are no valid reasons.',
    'Claim only what was wrong with the lead itself.',
  ),
};

/** The entry of a problem or field code; undefined for an unknown code. */
export function catalogueEntry(code: string): CatalogueEntry | undefined {
  if (Object.hasOwn(problemCatalogue, code)) return problemCatalogue[code as ProblemCode];
  return Object.hasOwn(fieldCatalogue, code) ? fieldCatalogue[code] : undefined;
}
