// Schemas of the query and the response of the console's lists, which are paged by number and searched by words.
import { type TSchema, Type } from 'typebox';

export const PAGE_SIZE = 50;

/** Members of the query's schema; each list adds its own filters. */
export const pagedQuery = {
  search: Type.Optional(Type.String({ maxLength: 200 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: PAGE_SIZE })),
};

export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({
    data: Type.Array(row),
    page: Type.Integer(),
    pageSize: Type.Integer(),
    total: Type.Integer(),
  });
}
