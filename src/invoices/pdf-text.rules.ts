// Converts text to the characters of the standard PDF fonts, which cover western European languages only.

// Characters of Windows-1252 that have other codes in Unicode.
const OTHER_CHARACTERS = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/**
 * An unsupported letter loses its accents or becomes a question mark. The HTML document and the account show the original text.
 */
export function pdfText(text: string): string {
  return [...text.normalize('NFC')]
    .map((character) => supported(character) ?? withoutAccents(character) ?? '?')
    .join('');
}

function supported(character: string): string | null {
  return /^[\u0020-\u007e\u00a0-\u00ff]$/.test(character) || OTHER_CHARACTERS.has(character) ? character : null;
}

function withoutAccents(character: string): string | null {
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain !== '' && [...plain].every((one) => supported(one) !== null) ? plain : null;
}
