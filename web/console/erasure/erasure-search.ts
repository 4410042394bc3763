// Types and limits that the erasure pages share.
import type { StoredLead } from '../../../src/console/erasure.schema.ts';

/** The search term. */
export type Input = { readonly id: string } | { readonly email: string } | { readonly phone: string };

/** Leads per request. */
export const LEADS_AT_ONCE = 20;
/** The word that confirms an erasure. */
export const CONFIRMATION = 'erase';

/** A search with its results so far. */
export type Search = {
  readonly input: Input;
  readonly isBusy: boolean;
  readonly leads: readonly StoredLead[];
  readonly consentYears: number | null;
  readonly lookedUntil: string | null;
  /** Leads of this person that were erased earlier. */
  readonly erasedBefore: number;
  readonly error: unknown;
};
