// A supplier as configured by the operator.
import type { DeepReadonly } from '../base/json.ts';
import type { FieldMapping } from './field-mapping.rules.ts';
import type { SupplierForm } from './supplier.schema.ts';

type Form = DeepReadonly<SupplierForm>;

export type SupplierStatus = Form['status'];
export type CallbackEvent = NonNullable<Form['callback']>['events'][number];

/** What a lead is worth to its supplier; which of the two is set depends on the model. */
export type PayRate = {
  readonly amountCents: number | null;
  /** Hundredths of a percent of the price, 0 to 10,000. */
  readonly share: number | null;
};

export type PayRule = PayRate & { readonly when: Form['pay']['rules'][number]['when'] };

/** What the operator owes the supplier for its leads (contract 11.1). */
export type PayTerms = Omit<Form['pay'], 'amount' | 'percent' | 'rules'> &
  PayRate & { readonly rules: readonly PayRule[] };

/** The members of `supplier.schema.ts`, with amounts in cents. */
export type SupplierConfig = Omit<Form, 'key' | 'fieldMapping' | 'pay'> & {
  readonly pay: PayTerms;
  readonly supplierKey: string;
  readonly fieldMapping: FieldMapping;
};
