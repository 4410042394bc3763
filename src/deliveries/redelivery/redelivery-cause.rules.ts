// Why a delivery cannot be sent again.

/** The reason in detail, for operators only: some are other partners' affairs. */
export const redeliveryCauses = [
  'not_found',
  'in_progress',
  'returned',
  'erased',
  'other_channel',
  'sold_elsewhere',
  'no_webhook',
  'endpoint_disabled',
  'not_available',
  'internal_error',
] as const;
/**
 * `not_available`: sold to others or on a list meanwhile, or caps, budget or funds do not suffice. `internal_error`: a replay failed at this
 * delivery alone and went on.
 */
export type RedeliveryCause = (typeof redeliveryCauses)[number];
