// Checks whether a text is blank, so that "nothing was given" means the same everywhere (contract 3.3), and whether it can be stored.

// White space, control characters, and characters that Unicode defines as invisible, with the blanks that it lists elsewhere:
// interlinear annotation marks and the empty Braille cell.
const BLANK = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*$/u;

/** True for the empty text and for white space or invisible characters only. A NUL is never harmless and does not count as blank. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text starts with a printable ASCII character and needs no pattern.
  if (first > 0x20 && first < 0x7f) return false;
  return BLANK.test(text) && !text.includes('\0');
}

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
