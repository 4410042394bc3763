// The name, logo and accent color of the marketplace, as pages show them.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const BrandSchema = Type.Object({
  name: Type.String(),
  /** Such as `#0b6b62`; pages make readable shades of it. */
  accentColor: Type.String(),
  /** A data URL of a PNG or JPEG image. */
  logo: orNull(Type.String()),
});
export type Brand = Static<typeof BrandSchema>;
