// Value schemas that many schemas share.
import { type TSchema, Type } from 'typebox';

import type { JsonValue } from '../../base/json.ts';

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Any JSON, such as a lead's extra members or the previous value of a configuration member. */
export const JsonValueSchema = Type.Unsafe<JsonValue>(Type.Unknown());
