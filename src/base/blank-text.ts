// Whether a text shows nothing to a reader, so that "nothing was given" means the same wherever it is asked (contract 3.3).

// White space, control characters, and what Unicode says to draw as nothing, with the blanks that it lists elsewhere:
// interlinear annotation marks and the empty Braille cell.
const BLANK = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*$/u;

/** True for the empty text and for one of white space or invisible characters only; a NUL is never innocent and so is not blank. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text starts with a printable ASCII character; the pattern need not run for those.
  if (first > 0x20 && first < 0x7f) return false;
  return BLANK.test(text) && !text.includes('\0');
}
