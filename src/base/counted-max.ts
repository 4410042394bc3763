// The limit up to which the console's lists count their rows: operators page no further, and the cost of a count must not grow with the table.

export const COUNTED_MAX = 10_000;
