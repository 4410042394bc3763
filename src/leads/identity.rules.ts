// The key of a person's earlier sales, their scope, and the normal form of a mailbox (contract 4.4).

/** 64 bits as decimal text, as the driver passes a `bigint`. */
export type IdentityHash = string;

/** The scope of an exclusive sale, which blocks the person for every buyer. The scope of a shared sale is the key of its buyer. */
export const EVERY_BUYER = '*';

/**
 * Key of the earlier sales of a person. A test lead sees only sales of its own supplier's leads: test leads are free, and would otherwise
 * reveal for any number whether another supplier has sold it.
 */
export type IdentityKey = string;

export function identityKey(
  hash: IdentityHash,
  { isTest, supplierKey }: { isTest: boolean; supplierKey: string },
): IdentityKey {
  return isTest ? `${supplierKey} ${hash}` : hash;
}

/** Scopes of the sales within the duplicate window. */
export type SalesByIdentity = Map<IdentityKey, Set<string>>;

/** Lower case and without a plus tag: one form for all spellings that reach the same mailbox. */
export function normalizeMailbox(email: string): string {
  const lower = email.toLowerCase();
  const at = lower.lastIndexOf('@');
  const plus = lower.indexOf('+');
  // A plus sign at the start of the local part does not start a tag.
  return plus > 0 && plus < at ? lower.slice(0, plus) + lower.slice(at) : lower;
}
