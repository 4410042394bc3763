// Pagination by number: the page members of a response, and the Link header with first, previous, next and last page (contract 1.4).

export type Page = { readonly page: number; readonly totalPages: number };

type Counted = { readonly page: number; readonly pageSize: number; readonly total: number };

/** Members of the response. */
export function pageMembers({ page, pageSize, total }: Counted): Counted & Page {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}

/** `url` is the requested path and query, of which only the page is replaced; the links are relative to the server. */
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
    // A page beyond the end links back to the last one.
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < totalPages ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}
