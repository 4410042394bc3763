// The responses to requests for a link by email that is not sent (contract 7.12).
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import type { InviteRefusal } from './invitations.ts';

type Refused =
  | InviteRefusal
  | { readonly code: 'invitation_not_found' }
  | { readonly code: 'account_exists' | 'operator_exists' };

export function linkRefusal(refused: Refused): Refusal {
  if (refused.code === 'invitation_not_found') return NOT_FOUND;
  if (refused.code !== 'rate_limited') return { status: 409, code: refused.code };
  const detail = 'A link was sent to this address less than five minutes ago.';
  return { status: 429, code: 'rate_limited', detail, headers: { 'retry-after': String(refused.waitSeconds) } };
}
