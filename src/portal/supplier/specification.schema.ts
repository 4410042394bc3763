// The posting specification of a supplier.
import { type Static, Type } from 'typebox';

import { orNull } from '../../platform/http/values.schema.ts';

const Text = Type.String();
const MaybeText = orNull(Text);
const SamplesSchema = Type.Array(Type.Object({ language: Text, label: Text, code: Text }));

const ExampleSchema = orNull(Type.Object({ body: Text, isTest: Type.Boolean() }));

const FieldsSchema = Type.Array(
  Type.Object({
    field: Text,
    meaning: Text,
    type: Text,
    format: MaybeText,
    lengthMax: orNull(Type.Integer()),
    sample: MaybeText,
    names: Type.Array(Type.Object({ name: Text, treatment: MaybeText })),
    constant: MaybeText,
    faults: Type.Array(Text),
  }),
);

export const SpecificationSchema = Type.Object({
  supplierKey: Text,
  name: Text,
  status: Text,
  marketplace: Text,
  generatedAt: Text,
  url: Text,
  headers: Type.Array(Type.Object({ name: Text, value: Text, meaning: Text })),
  rateLimit: Type.Object({ perSecond: Type.Number(), burst: Type.Number() }),
  bodyLimitKib: Type.Integer(),
  needed: Type.Array(Text),
  fields: FieldsSchema,
  verticals: Type.Array(
    Type.Object({
      key: Text,
      name: Text,
      isDefault: Type.Boolean(),
      required: Type.Array(Text),
      fields: FieldsSchema,
      example: ExampleSchema,
    }),
  ),
  isMapped: Type.Boolean(),
  example: ExampleSchema,
  samples: SamplesSchema,
  responses: Type.Array(
    Type.Object({
      status: Type.Integer(),
      code: MaybeText,
      when: Text,
      whatToDo: Text,
      repeat: Text,
      headers: Type.Array(Type.Object({ name: Text, value: Text })),
      body: Text,
    }),
  ),
  repeating: Type.Array(Text),
  callbacks: Type.Object({
    url: MaybeText,
    events: Type.Array(Type.Object({ type: Text, meaning: Text, isSent: Type.Boolean(), example: Text })),
    rules: Type.Array(Text),
    samples: SamplesSchema,
  }),
});
export type Specification = Static<typeof SpecificationSchema>;
export type SpecifiedField = Specification['fields'][number];
export type ResponseGuide = Specification['responses'][number];
export type SampleCode = Specification['samples'][number];
