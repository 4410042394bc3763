// The state of a lead as the console names it: the stored state and the public status in one word.
import type { LeadState, PublicStatus } from '../leads/stored-lead.ts';
import type { LeadStateName } from './leads.schema.ts';

export function stateName(state: LeadState, status: PublicStatus): LeadStateName {
  if (status === 'Invalid') return 'invalid';
  if (state !== 'rejected') return state;
  if (status === 'Suppressed') return 'suppressed';
  return status === 'Duplicate' ? 'duplicate' : 'no_buyer';
}
