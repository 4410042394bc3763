// Shortens texts of partners' responses to one line that can be stored and shown.
import { isBlank } from '../../base/text.ts';

/** In code points. */
const PARTNER_WORDS = 200;

/** A text from a partner's response as one short line that can be stored; null if nothing is left of it. */
export function partnerWords(text: string): string | null {
  // A response may be long, and no character of a line takes more than two units.
  const line = text
    .slice(0, 10 * PARTNER_WORDS)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const words = [...line].slice(0, PARTNER_WORDS).join('').trimEnd();
  return isBlank(words) ? null : words;
}
