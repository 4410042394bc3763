// The tens by which scores are counted: where each begins (contract 3.5).

/** The last one holds 90 to 100. */
export const SCORE_TENS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90] as const;
