// Values that many schemas are made of.
import { type TSchema, Type } from 'typebox';

import type { JsonValue } from '../../base/json-value.ts';

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Any JSON, such as what a lead brought along or what a member of the configuration was before. */
export const JsonValueSchema = Type.Unsafe<JsonValue>(Type.Unknown());
