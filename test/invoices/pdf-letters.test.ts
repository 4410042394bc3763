// Names of many scripts in PDFs: every character is drawn and can be copied, and a character that no font has is found before.
import { describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import { findUnprintable, unprintableNote } from '../../src/invoices/find-unprintable.ts';
import type { InvoiceDocument } from '../../src/invoices/invoice-document.rules.ts';
import { invoicePdf } from '../../src/invoices/invoice-pdf.ts';
import { pdfText } from '../support/pdf-text.ts';

const brand = { name: 'Lead Desk', shades: accentShades('#0b6b62'), logo: null };

/** A company in each script, with letters that are joined, stacked, reordered or composed. */
const NAMES: Readonly<Record<string, string>> = {
  'Latin of Poland': 'Żółć i Gęśl Sp. z o.o.',
  'Latin of Vietnam': 'Công ty Trách nhiệm Hữu hạn Đường Nguyễn',
  'Latin of Turkey and Azerbaijan': 'İğdır Şirkəti',
  'Latin of Africa': 'Ɖɔkɔɛ Ŋŋɔ ẹ́gbẹ́',
  'Latin with ligatures and fractions': 'ﬁne ½″ №5 ‰',
  Greek: 'Ἑλληνικὴ Ἑταιρεία Ωάΐ',
  'Cyrillic of Ukraine': 'Ґанок і Їжак',
  'Cyrillic of Serbia and Kazakhstan': 'Љубљана Қазақ Өзбек',
  Armenian: 'Հայկական ընկերություն և որդիներ',
  Georgian: 'ქართული კომპანია',
  Hebrew: 'חברה בע״מ שָׁלוֹם',
  Yiddish: 'ייִדישע פֿירמע',
  Arabic: 'شركة محمد للتجارة والتسويق',
  Persian: 'شرکت می‌خواهم پژوهش گچ',
  Urdu: 'کمپنی ٹیکسٹائل ڈھاکہ',
  Syriac: 'ܣܘܪܝܝܐ',
  Thaana: 'ދިވެހި',
  Devanagari: 'क्षत्रिय हिन्दी फ़र्म लिमिटेड',
  Bengali: 'বাংলাদেশ কোম্পানি শ্রী',
  Gurmukhi: 'ਪੰਜਾਬੀ ਕੰਪਨੀ ਲਿਮਟਿਡ',
  Gujarati: 'ગુજરાતી કંપની લિમિટેડ',
  Oriya: 'ଓଡ଼ିଆ କୋମ୍ପାନୀ',
  Tamil: 'தமிழ் நிறுவனம் கொடு',
  Telugu: 'తెలుగు శ్రీ కంపెనీ',
  Kannada: 'ಕನ್ನಡ ಕೊ ಕಂಪನಿ',
  Malayalam: 'മലയാളം കൊ ന്റെ',
  Sinhala: 'සිංහල ශ්‍රී සමාගම',
  Thai: 'บริษัท ไทยน้ำ จำกัด',
  Lao: 'ບໍລິສັດ ລາວ ຈໍາກັດ',
  Khmer: 'ក្រុមហ៊ុន ខ្មែរ',
  Burmese: 'မြန်မာ ကြောင်း ကုမ္ပဏီ',
  Tibetan: 'བོད་ཡིག',
  Mongolian: 'ᠮᠣᠩᠭᠣᠯ',
  Ethiopic: 'አማርኛ ኩባንያ',
  Tifinagh: 'ⵜⴰⵎⴰⵣⵉⵖⵜ',
  Cherokee: 'ᏣᎳᎩ',
  'Canadian syllabics': 'ᐃᓄᒃᑎᑐᑦ',
  Hangul: '주식회사 한국 뷁',
  Japanese: '株式会社ひらがなカタカナー',
  'Simplified Chinese': '有限责任公司（深圳）',
  'Traditional Chinese': '有限責任公司 東北國龍',
  'Chinese of Hong Kong': '嘅啲咗',
  Bopomofo: 'ㄅㄆㄇ',
  Javanese: 'ꦗꦮ',
  'several scripts': 'Łódź Ромашка 株式会社 Đường',
};

function documentWith(part: Partial<InvoiceDocument>): InvoiceDocument {
  return {
    ...{ title: 'Invoice INV-2026-000001', number: 'INV-2026-000001', author: 'Lead Marketplace', stamp: null },
    ...{ parties: [], facts: [], tables: [], totals: [], notes: [], issuedAt: new Date('2026-11-02T02:00:00.000Z') },
    ...part,
  };
}

const billedTo = (...lines: string[]): InvoiceDocument => documentWith({ parties: [{ label: 'Billed to', lines }] });

describe('A PDF', () => {
  it.each(Object.entries(NAMES))(
    'shows a name in %s, in bold and in regular letters, as text that can be copied',
    async (_script, name) => {
      const text = pdfText(await invoicePdf(billedTo(name, name), brand));
      expect(text.split('\n').filter((line) => line === name.normalize('NFC'))).toHaveLength(2);
      expect(text).not.toContain('\ufffd');
    },
  );

  it('stays small, whatever fonts it needs', async () => {
    const sizes = await Promise.all(
      [['Summit'], ['株式会社 東北國龍'], ['ᏣᎳᎩ'], Object.values(NAMES)].map(
        async (names) => (await invoicePdf(billedTo(...names), brand)).length,
      ),
    );
    for (const size of sizes.slice(0, 3)) expect(size).toBeLessThan(20_000);
    expect(sizes[3]).toBeLessThan(150_000);
  });

  it('returns the same bytes for the same names in a process that has printed others', async () => {
    const once = await invoicePdf(billedTo('شركة محمد', '한국'), brand);
    await invoicePdf(billedTo('محمد شركة', '국한', 'Ромашка'), brand);
    expect((await invoicePdf(billedTo('شركة محمد', '한국'), brand)).equals(once)).toBe(true);
  });

  it('reads numbers and Latin words in a name from right to left in their own direction', async () => {
    const text = pdfText(await invoicePdf(billedTo('חברה 2024 Ltd בע״מ'), brand));
    // From left to right on the page.
    expect(text).toMatch(/בע״מ\s*Ltd\s*2024\s*חברה/);
  });

  it('drops marks that would turn a text around, and joins lines of a name', async () => {
    const text = pdfText(await invoicePdf(billedTo('\u202eSummit\u202c\u200f\nDebt\tRelief', 'a\u0000b'), brand));
    expect(text).toContain('Summit Debt Relief');
    expect(text).toContain('a\ufffdb');
  });

  it('breaks lines of languages without blanks inside of the page, and loses nothing', async () => {
    const long = { Japanese: '株式会社東京国際貿易開発', Thai: 'บริษัทไทยน้ำจำกัดมหาชน', Hebrew: 'חברה בעמ ' };
    for (const part of Object.values(long)) {
      const text = pdfText(await invoicePdf(documentWith({ notes: [part.repeat(30)] }), brand));
      const lines = text.split('\n').filter((line) => line.includes(part.slice(0, 2)));
      expect(lines.length).toBeGreaterThan(2);
      expect(lines.join('').replaceAll(' ', '')).toBe(part.repeat(30).replaceAll(' ', ''));
    }
  });
});

describe('Names that PDFs cannot show', () => {
  it('are found before a document is issued, with their characters', async () => {
    const parties = [
      { owner: 'the marketplace', texts: ['Lead Desk', 'Київ'] },
      { owner: 'partner a', texts: ['Zoë', 'Street 😀 5 😀🚀'] },
      { owner: 'partner b', texts: ['مرحبا'] },
    ];
    const found = await findUnprintable(parties);
    expect(found).toEqual([{ owner: 'partner a', text: 'Street 😀 5 😀🚀', characters: '😀🚀' }]);
    expect(unprintableNote(found)).toBe('PDFs cannot show all characters of partner a ("Street 😀 5 😀🚀": 😀🚀)');
    expect(
      unprintableNote(Array.from({ length: 5 }, () => found[0] ?? { owner: '', text: '', characters: '' })),
    ).toMatch(/ and 2 more$/);
    expect(pdfText(await invoicePdf(billedTo('a😀b'), brand))).toContain('a\ufffdb');
  });

  it('are none in the letters of the Basic Multilingual Plane, but for five rare ideographs', async () => {
    const letters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
      /\p{L}/u.test(one),
    );
    const found = await findUnprintable([{ owner: 'all', texts: [letters.join(' ')] }]);
    expect(letters.length).toBeGreaterThan(48_000);
    expect([...(found[0]?.characters ?? '')]).toHaveLength(5);
  });
});
