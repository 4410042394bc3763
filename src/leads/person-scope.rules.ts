// In which scope a sale blocks a person from being sold again (contract 4, duplicates).

/** 64 bits as decimal text, the form in which a `bigint` parameter and result travel. */
export type PersonHash = string;

/** An exclusive sale blocks the person for every buyer; a shared one for its own buyer, whose key is then the scope. */
export const EVERY_BUYER = '*';

/** The scopes in which people were sold within the duplicate window. */
export type SalesOfPersons = Map<PersonHash, Set<string>>;
