// The suppliers' side of the model of the money tests: what leads cost, and what claims take back. It shares no code with the service.
import type { LeadId } from '../../src/base/ids.ts';
import type { ModelAccount, ModelPartner } from './money-model.ts';

export type ModelTerms = {
  readonly model: 'none' | 'fixed' | 'share';
  /** Cents of a fixed amount, or hundredths of a percent of the price. */
  readonly rate: number;
  readonly clawbackDays: number | null;
};
export type ModelSupplier = { readonly supplierKey: string; terms: ModelTerms };

/** A lead with the terms under which it was routed. */
export type ModelLead = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly terms: ModelTerms;
  /** A partner buys a lead at most once. */
  readonly buyers: Set<ModelPartner>;
  /** Of a fixed amount. */
  isPosted: boolean;
  /** Cents posted and not taken back, of a fixed amount. */
  owed: number;
  /** Confirmed and not returned. */
  kept: number;
};
export type ModelSale = { readonly lead: ModelLead; readonly cents: number };
export type SupplierModel = ReturnType<typeof createSupplierModel>;

const DAY_MS = 86_400_000;

export function createSupplierModel(suppliers: readonly ModelSupplier[]) {
  const accounts = new Map<string, ModelAccount>(
    suppliers.flatMap(({ supplierKey }) =>
      ['supplier', 'cost', 'payout', 'supplier_adjustment'].map((kind) => [
        `${kind}:${supplierKey}`,
        { balance: 0, held: 0, entries: 0 },
      ]),
    ),
  );
  const tally = { costs: 0, clawbacks: 0, late: 0, sharedLeads: 0, termChanges: 0 };
  const move = (supplierKey: string, counterpart: string, cents: number): void => {
    if (cents === 0) return;
    for (const [kind, change] of [
      ['supplier', cents],
      [counterpart, -cents],
    ] as const) {
      const account = accounts.get(`${kind}:${supplierKey}`);
      if (account === undefined) throw new Error(`the model has no ${kind} of ${supplierKey}`);
      account.balance += change;
      account.entries += 1;
    }
  };
  const shareOf = ({ lead, cents }: ModelSale): number =>
    Number((BigInt(cents) * BigInt(lead.terms.rate) + 5000n) / 10_000n);

  return {
    suppliers,
    accounts,
    tally,
    /** Call it for the first charge of each delivery. */
    sell(sale: ModelSale): void {
      const { lead } = sale;
      const { model, rate } = lead.terms;
      lead.kept += 1;
      if (model === 'none' || (model === 'fixed' && lead.isPosted)) return;
      lead.isPosted = true;
      const cost = model === 'fixed' ? rate : shareOf(sale);
      if (model === 'fixed') lead.owed = cost;
      if (cost > 0) tally.costs += 1;
      move(lead.supplierKey, 'cost', cost);
    },
    /** The approval of a claim that credits the whole price. */
    takeBack(sale: ModelSale, confirmedAt: number, now: number): void {
      const { lead } = sale;
      const { model, clawbackDays } = lead.terms;
      lead.kept -= 1;
      if (model === 'none' || clawbackDays === null) return;
      if (now - confirmedAt > clawbackDays * DAY_MS) return void (tally.late += 1);
      const cents = model === 'share' ? shareOf(sale) : lead.kept === 0 ? lead.owed : 0;
      if (model === 'fixed') lead.owed -= cents;
      if (cents > 0) tally.clawbacks += 1;
      move(lead.supplierKey, 'cost', -cents);
    },
  };
}
