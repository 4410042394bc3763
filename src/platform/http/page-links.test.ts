import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pageLinks } from './page-links.ts';

describe('The Link header', () => {
  it.each([
    ['/list', 1, 0, '</list?page=1>; rel="first", </list?page=1>; rel="last"'],
    ['/list', 1, 1, '</list?page=1>; rel="first", </list?page=1>; rel="last"'],
    ['/list', 1, 3, '</list?page=1>; rel="first", </list?page=2>; rel="next", </list?page=3>; rel="last"'],
    [
      '/list?page=2&pageSize=5',
      2,
      3,
      '</list?page=1&pageSize=5>; rel="first", </list?page=1&pageSize=5>; rel="prev", </list?page=3&pageSize=5>; rel="next", </list?page=3&pageSize=5>; rel="last"',
    ],
    ['/list?page=9', 9, 3, '</list?page=1>; rel="first", </list?page=3>; rel="prev", </list?page=3>; rel="last"'],
    ['/list?page=9', 9, 0, '</list?page=1>; rel="first", </list?page=1>; rel="prev", </list?page=1>; rel="last"'],
    [
      '/list?status=a%22%3E%3Cb&x',
      1,
      1,
      '</list?status=a%22%3E%3Cb&x=&page=1>; rel="first", </list?status=a%22%3E%3Cb&x=&page=1>; rel="last"',
    ],
  ])('of %s, page %i of %i', (url, page, totalPages, expected) => {
    expect(pageLinks(url, { page, totalPages })).toBe(expected);
  });

  it('contains only characters that a header allows, for any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const links = pageLinks(`/list?${query}`, { page: 2, totalPages: 3 });
        expect(links).toMatch(/^[\x20-\x7e]*$/);
        expect(links.match(/[<>]/g)).toHaveLength(8);
      }),
    );
  });
});
