// Documents the headers of responses: components of the OpenAPI document, and which response has which (contract 1.4).

/** Headers that a route declares for its own 2xx and 304 responses; the others follow from their kind. */
export type RouteHeader = 'ETag' | 'Link' | 'Content-Disposition';

const text = (description: string, example: string, required = true) => ({
  description,
  required,
  schema: { type: 'string' },
  example,
});
const count = (description: string, example: number, required = true) => ({
  description,
  required,
  schema: { type: 'integer', minimum: 0 },
  example,
});

const LIMIT = 'The burst limit: requests that this credential may send at once.';
const REMAINING = 'Requests left of the burst limit.';
const RESET = 'Seconds until the full burst limit is available again.';
const UNREAD = 'Missing where the request broke off before its credential was read.';

/** By the component's name; `headerNames` has the name of the header. */
export const headerComponents = {
  RequestId: text(
    'The id of this request: your own `X-Request-Id` if it has at most 64 letters, digits and `._~:+/=-`, otherwise a new one.',
    '0b7f2d1e-6c1e-7b0e-9a53-0d8a5c1f7a10',
  ),
  CacheControl: text('`no-store`, except for responses without personal data.', 'no-store'),
  RateLimitLimit: count(LIMIT, 200),
  RateLimitRemaining: count(REMAINING, 199),
  RateLimitReset: count(RESET, 1),
  RateLimitLimitIfKnown: count(`${LIMIT} ${UNREAD}`, 200, false),
  RateLimitRemainingIfKnown: count(`${REMAINING} ${UNREAD}`, 199, false),
  RateLimitResetIfKnown: count(`${RESET} ${UNREAD}`, 1, false),
  RetryAfter: count('Seconds to wait before the request is repeated.', 1),
  RetryAfterInProgress: count('Seconds to wait; with `idempotency_in_progress` only.', 1, false),
  WwwAuthenticate: text('The kind of credential that is required.', 'Bearer realm="lead-marketplace"'),
  AcceptEncoding: text('`identity`, if the body of the request was not plain JSON.', 'identity', false),
  IdempotentReplayed: {
    description: '`true` if this response repeats an earlier one; otherwise the header is missing.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: text(
    'The tag of this state, for `If-None-Match` and, with PATCH, for `If-Match`.',
    '"5c1f7a10b7f2d1e6c1e7b0e9a53"',
  ),
  Link: text(
    'Links to the `first`, `prev`, `next` and `last` page that exist (RFC 8288).',
    '</api/v1/buyer/leads?page=1>; rel="first", </api/v1/buyer/leads?page=2>; rel="last"',
  ),
  ContentDisposition: text('The name of the file.', 'attachment; filename="deliveries_2026-11-01_2026-11-20.csv"'),
} as const;

type ComponentName = keyof typeof headerComponents;

const headerNames: Readonly<Record<ComponentName, string>> = {
  RequestId: 'X-Request-Id',
  CacheControl: 'Cache-Control',
  RateLimitLimit: 'RateLimit-Limit',
  RateLimitRemaining: 'RateLimit-Remaining',
  RateLimitReset: 'RateLimit-Reset',
  RateLimitLimitIfKnown: 'RateLimit-Limit',
  RateLimitRemainingIfKnown: 'RateLimit-Remaining',
  RateLimitResetIfKnown: 'RateLimit-Reset',
  RetryAfter: 'Retry-After',
  RetryAfterInProgress: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
  AcceptEncoding: 'Accept-Encoding',
  IdempotentReplayed: 'Idempotent-Replayed',
  ETag: 'ETag',
  Link: 'Link',
  ContentDisposition: 'Content-Disposition',
};

// Statuses of responses that an Idempotency-Key repeats.
const REPEATABLE = /^(?:2..|404|409|422)$/;
const SUCCESS = /^(?:2..|304)$/;
/** A 400 may be sent before the credential is known. */
function rateLimitOf(status: string): readonly ComponentName[] {
  if (NOT_COUNTED.has(status)) return [];
  return status === '400'
    ? ['RateLimitLimitIfKnown', 'RateLimitRemainingIfKnown', 'RateLimitResetIfKnown']
    : ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'];
}

// Sent before the credential is known, or possibly before.
const NOT_COUNTED: ReadonlySet<string> = new Set(['401', '503', 'default']);

const routeComponent: Readonly<Record<RouteHeader, ComponentName>> = {
  ETag: 'ETag',
  Link: 'Link',
  'Content-Disposition': 'ContentDisposition',
};

export type ResponseKind = {
  readonly method: string;
  /** As the document has it: three digits or `default`. */
  readonly status: string;
  readonly ofRoute: readonly RouteHeader[];
};

/** The `headers` of one response of a route in a scope. */
export function documentedHeaders({ method, status, ofRoute }: ResponseKind): Record<string, { $ref: string }> {
  const isPost = method.toLowerCase() === 'post';
  const names: ComponentName[] = [
    'RequestId',
    'CacheControl',
    ...rateLimitOf(status),
    ...(status === '429' || status === '503' ? (['RetryAfter'] as const) : []),
    ...(status === '409' && isPost ? (['RetryAfterInProgress'] as const) : []),
    ...(status === '401' ? (['WwwAuthenticate'] as const) : []),
    ...(status === '415' ? (['AcceptEncoding'] as const) : []),
    ...(isPost && REPEATABLE.test(status) ? (['IdempotentReplayed'] as const) : []),
    ...(SUCCESS.test(status) ? ofRoute.map((name) => routeComponent[name]) : []),
  ];
  return Object.fromEntries(names.map((name) => [headerNames[name], { $ref: `#/components/headers/${name}` }]));
}
