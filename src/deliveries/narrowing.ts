// The filters of a partner's list of deliveries that no count and no index of their own serves: source, US state, offer and claim.
export const claimFilters = ['none', 'open', 'approved', 'denied', 'withdrawn'] as const;
export type ClaimFilter = (typeof claimFilters)[number];

/** Null members are no condition. */
export type Narrowing = {
  /** As the supplier named it, exactly. */
  readonly source: string | null;
  /** The code of the US state. */
  readonly state: string | null;
  readonly offerKey: string | null;
  /** The state of the latest claim; `none` if there is none. */
  readonly claim: ClaimFilter | null;
};

export type NarrowingQuery = {
  readonly source?: string;
  readonly state?: string;
  readonly offer?: string;
  readonly claim?: ClaimFilter;
};

/** Null if the query has none of these filters. The query must be validated. */
export function readNarrowing({ source, state, offer, claim }: NarrowingQuery): Narrowing | null {
  if ([source, state, offer, claim].every((value) => value === undefined)) return null;
  return {
    source: source ?? null,
    state: state?.toUpperCase() ?? null,
    offerKey: offer ?? null,
    claim: claim ?? null,
  };
}
