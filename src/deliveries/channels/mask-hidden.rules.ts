// Masks secrets in texts of a partner's response, however the response escapes them when it echoes them (contract 13.3).
import { LRUCache } from 'lru-cache';

import { HIDDEN } from '../templates/compile-template.rules.ts';
import { characterReader, type Decoded } from './decoded-characters.rules.ts';

/** Shorter parts of a secret tell nothing and stand in any text. */
const LENGTH_MIN = 4;

/** @param most UTF-16 units of masked text after which the rest is left out: a caller that shows the begin only need not wait for the rest. */
export function maskHidden(text: string, hidden: readonly string[], most = Infinity): string {
  const wanted = hidden
    .filter(({ length }) => length >= LENGTH_MIN)
    .flatMap(spellingsOf)
    // A text that is made of another one is longer, or does not contain it.
    .toSorted((left, right) => right.length - left.length)
    .map((characters) => ({ characters, tried: new Set<number>() }));
  if (wanted.length === 0) return text;
  const read = characterReader(text);
  let masked = '';
  let at = 0;
  while (at < text.length && masked.length < most) {
    const end = endOfAny(read, at, wanted);
    if (end === null) masked += text.charAt(at);
    else masked += HIDDEN;
    at = end ?? at + 1;
  }
  return masked;
}

type Wanted = {
  readonly characters: readonly string[];
  /** Positions of the text and of the spelling that led nowhere: none is tried twice, whatever the text repeats. */
  readonly tried: Set<number>;
};
type Read = (at: number) => readonly Decoded[];

/** Where a spelling ends that begins at this position in any escapes; null if none does. */
function endOfAny(read: Read, at: number, wanted: readonly Wanted[]): number | null {
  const starts = read(at);
  for (const { characters, tried } of wanted) {
    if (!starts.some(({ character }) => character === characters[0])) continue;
    const end = endOf(read, at, { characters, tried });
    if (end !== null) return end;
  }
  return null;
}

function endOf(read: Read, start: number, { characters, tried }: Wanted): number | null {
  const open: Array<readonly [at: number, index: number]> = [[start, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, index] = next;
    if (index === characters.length) return at;
    const key = at * characters.length + index;
    if (tried.has(key)) continue;
    tried.add(key);
    for (const { character, end } of read(at)) if (character === characters[index]) open.push([end, index + 1]);
  }
  return null;
}

/** Secrets change rarely: their spellings are made once. */
const spellings = new LRUCache<string, ReadonlyArray<readonly string[]>>({ max: 5_000 });

/** As lists of characters. Escapes are read, so that they need no spellings of their own. */
function spellingsOf(text: string): ReadonlyArray<readonly string[]> {
  const known = spellings.get(text);
  if (known !== undefined) return known;
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const all = [
    text,
    text.toWellFormed(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
  ];
  const made = [...new Set(all)].map((one) => [...one]);
  spellings.set(text, made);
  return made;
}
