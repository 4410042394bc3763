// A supplier as configured by the operator.
import type { DeepReadonly } from '../base/json.ts';
import type { FieldMapping } from './field-mapping.rules.ts';
import type { SupplierForm } from './supplier.schema.ts';

type Form = DeepReadonly<SupplierForm>;

export type SupplierStatus = Form['status'];
export type CallbackEvent = NonNullable<Form['callback']>['events'][number];

/** The members of `supplier.schema.ts`. */
export type SupplierConfig = Omit<Form, 'key' | 'fieldMapping'> & {
  readonly supplierKey: string;
  readonly fieldMapping: FieldMapping;
};
