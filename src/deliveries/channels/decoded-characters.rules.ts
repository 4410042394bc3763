// Reads which characters a text may stand for at a position: as they are, escaped as in JSON, percent-encoded, or as entities of XML, each
// also inside of another one. Positions are those of the text, counted in UTF-16 units.

export type Decoded = {
  readonly character: string;
  /** Where the next character begins. */
  readonly end: number;
};

/** JSON in a text of JSON in a form, say. */
const LAYERS = 3;

/** The first is the character as it is. Nothing at the end of the text. */
export function characterReader(text: string): (at: number) => readonly Decoded[] {
  const known = Array.from({ length: LAYERS + 1 }, () => new Map<number, readonly Decoded[]>());
  const read = (layer: number, at: number): readonly Decoded[] => {
    const before = known[layer]?.get(at);
    if (before !== undefined) return before;
    const found = layer === 0 ? literal(text, at) : escaped((position) => read(layer - 1, position), at);
    known[layer]?.set(at, found);
    return found;
  };
  return (at) => read(LAYERS, at);
}

type Read = (at: number) => readonly Decoded[];

function literal(text: string, at: number): Decoded[] {
  const code = text.codePointAt(at);
  if (code === undefined) return [];
  const character = String.fromCodePoint(code);
  return [{ character, end: at + character.length }];
}

/** What `read` finds, and what its characters stand for as an escape. */
function escaped(read: Read, at: number): readonly Decoded[] {
  const inner = read(at);
  const [first] = inner;
  if (first === undefined || !inner.some(({ character }) => isEscape(character))) return inner;
  const found = [...inner];
  for (const { character, end } of inner) {
    if (character === '\\') found.push(...afterBackslash(read, end));
    else if (character === '%') found.push(...afterPercent(read, end));
    else if (character === '&') found.push(...afterAmpersand(read, end));
    else if (character === '+') found.push({ character: ' ', end });
  }
  return found;
}

function isEscape(character: string): boolean {
  return character === '\\' || character === '%' || character === '&' || character === '+';
}

const SHORT: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};

function afterBackslash(read: Read, at: number): Decoded[] {
  return read(at).flatMap(({ character, end }) => {
    if (character !== 'u') return character in SHORT ? [{ character: SHORT[character] ?? character, end }] : [];
    const high = hexDigits(read, end, 4);
    if (high === null) return [];
    const low = high.value >= 0xd800 && high.value < 0xdc00 ? lowHalf(read, high.end) : null;
    return low === null
      ? [{ character: String.fromCharCode(high.value), end: high.end }]
      : [{ character: String.fromCharCode(high.value, low.value), end: low.end }];
  });
}

type Digits = { readonly value: number; readonly end: number };

function lowHalf(read: Read, at: number): Digits | null {
  const marks = endsOf(read, at, '\\').flatMap((end) => endsOf(read, end, 'u'));
  const halves = marks.map((mark) => hexDigits(read, mark, 4));
  return halves.find((half) => half !== null && half.value >= 0xdc00 && half.value < 0xe000) ?? null;
}

/** Where the character ends if it is there: a backslash that is escaped is one, too. */
function endsOf(read: Read, at: number, character: string): number[] {
  return read(at)
    .filter((one) => one.character === character)
    .map(({ end }) => end);
}

function hexDigits(read: Read, at: number, count: number): Digits | null {
  let value = 0;
  let end = at;
  for (let index = 0; index < count; index += 1) {
    const digit = read(end).find(({ character }) => /^[0-9a-fA-F]$/.test(character));
    if (digit === undefined) return null;
    value = value * 16 + parseInt(digit.character, 16);
    end = digit.end;
  }
  return { value, end };
}

/** Percent-encoded as UTF-8, or one byte as Latin-1. */
function afterPercent(read: Read, at: number): Decoded[] {
  const first = hexDigits(read, at, 2);
  if (first === null) return [];
  if (first.value < 0x80) return [{ character: String.fromCharCode(first.value), end: first.end }];
  const latin = { character: String.fromCharCode(first.value), end: first.end };
  const more = first.value >= 0xf0 ? 3 : first.value >= 0xe0 ? 2 : first.value >= 0xc2 ? 1 : 0;
  const bytes = [first.value];
  let end = first.end;
  while (bytes.length <= more) {
    const next = endsOf(read, end, '%')
      .map((mark) => hexDigits(read, mark, 2))
      .find((digits) => digits !== null && digits.value >= 0x80 && digits.value < 0xc0);
    if (next === undefined || next === null) return [latin];
    bytes.push(next.value);
    end = next.end;
  }
  const character = Buffer.from(bytes).toString('utf8');
  return more === 0 || character.includes('\ufffd') ? [latin] : [{ character, end }, latin];
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** `#x` and zeros before six digits. */
const ENTITY_LENGTH_MAX = 12;

function afterAmpersand(read: Read, at: number): Decoded[] {
  let name = '';
  let end = at;
  while (name.length < ENTITY_LENGTH_MAX) {
    const next = read(end).find(({ character }) => /^[#\w;]$/.test(character));
    if (next === undefined) return [];
    end = next.end;
    if (next.character === ';') break;
    name += next.character.toLowerCase();
  }
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  const character = NAMED[name] ?? (code <= 0x10_ffff ? String.fromCodePoint(code) : undefined);
  return character === undefined ? [] : [{ character, end }];
}
