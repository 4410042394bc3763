// The query of the CSV file of a list.
import { type Static, Type } from 'typebox';

import { csvFileQuery } from '../platform/http/csv-file.schema.ts';

export const ListExportParams = Type.Object({ list: Type.String({ maxLength: 40 }) });

export const ListExportQuerySchema = Type.Object({
  /** The query of the list's own route; empty without filters. */
  query: Type.Optional(Type.String({ minLength: 0, maxLength: 4000 })),
  /** Keys of the table's columns, comma-separated; all by default. Columns without data, such as buttons, are left out. */
  columns: Type.Optional(Type.String({ maxLength: 1000 })),
  /** Ids of rows, comma-separated, of the page that the query names or of later ones; all rows of all pages by default. */
  ids: Type.Optional(Type.String({ maxLength: 12_000 })),
  ...csvFileQuery,
});
export type ListExportQuery = Static<typeof ListExportQuerySchema>;
