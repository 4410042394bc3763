// Text as the standard fonts of PDF can show it: they know the letters of western European languages and no others.

// Windows-1252 between the two runs that it shares with Unicode.
const FURTHER = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/**
 * A letter that has no shape there loses its accents, or else becomes a question mark. Nothing is lost by it: the HTML document and the
 * account have every text as it was written.
 */
export function pdfText(text: string): string {
  return [...text.normalize('NFC')].map((character) => shown(character) ?? folded(character) ?? '?').join('');
}

function shown(character: string): string | null {
  return /^[\u0020-\u007e\u00a0-\u00ff]$/.test(character) || FURTHER.has(character) ? character : null;
}

function folded(character: string): string | null {
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain !== '' && [...plain].every((one) => shown(one) !== null) ? plain : null;
}
