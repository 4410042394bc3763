// Reads a template as XML 1.0: where values stand in it, and the first place at which it is not well-formed.
import type { TemplateFault } from './expression.rules.ts';

/** Stands for each unit of an expression. XML has no such character. */
export const VALUE = '\uffff';

/** What a value stands in. */
export type XmlPlace = 'text' | 'attribute' | 'cdata' | 'comment';

export type XmlReading = {
  /** Text for a position that could not be read. */
  readonly placeAt: (offset: number) => XmlPlace;
  readonly fault: TemplateFault | null;
};

type Span = { readonly start: number; readonly end: number; readonly place: XmlPlace };
type Reader = {
  readonly text: string;
  at: number;
  readonly spans: Span[];
  /** Names of open elements, with where they begin. */
  readonly open: Array<{ readonly name: string; readonly at: number }>;
  hasRoot: boolean;
  hasTypes: boolean;
  fault: TemplateFault | null;
};

const MISPLACED = 'an expression in XML stands in text, in CDATA, or in the quotes of an attribute';
const DEPTH_MAX = 100;

const NAME = /[\p{L}_:][\p{L}\p{M}\p{N}_:.\-\u00b7]*/uy;
const SPACE = /[ \t\r\n]+/y;
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y;
const QUOTED = /"[^"]*"|'[^']*'/y;
const TYPES = /<!DOCTYPE(?:[^<>"'[\]]|"[^"]*"|'[^']*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\])*>/y;
const REFERENCE = /&(?:#(?:\d+|x[\da-fA-F]+)|([\p{L}_:][\p{L}\p{N}_:.-]*))?(;)?/gu;
const PREDEFINED: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}\uffff]/u;
const DECLARED = /^<\?xml[ \t\r\n]/;
const ENCODING = /\bencoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/;

/** Reads on after an error that leaves no doubt about what follows; reports the first. */
export function readXml(text: string): XmlReading {
  const reader: Reader = { text, at: 0, spans: [], open: [], hasRoot: false, hasTypes: false, fault: null };
  const illegal = text.search(NO_CHARACTER);
  if (illegal !== -1) fail(reader, illegal, 'XML has no such character');
  while (reader.at < text.length && readNext(reader)) continue;
  const unclosed = reader.open.at(-1);
  if (unclosed !== undefined) fail(reader, unclosed.at, `the element ${unclosed.name} is not closed`);
  if (!reader.hasRoot) fail(reader, 0, 'expected an XML element');
  const { spans, fault } = reader;
  return {
    fault,
    placeAt: (offset) => spans.find(({ start, end }) => start <= offset && offset < end)?.place ?? 'text',
  };
}

function fail(reader: Reader, offset: number, message: string): false {
  reader.fault ??= { offset, message };
  return false;
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const [found] = pattern.exec(reader.text) ?? [];
  if (found === undefined) return null;
  reader.at += found.length;
  return found;
}

/** False if what follows cannot be told. */
function readNext(reader: Reader): boolean {
  const { text, at } = reader;
  const starts = (mark: string): boolean => text.startsWith(mark, at);
  if (!starts('<')) return readText(reader);
  if (starts('<!--')) return readComment(reader);
  if (starts('<![CDATA[')) return readCdata(reader);
  if (starts('<?')) return readInstruction(reader);
  if (starts('<!')) return readTypes(reader);
  return starts('</') ? readEnd(reader) : readStart(reader);
}

function readText(reader: Reader): boolean {
  const { text, at: start, open } = reader;
  const next = text.indexOf('<', start);
  const end = next === -1 ? text.length : next;
  const part = text.slice(start, end);
  reader.at = end;
  if (open.length === 0) {
    const stray = part.search(/[^ \t\r\n]/);
    if (stray !== -1) fail(reader, start + stray, 'there is nothing but comments outside of the outermost element');
    return true;
  }
  reader.spans.push({ start, end, place: 'text' });
  const close = part.indexOf(']]>');
  if (close !== -1) fail(reader, start + close, ']]> closes nothing here: write ]]&gt;');
  checkReferences(reader, start, end);
  return true;
}

function checkReferences(reader: Reader, start: number, end: number): void {
  const part = reader.text.slice(start, end);
  for (const { index, 0: found, 1: name, 2: close } of part.matchAll(REFERENCE)) {
    if (found === '&' || close === undefined) fail(reader, start + index, 'an & that is no entity is written &amp;');
    else if (name !== undefined && !PREDEFINED.has(name) && !reader.hasTypes)
      fail(reader, start + index, `XML has no entity ${name}: write its number, as in &#160;`);
  }
}

/** To the end mark; null, and the rest is not read, if there is none. */
function takeUntil(
  reader: Reader,
  mark: string,
  begin: string,
): { readonly start: number; readonly end: number } | null {
  const from = reader.at;
  const start = from + begin.length;
  const end = reader.text.indexOf(mark, start);
  if (end === -1) {
    fail(reader, from, `${begin} is not closed with ${mark}`);
    return null;
  }
  reader.at = end + mark.length;
  return { start, end };
}

function readComment(reader: Reader): boolean {
  const found = takeUntil(reader, '-->', '<!--');
  if (found === null) return false;
  reader.spans.push({ ...found, place: 'comment' });
  const inside = reader.text.slice(found.start, found.end + 1).indexOf('--');
  if (inside !== -1) fail(reader, found.start + inside, 'a comment has no two hyphens in it');
  return true;
}

function readCdata(reader: Reader): boolean {
  const { at, open } = reader;
  const found = takeUntil(reader, ']]>', '<![CDATA[');
  if (found === null) return false;
  if (open.length === 0) fail(reader, at, 'there is nothing but comments outside of the outermost element');
  reader.spans.push({ ...found, place: 'cdata' });
  return true;
}

function readInstruction(reader: Reader): boolean {
  const { at } = reader;
  const found = takeUntil(reader, '?>', '<?');
  if (found === null) return false;
  const part = reader.text.slice(at, reader.at);
  if (part.includes(VALUE)) fail(reader, at + part.indexOf(VALUE), MISPLACED);
  if (!DECLARED.test(part)) return true;
  if (at > 0) fail(reader, at, 'the XML declaration stands at the very beginning');
  const [, double, single] = ENCODING.exec(part) ?? [];
  const encoding = double ?? single;
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    fail(reader, at + part.indexOf('encoding'), 'the body is sent in UTF-8: write encoding="UTF-8", or leave it out');
  }
  return true;
}

function readTypes(reader: Reader): boolean {
  const { at, hasRoot } = reader;
  const found = take(reader, TYPES);
  if (found === null) return fail(reader, at, 'expected an element, a comment, CDATA or a DOCTYPE that is closed');
  if (found.includes(VALUE)) fail(reader, at + found.indexOf(VALUE), MISPLACED);
  if (hasRoot) fail(reader, at, 'the DOCTYPE stands before the outermost element');
  reader.hasTypes = true;
  return true;
}

function readEnd(reader: Reader): boolean {
  const { at } = reader;
  reader.at += 2;
  const name = take(reader, NAME);
  if (name === null) return fail(reader, reader.at, nameFault(reader));
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) !== '>') return fail(reader, reader.at, 'expected >');
  reader.at += 1;
  const opened = reader.open.pop();
  if (opened?.name === name) return true;
  const expected = opened === undefined ? 'no element is open' : `the element ${opened.name} is open`;
  return fail(reader, at, `</${name}> closes nothing: ${expected}`);
}

function nameFault({ text, at }: Reader): string {
  return text.charAt(at) === VALUE ? MISPLACED : 'expected the name of an element; a < in text is written &lt;';
}

function readStart(reader: Reader): boolean {
  const { at } = reader;
  reader.at += 1;
  const name = take(reader, NAME);
  if (name === null) return fail(reader, reader.at, nameFault(reader));
  if (reader.open.length === 0 && reader.hasRoot) fail(reader, at, 'there is one outermost element');
  if (reader.open.length >= DEPTH_MAX) return fail(reader, at, 'is nested too deeply');
  reader.hasRoot = true;
  const seen = new Set<string>();
  for (;;) {
    const hasSpace = take(reader, SPACE) !== null;
    if (reader.text.startsWith('/>', reader.at)) {
      reader.at += 2;
      return true;
    }
    if (reader.text.charAt(reader.at) === '>') {
      reader.at += 1;
      reader.open.push({ name, at });
      return true;
    }
    if (!readAttribute(reader, { seen, hasSpace, element: name })) return false;
  }
}

type Tag = { readonly seen: Set<string>; readonly hasSpace: boolean; readonly element: string };

function readAttribute(reader: Reader, { seen, hasSpace, element }: Tag): boolean {
  const { at, text } = reader;
  if (text.charAt(at) === VALUE) return fail(reader, at, MISPLACED);
  const name = take(reader, NAME);
  if (name === null) return fail(reader, at, `the tag of ${element} is not closed with >`);
  if (!hasSpace) fail(reader, at, 'a blank stands before an attribute');
  if (seen.has(name)) fail(reader, at, `the attribute ${name} stands here for the second time`);
  seen.add(name);
  if (take(reader, EQUALS) === null) return fail(reader, reader.at, `expected = after the attribute ${name}`);
  const begin = reader.at;
  const quoted = take(reader, QUOTED);
  if (quoted === null) {
    const isValue = text.charAt(begin) === VALUE;
    return fail(reader, begin, isValue ? MISPLACED : 'the value of an attribute stands in quotes that are closed');
  }
  reader.spans.push({ start: begin + 1, end: reader.at - 1, place: 'attribute' });
  const less = quoted.indexOf('<');
  if (less !== -1) fail(reader, begin + less, 'a < in an attribute is written &lt;');
  checkReferences(reader, begin + 1, reader.at - 1);
  return true;
}
