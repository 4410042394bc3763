// Splits text into characters with their marks, and into the words between which a line may break.

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters with their marks. */
export function clustersOf(text: string): string[] {
  // None of these has marks of its own; most texts have no others.
  if (/^[\u0020-\u02ff]*$/.test(text)) return [...text];
  return Array.from(clusters.segment(text), ({ segment }) => segment);
}

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** The parts between which a line may break, each with the blanks after it. Languages without blanks are split by their words. */
export function wordsOf(text: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const { segment, isWordLike = false } of words.segment(text)) {
    const isBlank = /^[^\P{Zs}\u00a0\u202f]+$/u.test(segment);
    const last = parts.at(-1) ?? '';
    // A sign stays with the word before it, and a bracket that opens with the word after it; a word joins what ends in neither word nor dash.
    const joins =
      isBlank || (isWordLike ? isOpen && !mayBreakAfter(last) : isOpen && !/^[\p{Ps}\p{Pi}]/u.test(segment));
    if (joins && parts.length > 0) parts[parts.length - 1] = last + segment;
    else parts.push(segment);
    isOpen = !isBlank;
  }
  return parts;
}

function mayBreakAfter(part: string): boolean {
  return /[\p{L}\p{N}\p{M}\p{Pd}/\u3000-\u303f\uff01-\uff65]$/u.test(part) && !/[\p{Ps}\p{Pi}]$/u.test(part);
}
