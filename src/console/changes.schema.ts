// Configuration changes of the console: the input, the preview, the result and the change history.
import { type Static, Type } from 'typebox';

import { JsonValueSchema, orNull } from '../platform/http/values.schema.ts';

/** A form edits one entry or a few; more belongs in a marketplace file. */
const ENTRIES_MAX = 20;
/** The size limit of a marketplace file plus the overhead of JSON. */
export const CHANGE_BYTES = 6_000_000;

const Entry = Type.Record(Type.String(), JsonValueSchema);

const FragmentSchema = Type.Object(
  {
    marketplace: Type.Optional(Entry),
    verticals: Type.Optional(Type.Array(Entry, { maxItems: ENTRIES_MAX })),
    suppliers: Type.Optional(Type.Array(Entry, { maxItems: ENTRIES_MAX })),
    partners: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: Type.Optional(JsonValueSchema),
            offers: Type.Optional(Type.Array(Entry, { maxItems: ENTRIES_MAX })),
          },
          { additionalProperties: true },
        ),
        { maxItems: ENTRIES_MAX },
      ),
    ),
  },
  { additionalProperties: false },
);

/** Either a fragment of the marketplace file or the text of a whole file. */
export const inputMembers = {
  fragment: Type.Optional(FragmentSchema),
  /** For a fragment: its keys must not exist yet. */
  isNew: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.String()),
};

export const PreviewSchema = Type.Object(
  {
    ...inputMembers,
    version: Type.Optional(orNull(Type.Integer({ minimum: 0 }))),
    prune: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type Preview = Static<typeof PreviewSchema>;

export const ApplySchema = Type.Object(
  { ...inputMembers, version: Type.Integer({ minimum: 0 }), prune: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type Apply = Static<typeof ApplySchema>;

export const FaultSchema = Type.Object({
  path: Type.String(),
  message: Type.String(),
  line: orNull(Type.Integer()),
  column: orNull(Type.Integer()),
});

export type InputFault = Static<typeof FaultSchema>;

const KindSchema = Type.Enum(['marketplace', 'vertical', 'supplier', 'partner', 'offer']);
export type Kind = Static<typeof KindSchema>;
const FieldsSchema = Type.Record(Type.String(), Type.Object({ from: JsonValueSchema, to: JsonValueSchema }));

export type FieldChanges = Static<typeof FieldsSchema>;

/** One change, with its author and time. */
export const AuditedChangeSchema = Type.Object({
  kind: KindSchema,
  key: Type.String(),
  /** `at`, `actor` and `action` are null where the audit trail has no record. */
  at: orNull(Type.String()),
  actor: orNull(Type.Object({ type: Type.String(), name: Type.String() })),
  action: orNull(Type.String()),
  changes: FieldsSchema,
});

export type AuditedChange = Static<typeof AuditedChangeSchema>;

export const ChangesQuerySchema = Type.Object({ kind: KindSchema, key: Type.Optional(Type.String({ maxLength: 63 })) });
export type ChangesQuery = Static<typeof ChangesQuerySchema>;
export const ChangesSchema = Type.Object({ data: Type.Array(AuditedChangeSchema) });
export type Changes = Static<typeof ChangesSchema>;

export const ChangeResultSchema = Type.Object({
  /** The configuration version after the change. */
  version: Type.Integer(),
  applied: Type.Boolean(),
  changes: Type.Array(
    Type.Object({
      kind: KindSchema,
      key: Type.String(),
      action: Type.Enum(['create', 'update', 'close']),
      fields: FieldsSchema,
    }),
  ),
  unmanaged: Type.Array(Type.Object({ kind: KindSchema, key: Type.String() })),
  notes: Type.Array(Type.String()),
  /** Offers that would no longer receive leads, as texts; left out where there are none. */
  stops: Type.Optional(Type.Array(Type.String())),
  /** If there are any, nothing was changed and only `meanwhile` is meaningful besides. */
  faults: Type.Array(FaultSchema),
  /** Changes that others made to the same entries since the caller read them. */
  meanwhile: Type.Array(AuditedChangeSchema),
});
export type ChangeResult = Static<typeof ChangeResultSchema>;
export type Change = ChangeResult['changes'][number];
