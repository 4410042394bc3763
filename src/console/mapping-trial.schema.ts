// A supplier's sample read with a field mapping, before the mapping is saved.
import { type Static, Type } from 'typebox';

import { SubmissionReadingSchema } from '../leads/submission-reading.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';
import type { FieldMapping } from '../suppliers/field-mapping.rules.ts';

/** Larger than the body of any lead. */
export const SAMPLE_BYTES = 65_536;

const Mapping = Type.Record(Type.String(), Type.Unknown());

export const MappingTrialBody = Type.Object({
  /** One lead as the supplier sends it: JSON text. */
  sample: Type.String({ minLength: 1, maxLength: SAMPLE_BYTES }),
  mapping: Mapping,
  /** The keys of the supplier's verticals: the default one, and further ones. */
  vertical: orNull(Type.String()),
  verticals: Type.Array(Type.String(), { maxItems: 100 }),
});
export type MappingTrialInput = Static<typeof MappingTrialBody>;

export const MappingTrialSchema = Type.Object({
  /** Whether the lead would be accepted. */
  isAccepted: Type.Boolean(),
  /** As in the response to the supplier; null if it would be accepted. */
  reason: orNull(Type.String()),
  /** Null if it would be rejected. */
  score: orNull(Type.Integer()),
  reading: SubmissionReadingSchema,
  /** What could be added to the mapping for the members of the sample that it does not name. */
  suggested: Type.Unsafe<FieldMapping>(Mapping),
});
export type MappingTrial = Static<typeof MappingTrialSchema>;
