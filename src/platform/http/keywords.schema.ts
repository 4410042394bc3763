// JSON Schema keywords of this service.

/** Marks a body whose texts the ingest rules check, with messages of their own. */
export const TEXTS_AS_SENT = 'x-texts-as-sent';

/** Values that the OpenAPI document lists under `enum` for a parameter whose spelling the route treats leniently. */
export const DOCUMENTED_ENUM = 'x-documented-enum';
