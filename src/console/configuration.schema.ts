// The settings of the marketplace, the file as it is now, and what forms offer to choose from, as the console shows them.
import { type Static, Type } from 'typebox';

import { shown } from '../marketplace/configured-form.rules.ts';
import { MarketplaceSchema } from '../marketplace/marketplace.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';

export const ShownMarketplaceSchema = Type.Object({ version: Type.Integer(), marketplace: shown(MarketplaceSchema) });
export type ShownMarketplace = Static<typeof ShownMarketplaceSchema>;

export const ChoicesSchema = Type.Object({
  states: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  /** Whether other two letters are taken as well. */
  otherStates: Type.Boolean(),
  mappingTargets: Type.Array(Type.String()),
  mappingTransforms: Type.Array(Type.String()),
});
export type Choices = Static<typeof ChoicesSchema>;

export const FileSchema = Type.Object({
  version: Type.Integer(),
  length: Type.Integer(),
  /** Null where it is too long to be edited on a page: it can be downloaded. */
  text: orNull(Type.String()),
});
export type CurrentFile = Static<typeof FileSchema>;
