// A filter of an offer beside the value that a lead has, as the pages get it.
import { type Static, Type } from 'typebox';

import { JsonValueSchema, orNull } from '../platform/http/values.schema.ts';

export const FilterCheckSchema = Type.Object({
  filter: Type.String(),
  label: Type.Optional(Type.String()),
  wanted: JsonValueSchema,
  found: orNull(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  /** Whether the value of an own field is left out because it tells about the person. */
  personal: Type.Optional(Type.Boolean()),
  holds: Type.Boolean(),
});
export type FilterCheck = Static<typeof FilterCheckSchema>;
