// Verticals in the console: as in the marketplace file, with the suppliers that post into them and their open offers.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { VerticalSchema } from '../marketplace/vertical.schema.ts';

const RowSchema = Type.Object({
  ...shown(VerticalSchema).properties,
  /** Keys, in order. */
  suppliers: Type.Array(Type.String()),
  /** How many offers buy from it, closed ones left out. */
  offers: Type.Integer(),
});

export type VerticalRow = Static<typeof RowSchema>;

export const VerticalsSchema = Type.Object({ version: Type.Integer(), data: Type.Array(RowSchema) });
export type Verticals = Static<typeof VerticalsSchema>;

export const VerticalParams = Type.Object({ verticalKey: Type.String() });
export const ShownVerticalSchema = Type.Object({ version: Type.Integer(), vertical: RowSchema });
export type ShownVertical = Static<typeof ShownVerticalSchema>;
