// Schema of a supplier in the marketplace file and the console: members, bounds, defaults and labels (contract 3.7, 5.8, 7.6).
import { type Static, Type } from 'typebox';

import {
  keyOf,
  line,
  type MemberCheck,
  members,
  nameMember,
  oneOf,
  orUnset,
  rateLimitOf,
} from '../marketplace/configured.schema.ts';

export const supplierStatuses = ['pending', 'approved', 'suspended'] as const;
export const callbackEvents = ['lead.processing_error', 'lead.routed', 'lead.rejected', 'lead.returned'] as const;

/** The default rate limit of a supplier's keys (contract 1.12). */
export const supplierRateLimit = { perSecond: 100, burst: 200 };

const MappedToSchema = Type.Union([
  Type.String(),
  members({ to: Type.String(), transform: Type.Optional(Type.String()) }),
]);
const ConstantsSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

export const SupplierSchema = members({
  key: keyOf('Key'),
  name: nameMember,
  status: oneOf(supplierStatuses, {
    title: 'Status',
    description: 'Only approved suppliers may post leads.',
    default: 'pending',
  }),
  fieldMapping: Type.Record(Type.String(), Type.Union([MappedToSchema, ConstantsSchema]), {
    title: 'Field mapping',
    description: 'Incoming field names with the lead fields that they stand for; constants under $set.',
    default: {},
    check: 'fieldMapping' satisfies MemberCheck,
  }),
  callback: orUnset(
    members({
      url: line({ title: 'Callback URL', check: 'target' }),
      events: Type.Array(oneOf(callbackEvents), {
        uniqueItems: true,
        minItems: 1,
        title: 'Callback events',
        default: ['lead.processing_error'],
        errorMessage: 'must name at least one event',
      }),
    }),
    { title: 'Callback' },
  ),
  rateLimit: rateLimitOf(supplierRateLimit),
});

/** A supplier as in the file, with every member present. */
export type SupplierForm = Static<typeof SupplierSchema>;
