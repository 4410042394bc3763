// The Link header of a page of a list: first, prev, next and last, each with the other query parameters kept (contract 1.4).

export type Page = { readonly page: number; readonly totalPages: number };

/** `url` as requested, path and query; the links are relative to the server. */
export function pageLinks(url: string, { page, totalPages }: Page): string {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  const last = Math.max(1, totalPages);
  const link = (to: number, rel: string): string => {
    query.set('page', String(to));
    return `<${encodeURI(path).replaceAll('%25', '%')}?${query.toString()}>; rel="${rel}"`;
  };
  return [
    link(1, 'first'),
    // From beyond the end back to where there is something.
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < totalPages ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}
