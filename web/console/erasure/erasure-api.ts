// What the pages of erasure share: by what a person is looked for, and the limits of the service.
import type { StoredLead } from '../../../src/console/erasure.schema.ts';

/** By what a person is looked for. */
export type Input = { readonly id: string } | { readonly email: string } | { readonly phone: string };

/** What is asked for at once. */
export const LEADS_AT_ONCE = 20;
/** The word that is typed before anything is erased. */
export const CONFIRMATION = 'erase';

/** A search and what it has found so far. */
export type Search = {
  readonly input: Input;
  readonly isBusy: boolean;
  readonly leads: readonly StoredLead[];
  readonly consentYears: number | null;
  readonly lookedUntil: string | null;
  /** Leads of this person that were erased before. */
  readonly erasedBefore: number;
  readonly error: unknown;
};
