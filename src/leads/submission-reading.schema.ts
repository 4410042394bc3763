// How a submission was read, on the wire (contract 3.1 to 3.3, 3.7).
import { Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const Text = Type.String();

export const SubmissionReadingSchema = Type.Object({
  fields: Type.Array(
    Type.Object({
      field: Text,
      from: orNull(Text),
      isConstant: Type.Boolean(),
      sent: orNull(Text),
      read: orNull(Text),
      fault: orNull(Text),
      isLeftOut: Type.Optional(Type.Literal(true)),
    }),
  ),
  extra: Type.Array(Text),
});
