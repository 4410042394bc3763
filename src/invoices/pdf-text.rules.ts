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

/** Names and addresses of one account. */
export type PrintedTexts = { readonly owner: string; readonly texts: readonly string[] };

/** Accounts that are named. */
const NAMED = 3;

/** Whether documents can show the texts; a letter without its accents can be read, a question mark cannot. */
export function judgeLetters(printed: readonly PrintedTexts[]): { ok: true; warning: boolean; detail: string } {
  const shown = (text: string) => ({ text, pdf: pdfText(text) });
  const changed = printed
    .map(({ owner, texts }) => ({
      owner,
      lost: texts.map(shown).filter(({ text, pdf }) => text.normalize('NFC') !== pdf),
    }))
    .filter(({ lost }) => lost.length > 0);
  const isUnreadable = ({ text, pdf }: { text: string; pdf: string }): boolean =>
    pdf.split('?').length > text.split('?').length;
  const unreadable = changed.filter(({ lost }) => lost.some(isUnreadable));
  const base = 'none has to be installed; PDFs are set in Helvetica, which has western European letters';
  if (changed.length === 0) return { ok: true, warning: false, detail: `${base}: enough for all names and addresses` };
  const worst = unreadable.length > 0 ? unreadable : changed;
  const examples = worst.slice(0, NAMED).map(({ owner, lost }) => {
    const { text, pdf } = lost.find(isUnreadable) ?? lost[0] ?? { text: '', pdf: '' };
    return `${owner} ("${text}" becomes "${pdf}")`;
  });
  const more = worst.length > NAMED ? ` and ${worst.length - NAMED} more` : '';
  const what = unreadable.length > 0 ? 'PDFs cannot show names or addresses of' : 'accents are left out in PDFs for';
  return { ok: true, warning: unreadable.length > 0, detail: `${base}: ${what} ${examples.join(', ')}${more}` };
}
