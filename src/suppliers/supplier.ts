// A supplier as configuration knows it.
import type { RateLimit } from '../marketplace/settings.ts';
import type { FieldMapping } from './field-mapping.rules.ts';

export type SupplierStatus = 'pending' | 'approved' | 'suspended';
export const supplierStatuses: readonly SupplierStatus[] = ['pending', 'approved', 'suspended'];

export type CallbackEvent = 'lead.processing_error' | 'lead.routed' | 'lead.rejected' | 'lead.returned';
export const callbackEvents: readonly CallbackEvent[] = [
  'lead.processing_error',
  'lead.routed',
  'lead.rejected',
  'lead.returned',
];

export type SupplierConfig = {
  readonly supplierKey: string;
  readonly name: string;
  readonly status: SupplierStatus;
  readonly fieldMapping: FieldMapping;
  readonly callback: { readonly url: string; readonly events: readonly CallbackEvent[] } | null;
  readonly rateLimit: RateLimit;
};

/** What a supplier key may do when its supplier says nothing else (contract 1.12). */
export const supplierRateLimit: RateLimit = { perSecond: 100, burst: 200 };
