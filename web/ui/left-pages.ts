// How pages with filters were left, so that links back to a list find it as it was.
import type { HistoryState } from '@tanstack/react-router';

type Left = { readonly search: Record<string, string>; readonly filters: NonNullable<HistoryState['filters']> };

/** By path; a sign-out loads the document anew and so clears it. */
const left = new Map<string, Left>();

export function noteLeft({
  pathname,
  search,
  state,
}: {
  readonly pathname: string;
  readonly search: object;
  readonly state: HistoryState;
}): void {
  const { filters = {} } = state;
  if (Object.keys(search).length === 0 && Object.keys(filters).length === 0) left.delete(pathname);
  else left.set(pathname, { search: search as Record<string, string>, filters });
}

/** As the page was left last; without filters if it was not open yet. */
export function leftAt(pathname: string): Left {
  return left.get(pathname) ?? { search: {}, filters: {} };
}
