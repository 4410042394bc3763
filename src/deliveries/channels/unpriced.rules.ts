// The errors of attempts at which a partner took a lead without a price that can be charged (contract 13.5).

export const NO_PRICE = 'The response has no price that can be read.';
export const OUT_OF_BOUNDS = 'The price in the response is out of bounds.';
export const UNPRICED_ERRORS: readonly string[] = [NO_PRICE, OUT_OF_BOUNDS];
