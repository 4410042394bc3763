// Masks secrets in texts of a partner's response, also in the spellings in which a response may echo them (contract 13.3).
import { escapeHtml } from '../../base/escape-html.ts';
import { HIDDEN } from '../templates/compile-template.rules.ts';
import { percentEncoded } from '../templates/webhook-request.rules.ts';

/** Shorter parts of a secret tell nothing and stand in any text. */
const LENGTH_MIN = 4;

export function maskHidden(text: string, hidden: readonly string[]): string {
  let masked = text;
  for (const spelling of spellingsOf(hidden)) masked = masked.replaceAll(spelling, HIDDEN);
  return masked;
}

/** Longer ones first, so that none leaves a part of another. */
function spellingsOf(hidden: readonly string[]): string[] {
  const spellings = hidden
    .filter((text) => text.length >= LENGTH_MIN)
    .flatMap((text) => {
      const bytes = Buffer.from(text, 'utf8');
      const json = JSON.stringify(text).slice(1, -1);
      const percent = percentEncoded(text);
      return [
        ...[text, json, json.replaceAll('/', String.raw`\/`), escapeHtml(text)],
        ...[percent, percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), percent.replaceAll('%20', '+')],
        ...[encodeURIComponent(text.toWellFormed()), new URLSearchParams({ '': text }).toString().slice(1)],
        ...[bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')],
      ];
    });
  return [...new Set(spellings)].toSorted((left, right) => right.length - left.length);
}
