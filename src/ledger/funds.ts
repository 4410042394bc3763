// What an account holds and has promised.

export type Funds = { readonly balanceCents: number; readonly heldCents: number };
