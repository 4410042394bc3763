// The shapes in which the console sends changes of configuration and learns what they come to.
import { type Static, Type } from 'typebox';

import type { Fragment } from '../marketplace-file/fragment.rules.ts';
import type { ConfigInput } from '../marketplace-file/read-input.ts';

/** A form holds one thing, or a few; more is a file. */
const ENTRIES_MAX = 20;
/** As much as a marketplace file may have, and room for what JSON adds to it. */
export const CHANGE_BYTES = 6_000_000;

const Entry = Type.Record(Type.String(), Type.Unknown());

const FragmentSchema = Type.Object(
  {
    marketplace: Type.Optional(Entry),
    suppliers: Type.Optional(Type.Array(Entry, { maxItems: ENTRIES_MAX })),
    partners: Type.Optional(
      Type.Array(
        Type.Object(
          { offers: Type.Optional(Type.Array(Entry, { maxItems: ENTRIES_MAX })) },
          { additionalProperties: true },
        ),
        { maxItems: ENTRIES_MAX },
      ),
    ),
  },
  { additionalProperties: false },
);

/** Either a part of the marketplace file, or the text of a whole one. */
export const inputMembers = {
  fragment: Type.Optional(FragmentSchema),
  /** Of a fragment: what it names must not exist yet. */
  isNew: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.String()),
};
const InputSchema = Type.Object(inputMembers);

/** Null where it is neither or both. */
export function inputOf({ fragment, isNew = false, text }: Static<typeof InputSchema>): ConfigInput | null {
  if ((fragment === undefined) === (text === undefined)) return null;
  return text === undefined ? { fragment: fragment as Fragment, isNew } : { text };
}

export const FaultSchema = Type.Object({
  path: Type.String(),
  message: Type.String(),
  line: Type.Union([Type.Integer(), Type.Null()]),
  column: Type.Union([Type.Integer(), Type.Null()]),
});

const KindSchema = Type.Enum(['marketplace', 'supplier', 'partner', 'offer']);
const FieldsSchema = Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }));

/** What was changed and by whom. */
export const AuditedChangeSchema = Type.Object({
  kind: KindSchema,
  key: Type.String(),
  /** The rest is null where the audit trail says nothing of it. */
  at: Type.Union([Type.String(), Type.Null()]),
  actor: Type.Union([Type.Object({ type: Type.String(), name: Type.String() }), Type.Null()]),
  action: Type.Union([Type.String(), Type.Null()]),
  changes: FieldsSchema,
});

export const ChangeResultSchema = Type.Object({
  /** Of the configuration in force after it. */
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
  /** With any nothing was changed, and of the rest only `meanwhile` means something. */
  faults: Type.Array(FaultSchema),
  /** What others changed of the same since it was looked at. */
  meanwhile: Type.Array(AuditedChangeSchema),
});
export type ChangeResult = Static<typeof ChangeResultSchema>;
