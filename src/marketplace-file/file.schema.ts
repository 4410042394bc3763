// Schema of the whole marketplace file (contract 7.6).
import { type Static, Type } from 'typebox';

import { PartnerSchema } from '../buyers/partner.schema.ts';
import { members } from '../marketplace/configured.schema.ts';
import { MarketplaceSchema } from '../marketplace/marketplace.schema.ts';
import type { WrittenVertical } from '../marketplace/vertical-form.rules.ts';
import { VerticalSchema } from '../marketplace/vertical.schema.ts';
import { OfferSchema } from '../routing/offer.schema.ts';
import { SupplierSchema } from '../suppliers/supplier.schema.ts';

const NOTHING: [] = [];

export const FileSchema = members({
  marketplace: members(MarketplaceSchema.properties, {
    optional: true,
    description: 'The settings of the whole marketplace. Without it they stay unchanged.',
  }),
  verticals: Type.Array(VerticalSchema, {
    default: NOTHING,
    description: 'Kinds of leads with fields of their own. Without any, all leads are of one kind.',
  }),
  suppliers: Type.Array(SupplierSchema, { default: NOTHING, description: 'Who submits leads.' }),
  partners: Type.Array(
    members({
      ...PartnerSchema.properties,
      offers: Type.Array(OfferSchema, { default: NOTHING, description: 'What the partner buys.' }),
    }),
    { default: NOTHING, description: 'Who buys leads, and their offers.' },
  ),
});

type Form = Static<typeof FileSchema>;
type Unnamed<Named> = Omit<Named, 'name'> & { readonly name?: string };
type Partner = Form['partners'][number];

/** A file with all defaults filled in; optional members without a default may be missing. */
export type FileForm = {
  readonly marketplace?: Form['marketplace'];
  readonly verticals: readonly WrittenVertical[];
  readonly suppliers: ReadonlyArray<Unnamed<Form['suppliers'][number]>>;
  readonly partners: ReadonlyArray<
    Unnamed<Omit<Partner, 'offers'>> & { readonly offers: Array<Unnamed<Partner['offers'][number]>> }
  >;
};
