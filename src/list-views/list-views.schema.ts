// The saved views of the lists in the portal and the console.
import { type Static, Type } from 'typebox';

const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '^\\S(.*\\S)?$' });
const ListName = Type.String({ maxLength: 40, pattern: '^[a-z][a-z-]*$' });
/** What `URLSearchParams` writes: no address fits. */
const Query = Type.String({ maxLength: 1000, pattern: '^[A-Za-z0-9_.*%+=&~-]*$' });
const HiddenColumns = Type.Array(Type.String({ maxLength: 60, pattern: '^[A-Za-z0-9_.-]+$' }), { maxItems: 60 });

export const ListViewSchema = Type.Object({
  id: Type.String(),
  list: Type.String(),
  name: Type.String(),
  query: Type.String(),
  hiddenColumns: Type.Array(Type.String()),
});
export type ListView = Static<typeof ListViewSchema>;

export const ListViewsSchema = Type.Object({ data: Type.Array(ListViewSchema) });
export type ListViews = Static<typeof ListViewsSchema>;

export const NewListViewSchema = Type.Object({
  list: ListName,
  name: Name,
  query: Query,
  hiddenColumns: HiddenColumns,
  replaces: Type.Boolean(),
});
export type NewListView = Static<typeof NewListViewSchema>;

export const ListViewNameSchema = Type.Object({ name: Name });
export type ListViewName = Static<typeof ListViewNameSchema>;

export const ListViewParams = Type.Object({ viewId: Type.String() });
