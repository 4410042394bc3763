// Keywords of schemas that only this service knows.

/** Of a body whose texts are read by the rules of ingest, which have their own words for them. */
export const TEXTS_AS_SENT = 'x-texts-as-sent';

/** Values that the document lists under `enum`, of a parameter whose spelling the route itself is lenient about. */
export const DOCUMENTED_ENUM = 'x-documented-enum';
