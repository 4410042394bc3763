import { describe, expect, it } from 'vitest';

import { pdfText } from './pdf-text.rules.ts';

describe('pdfText', () => {
  it.each([
    ['Summit Debt Relief', 'Summit Debt Relief'],
    ['Zoë Nuñez & Söhne – “Ltd.” €5', 'Zoë Nuñez & Söhne – “Ltd.” €5'],
    // Written with a combining mark.
    ['Zoe\u0308', 'Zoë'],
    ['Łódź Ĝardeno', '?ódz Gardeno'],
    ['李 علي', '? ???'],
    ['a😀b', 'a?b'],
    ['a\u0000\n\tb', 'a???b'],
    ['ﬁne ½', 'fine ½'],
    ['\u202eevil', '?evil'],
    ['\ud800', '?'],
    ['', ''],
  ])('turns %j into %j', (text, shown) => {
    expect(pdfText(text)).toBe(shown);
  });
});
