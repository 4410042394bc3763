// Lower bounds of the score ranges that statistics count by; the last is 90 to 100 (contract 3.5).

export const SCORE_TENS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90] as const;
