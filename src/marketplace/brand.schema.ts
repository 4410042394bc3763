// The name, logo and accent color of the marketplace, as pages, mails and documents show them.
import { type Static, Type } from 'typebox';

import type { Shades } from '../base/accent-shades.ts';
import { orNull } from '../platform/http/values.schema.ts';

export const BrandSchema = Type.Object({
  name: Type.String(),
  /** Ten readable shades of the accent color, from pale to dark. */
  shades: Type.Unsafe<Shades>(Type.Array(Type.String(), { minItems: 10, maxItems: 10 })),
  /** A data URL of a PNG or JPEG image. */
  logo: orNull(Type.String()),
  /** Whom partners and suppliers ask for help. */
  helpEmail: orNull(Type.String()),
});
/** Of the pages. */
export type PageBrand = Static<typeof BrandSchema>;
/** Of mails and documents, which name other addresses. */
export type Brand = Omit<PageBrand, 'helpEmail'>;
