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
});
export type Brand = Static<typeof BrandSchema>;
