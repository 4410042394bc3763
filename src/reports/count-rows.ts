// Counts of a span of days as the statements read them.

export type CountsOfSpan = {
  readonly confirmed: number;
  readonly pending: number;
  readonly failed: number;
  readonly returned: number;
  readonly confirmedCents: number;
  readonly pendingCents: number;
};
