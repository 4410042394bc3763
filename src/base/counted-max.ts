// How far lists of the operator count: people page no further, and a count must not grow with the table.

export const COUNTED_MAX = 10_000;
