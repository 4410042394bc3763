// Who was sold last, when and in which scope, as the table of people has it (contract 4.4).
import type { PersonHash, SalesOfPersons } from '../leads/person-scope.rules.ts';

/** A chain of scopes: most people have one, and a collection for each of millions would be too large. */
type PersonSale = { scope: string; soldAt: number; saleId: number; next: PersonSale | null };

export type People = {
  /** The last sale of a scope takes the place of the one before. */
  add(persons: readonly PersonHash[], sale: Omit<PersonSale, 'next'>): void;
  /** Whoever was sold again since stays sold. */
  forget(persons: readonly PersonHash[], sale: Pick<PersonSale, 'scope' | 'saleId'>): void;
  soldSince(persons: readonly PersonHash[], since: number): SalesOfPersons;
};

export function rememberPeople(): People {
  const known = new Map<PersonHash, PersonSale>();
  const find = (person: PersonHash, scope: string): PersonSale | null => {
    let sale = known.get(person) ?? null;
    while (sale !== null && sale.scope !== scope) sale = sale.next;
    return sale;
  };
  return {
    add(persons, { scope, soldAt, saleId }) {
      for (const person of persons) {
        const sale = find(person, scope);
        if (sale === null) known.set(person, { scope, soldAt, saleId, next: known.get(person) ?? null });
        else if (sale.soldAt <= soldAt) Object.assign(sale, { soldAt, saleId });
      }
    },
    forget(persons, { scope, saleId }) {
      for (const person of persons) {
        const sale = find(person, scope);
        if (sale?.saleId === saleId) sale.soldAt = Number.NEGATIVE_INFINITY;
      }
    },
    soldSince(persons, since) {
      const sales: SalesOfPersons = new Map();
      for (const person of persons) {
        for (let sale = known.get(person) ?? null; sale !== null; sale = sale.next) {
          if (sale.soldAt >= since) sales.set(person, (sales.get(person) ?? new Set()).add(sale.scope));
        }
      }
      return sales;
    },
  };
}
