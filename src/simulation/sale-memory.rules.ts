// The last sales by identity and scope during a simulation, like the table person_sale (contract 4.4).
import type { IdentityHash, SalesByIdentity } from '../leads/identity.rules.ts';

/** A linked list of scopes: most identities have one, and a collection for each of millions would be too large. */
type IdentitySale = { scope: string; soldAt: number; saleId: number; next: IdentitySale | null };

export type SaleMemory = {
  /** The last sale of a scope replaces the one before. */
  add(identities: readonly IdentityHash[], sale: Omit<IdentitySale, 'next'>): void;
  /** Has no effect if the identity was sold again since. */
  remove(identities: readonly IdentityHash[], sale: Pick<IdentitySale, 'scope' | 'saleId'>): void;
  soldSince(identities: readonly IdentityHash[], since: number): SalesByIdentity;
};

export function createSaleMemory(): SaleMemory {
  const known = new Map<IdentityHash, IdentitySale>();
  const find = (person: IdentityHash, scope: string): IdentitySale | null => {
    let sale = known.get(person) ?? null;
    while (sale !== null && sale.scope !== scope) sale = sale.next;
    return sale;
  };
  return {
    add(identities, { scope, soldAt, saleId }) {
      for (const person of identities) {
        const sale = find(person, scope);
        if (sale === null) known.set(person, { scope, soldAt, saleId, next: known.get(person) ?? null });
        else if (sale.soldAt <= soldAt) Object.assign(sale, { soldAt, saleId });
      }
    },
    remove(identities, { scope, saleId }) {
      for (const person of identities) {
        const sale = find(person, scope);
        if (sale?.saleId === saleId) sale.soldAt = Number.NEGATIVE_INFINITY;
      }
    },
    soldSince(identities, since) {
      const sales: SalesByIdentity = new Map();
      for (const person of identities) {
        for (let sale = known.get(person) ?? null; sale !== null; sale = sale.next) {
          if (sale.soldAt >= since) sales.set(person, (sales.get(person) ?? new Set()).add(sale.scope));
        }
      }
      return sales;
    },
  };
}
