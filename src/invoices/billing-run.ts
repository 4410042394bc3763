// Types of the monthly runs that issue invoices and statements by themselves (contract 6.20).
import type { Tx } from '../platform/database/database.ts';

export type BillingKind = 'invoices' | 'statements';

/** `exists`: issued before, by hand. `none`: nothing to bill. */
export type BillingOutcome = 'issued' | 'exists' | 'none';

/** A partner or supplier. */
export type BillingOwner = { readonly key: string; readonly timeZone: string };

/** What a run issues to whom. */
export type BillingIssuer = {
  readonly kind: BillingKind;
  readonly owners: (tx: Tx) => Promise<readonly BillingOwner[]>;
  /** Must be safe to repeat: a document of the month that exists is returned unchanged. `month` is `YYYY-MM`, and over. */
  readonly issue: (
    tx: Tx,
    input: { readonly ownerKey: string; readonly month: string },
    now: Date,
  ) => Promise<{ readonly outcome: BillingOutcome; readonly number: string | null }>;
};

/** The run of one month. The counts are of partners or suppliers. */
export type BillingRun = {
  readonly month: string;
  readonly startedAt: Date;
  /** Null while some are left. */
  readonly completedAt: Date | null;
  readonly issued: number;
  readonly existed: number;
  readonly none: number;
  readonly failed: number;
};

export type FailedItem = {
  readonly month: string;
  readonly ownerKey: string;
  readonly error: string;
  readonly at: Date;
};
