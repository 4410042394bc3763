import { describe, expect, it } from 'vitest';

import { preferredForm } from './media-type.rules.ts';

describe('preferredForm', () => {
  it.each([
    [undefined, 'pdf'],
    ['', 'pdf'],
    ['*/*', 'pdf'],
    ['application/pdf', 'pdf'],
    ['text/html', 'html'],
    ['TEXT/HTML;charset=utf-8', 'html'],
    // A browser's.
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'html'],
    ['text/html;q=0.5, application/pdf', 'pdf'],
    ['text/html, application/pdf', 'pdf'],
    ['application/pdf;q=0.9, text/html', 'html'],
    ['text/*', 'html'],
    ['text/*, text/html;q=0, */*;q=0.1', 'pdf'],
    ['*/*;q=0.5, application/pdf;q=0.1', 'html'],
    ['application/*;q=0.9, text/html;q=0.3', 'pdf'],
    ['text/html;level=1;q=0.2, */*;q=0.1', 'html'],
    ['application/json', 'pdf'],
    ['text/html;q=much', 'html'],
    [', ;q=1,text/html;', 'html'],
  ] as const)('chooses for Accept %s: %s', (accept, form) => {
    expect(preferredForm(accept)).toBe(form);
  });
});
