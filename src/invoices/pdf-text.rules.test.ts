import { describe, expect, it } from 'vitest';

import { judgeLetters, pdfText } from './pdf-text.rules.ts';

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

describe('judgeLetters', () => {
  const of = (...names: string[]) =>
    judgeLetters(names.map((name, index) => ({ owner: `p${index}`, texts: ['A', name] })));

  it.each([
    [['Summit', 'Zoë Nuñez?'], false, 'enough for all names and addresses'],
    [['Summit', 'Ĝardeno'], false, 'accents are left out in PDFs for p1 ("Ĝardeno" becomes "Gardeno")'],
    [['Ĝardeno', 'Łódź'], true, 'PDFs cannot show names or addresses of p1 ("Łódź" becomes "?ódz")'],
    [['李', '李', '李', '李', '李'], true, 'p2 ("李" becomes "?") and 2 more'],
  ])('of %j', (names, warning, said) => {
    const judged = of(...names);
    expect([judged.ok, judged.warning]).toEqual([true, warning]);
    expect(judged.detail).toContain(said);
  });
});
