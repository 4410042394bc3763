// Labels of claim statuses, kinds and reasons.
import type { PortalClaim as Claim } from '../../../../src/portal/buyer/claims.schema.ts';

export const claimStatuses = [
  'submitted',
  'under_review',
  'approved',
  'denied',
  'withdrawn',
] as const satisfies ReadonlyArray<Claim['status']>;

export const kindWords: Readonly<Record<Claim['kind'], string>> = { return: 'Return', dispute: 'Dispute' };

export const reasonWords: Readonly<Record<Claim['reason'], string>> = {
  invalid_phone: 'Disconnected or invalid phone',
  bounced_email: 'Bounced or invalid email',
  out_of_geo: 'Outside agreed geography',
  out_of_filter: 'Outside agreed filter criteria',
  duplicate: 'Duplicate within the duplicate window',
  bot: 'Bot, non-human or inflated submission',
  no_show: 'Verified no-show',
  filter_mismatch: 'Explicit filter mismatch',
};
