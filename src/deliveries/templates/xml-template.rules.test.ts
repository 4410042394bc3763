import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { exampleFields } from '../../../test/support/parcels.ts';
import { saleExample } from '../delivery.schema.ts';
import { REQUEST_LENGTH_MAX } from './compile-template.rules.ts';
import { compileXml, findXmlFault } from './xml-template.rules.ts';

function rendered(template: string, fullName: string): string {
  const compiled = compileXml(template, { ownFields: null });
  if (!compiled.ok) throw new Error(compiled.fault.message);
  const delivery = { ...saleExample, lead: { ...saleExample.lead, fullName } };
  const input = { delivery, fields: exampleFields, own: {}, partnerKey: 'summit', isTest: false, secrets: null };
  return compiled.render({
    input,
    problems: new Set(),
    hidden: new Set(),
    isSecretMissing: false,
    room: REQUEST_LENGTH_MAX,
  });
}

const NAME = '{{ lead.fullName }}';

/** As a reader does it: a section has no entities, and ends at the first `]]>`. */
function textOf(xml: string): string {
  return [...xml.matchAll(/<!\[CDATA\[([^]*?)\]\]>|<[^>]*>|&#(\d+);|&(\w+);|[^<&]+/g)]
    .map(([all, section, number, name]) => {
      if (section !== undefined) return section;
      if (number !== undefined) return String.fromCodePoint(Number(number));
      if (name !== undefined) return { amp: '&', lt: '<', gt: '>', quot: '"' }[name] ?? '?';
      return all.startsWith('<') ? '' : all;
    })
    .join('');
}

describe('A value in XML', () => {
  it.each([
    ['text', `<n>${NAME}</n>`, `O'Neil & <Söhne> "x"`, '<n>O&#39;Neil &amp; &lt;Söhne&gt; &quot;x&quot;</n>'],
    ['CDATA', `<n><![CDATA[${NAME}]]></n>`, `O'Neil & <Söhne>`, `<n><![CDATA[O'Neil & <Söhne>]]></n>`],
    ['CDATA with its end', `<n><![CDATA[${NAME}]]></n>`, 'a]]>b', '<n><![CDATA[a]]]]><![CDATA[>b]]></n>'],
    [
      'CDATA before a bracket of the template',
      `<n><![CDATA[${NAME}>]]></n>`,
      'a]]',
      '<n><![CDATA[a]]]]><![CDATA[>]]></n>',
    ],
    [
      'CDATA behind brackets of the template',
      `<n><![CDATA[a]]${NAME}]]></n>`,
      '>b',
      '<n><![CDATA[a]]]]><![CDATA[>b]]></n>',
    ],
    ['an attribute', `<n v="${NAME}"/>`, 'a\tb\nc\r\n"d"', '<n v="a&#9;b&#10;c&#13;&#10;&quot;d&quot;"/>'],
    ['an attribute in single quotes', `<n v='${NAME}'>${NAME}</n>`, "'\n", "<n v='&#39;&#10;'>&#39;\n</n>"],
    ['text with line breaks', `<n>${NAME}</n>`, 'a\r\nb', '<n>a&#13;\nb</n>'],
    ['CDATA with a carriage return', `<n><![CDATA[${NAME}]]></n>`, 'a\rb', '<n><![CDATA[a]]>&#13;<![CDATA[b]]></n>'],
    ['a comment', `<n><!-- ${NAME}--></n>`, 'a--b-', '<n><!-- a- -b- --></n>'],
    [
      'text behind CDATA and comments',
      `<n><![CDATA[&]]><!-- < -->${NAME}</n>`,
      '&',
      '<n><![CDATA[&]]><!-- < -->&amp;</n>',
    ],
    ['two values beside each other in CDATA', `<n><![CDATA[${NAME}${NAME}]]></n>`, ']>', `<n><![CDATA[]>]>]]></n>`],
    ['no form', `<n>${NAME}</n>`, 'a\u0000\ufffe😀', '<n>a😀</n>'],
    ['a template that is not well-formed', `<n>${NAME}`, '&', '<n>&amp;'],
  ])('in %s', (_where, template, value, xml) => {
    expect(rendered(template, value)).toBe(xml);
  });

  it('is read back as it was, from text and from CDATA, whatever it is', () => {
    const values = fc.string({
      unit: fc.constantFrom('a', ']', '>', '<', '&', '-', '\r', '\n', '"', '😀', 'amp;', ']]>'),
      maxLength: 20,
    });
    const sections = fc.constantFrom(
      `<![CDATA[${NAME}]]>`,
      `<![CDATA[a]]${NAME}>]]]>`,
      `<![CDATA[${NAME}${NAME}]]>`,
      NAME,
      `]${NAME}`,
    );
    fc.assert(
      fc.property(values, sections, (value, section) => {
        const plain = section.replace(/^<!\[CDATA\[([^]*)\]\]>$/, '$1').replaceAll(NAME, () => value);
        expect(textOf(rendered(`<n>${section}</n>`, value))).toBe(plain);
      }),
    );
  });
});

describe('An XML template', () => {
  it.each([
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- lead -->\n<a:b xmlns:a="urn:x"  c='d>"'><e/>{{ lead.fullName }}<f g="{{ lead.phone }}" /></a:b >\n`,
    '<!DOCTYPE lead [ <!ENTITY x "<y>"> ]><lead>&x;</lead>',
    '<a>{{ lead.fullName | default: "<b>" }}<![CDATA[<c>{{ lead.email }}]]>&#160;&amp;&#xA0;</a>',
    '<имя>{{ lead.fullName }}</имя>',
    '<a><?pi x?></a>',
  ])('that is well-formed is taken: %j', (template) => expect(findXmlFault(template)).toBe(null));

  it.each([
    ['<a><b></a>', 6, '</a> closes nothing: the element b is open'],
    ['<a>\n  <b>', 6, 'the element b is not closed'],
    ['<a/><b/>', 4, 'there is one outermost element'],
    ['<a/> x', 5, 'there is nothing but comments outside of the outermost element'],
    ['{{ lead.fullName }}', 0, 'there is nothing but comments outside of the outermost element'],
    ['<a>{{ lead.fullName }}</b>', 22, '</b> closes nothing: the element a is open'],
    ['<a b="1" b="2"/>', 9, 'the attribute b stands here for the second time'],
    ['<a b=1/>', 5, 'the value of an attribute stands in quotes that are closed'],
    ['<a b="1"c="2"/>', 8, 'a blank stands before an attribute'],
    ['<a b={{ lead.phone }}/>', 5, 'an expression in XML stands in text, in CDATA, or in the quotes of an attribute'],
    ['<{{ lead.phone }}/>', 1, 'an expression in XML stands in text, in CDATA, or in the quotes of an attribute'],
    ['<a {{ lead.phone }}/>', 3, 'an expression in XML stands in text, in CDATA, or in the quotes of an attribute'],
    ['<a b="<"/>', 6, 'a < in an attribute is written &lt;'],
    ['<a>1 < 2</a>', 6, 'expected the name of an element; a < in text is written &lt;'],
    ['<a>B&B</a>', 4, 'an & that is no entity is written &amp;'],
    ['<a b="x&y"/>', 7, 'an & that is no entity is written &amp;'],
    ['<a>a&nbsp;b</a>', 4, 'XML has no entity nbsp: write its number, as in &#160;'],
    ['<a><![CDATA[x]]</a>', 3, '<![CDATA[ is not closed with ]]>'],
    ['<a>]]></a>', 3, ']]> closes nothing here: write ]]&gt;'],
    ['<a><!-- x -- y --></a>', 10, 'a comment has no two hyphens in it'],
    [' <?xml version="1.0"?><a/>', 1, 'the XML declaration stands at the very beginning'],
    [
      '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
      20,
      'the body is sent in UTF-8: write encoding="UTF-8", or leave it out',
    ],
    ['<a', 2, 'the tag of a is not closed with >'],
    ['<a>\u0001</a>', 3, 'XML has no such character'],
    ['', 0, 'expected an XML element'],
  ])('%j is rejected at %i', (template, offset, message) => {
    expect(findXmlFault(template)).toEqual({ offset, message });
  });
});
