// The words of a name in one spelling, by which people are searched.

// Longer texts are lists of names, or no names.
const WORDS_MOST = 6;

/** Most names are plain letters, which are normalized ten times as fast. */
const PLAIN = /^[A-Za-z ]*$/;

/**
 * The normalized words of a name or of a search text: lowercase letters without accents, and digits. An apostrophe does not split a word:
 * O’Brien is one word.
 */
export function nameWords(text: string): string[] {
  return wordsOf(text).slice(0, WORDS_MOST);
}

/** The same of a text of any length. */
export function wordsOf(text: string): string[] {
  const words = PLAIN.test(text) ? text.toLowerCase().split(' ') : inOneSpelling(text).split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '');
}

function inOneSpelling(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’ʼ`]/gu, '')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ς', 'σ');
}
