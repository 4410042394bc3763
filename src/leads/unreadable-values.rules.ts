// Reads a submission whose mapping lets unreadable optional values count as absent instead of rejecting the lead (contract 3.7).
import type { Members } from '../base/json.ts';
import type { CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { invalidError, splitReason, tooLongError } from './field-errors.rules.ts';
import { type LeadVerdict, type PostingRules, validateLead } from './validate-lead.rules.ts';

/** `mapped` is the submission after the mapping. Only a rejected submission is looked at twice. */
export function validateMapped(
  mapped: Members,
  { orNothing }: Pick<CompiledFieldMapping, 'orNothing'>,
  rules: PostingRules,
  now: Date,
): LeadVerdict {
  const verdict = validateLead(mapped, rules, now);
  if (verdict.ok || orNothing.size === 0) return verdict;
  const errors = new Set(splitReason(verdict.reason));
  const unreadable = [...orNothing].filter((name) => errors.has(invalidError(name)) || errors.has(tooLongError(name)));
  if (unreadable.length === 0) return verdict;
  const left = { ...mapped };
  for (const name of unreadable) delete left[name];
  return validateLead(left, rules, now);
}
