// In which scope a sale blocks a person from being sold again (contract 4.4).

/** 64 bits as decimal text, the form in which a `bigint` parameter and result travel. */
export type IdentityHash = string;

/** An exclusive sale blocks the person for every buyer; a shared one for its own buyer, whose key is then the scope. */
export const EVERY_BUYER = '*';

/**
 * Under which a lead finds the earlier sales of its person. A test lead finds those of its own supplier's leads only: it costs nothing,
 * so it could tell else for every number whether another supplier's person was sold.
 */
export type IdentityKey = string;

export function identityKey(
  person: IdentityHash,
  { isTest, supplierKey }: { isTest: boolean; supplierKey: string },
): IdentityKey {
  return isTest ? `${supplierKey} ${person}` : person;
}

/** The scopes in which people were sold within the duplicate window. */
export type SalesByIdentity = Map<IdentityKey, Set<string>>;
