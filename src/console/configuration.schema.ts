// The marketplace settings, the current marketplace file, and the options of the console's forms.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { MarketplaceSchema } from '../marketplace/marketplace.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';

export const ShownMarketplaceSchema = Type.Object({ version: Type.Integer(), marketplace: shown(MarketplaceSchema) });
export type ShownMarketplace = Static<typeof ShownMarketplaceSchema>;

export const ChoicesSchema = Type.Object({
  states: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  /** Whether other two-letter codes are accepted as well. */
  otherStates: Type.Boolean(),
  mappingTargets: Type.Array(Type.String()),
  mappingTransforms: Type.Array(Type.String()),
  /** The further members that a transform takes, by its name. */
  transformOptions: Type.Record(Type.String(), Type.Array(Type.Enum(['format', 'timeZone']))),
});
export type Choices = Static<typeof ChoicesSchema>;

export const FileSchema = Type.Object({
  version: Type.Integer(),
  length: Type.Integer(),
  /** Null if the file is too long to edit on a page; it can be downloaded instead. */
  text: orNull(Type.String()),
});
export type CurrentFile = Static<typeof FileSchema>;
