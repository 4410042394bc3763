// Compiles the template of an XML body: values are escaped by where they stand, in text, in an attribute, in CDATA or in a comment, and the
// template is checked to be well-formed (contract 13.1).
import { escapeHtml } from '../../base/escape-html.ts';
import { type Compiled, compilePieces, type Escape } from './compile-template.rules.ts';
import { parsePieces, type Piece, type TemplateFault } from './expression.rules.ts';
import type { KnownNames } from './names.rules.ts';
import { readXml, VALUE, type XmlPlace } from './read-xml.rules.ts';

/** A template that is not well-formed renders, too: `findXmlFault` rejects it where it is saved. */
export function compileXml(template: string, known: KnownNames): Compiled<string> {
  const parsed = parsePieces(template);
  if (!parsed.ok) return parsed;
  const { placeAt } = readXml(withoutValues(template, parsed.value));
  let at = 0;
  let before = '';
  const escapes = parsed.value.map((piece): Escape => {
    if (piece.kind === 'text') {
      at = piece.offset + piece.text.length;
      before = piece.text;
      return asIs;
    }
    const isBehindBracket = before.endsWith(']');
    before = '';
    const place = placeAt(at);
    return place === 'cdata' && isBehindBracket ? cdataBehindBracket : ESCAPES[place];
  });
  return compilePieces(parsed.value, { known, escapeAt: (index) => escapes[index] ?? xmlText, literal: asIs });
}

/** The first error of a template whose expressions are right. */
export function findXmlFault(template: string): TemplateFault | null {
  const parsed = parsePieces(template);
  return parsed.ok ? readXml(withoutValues(template, parsed.value)).fault : null;
}

const asIs: Escape = (text) => text;

/** Of the same length, with a mark in the place of each unit of an expression. */
function withoutValues(template: string, pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text = text.padEnd(piece.offset, VALUE) + piece.text.replaceAll(VALUE, '\u0000');
  }
  return text.padEnd(template.length, VALUE);
}

const ESCAPES: Readonly<Record<XmlPlace, Escape>> = { text: xmlText, attribute: xmlAttribute, cdata, comment };

/** Without the characters that XML 1.0 does not allow in any form. */
function allowed(text: string): string {
  return text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

/** A reader turns a carriage return that stands as it is into a line feed. */
function xmlText(text: string): string {
  return escapeHtml(allowed(text)).replaceAll('\r', '&#13;');
}

/** A reader turns white space that stands as it is into blanks. */
function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

const REOPENED = ']]><![CDATA[';

/** As it is: a reader expands nothing here. The section is closed and opened again where its end would stand, also together with what is beside it. */
function cdata(text: string): string {
  return allowed(text)
    .replaceAll(']]>', `]]${REOPENED}>`)
    .replaceAll('\r', ']]>&#13;<![CDATA[')
    .replace(/(?<=\])$/, REOPENED);
}

/** Also for a value that is empty, with the rest of the end behind it. */
function cdataBehindBracket(text: string): string {
  return REOPENED + cdata(text);
}

/** Two hyphens would end it. */
function comment(text: string): string {
  return allowed(text)
    .replaceAll(/-(?=-)/g, '- ')
    .replace(/^(?=[->])/, ' ')
    .replace(/(?<=-)$/, ' ');
}
