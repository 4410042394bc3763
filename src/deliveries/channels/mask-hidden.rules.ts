// Masks secrets in texts of a partner's response, also in the spellings in which a response may echo them (contract 13.3).
import { LRUCache } from 'lru-cache';

import { escapeHtml } from '../../base/escape-html.ts';
import { HIDDEN } from '../templates/compile-template.rules.ts';
import { percentEncoded } from '../templates/webhook-request.rules.ts';

/** Shorter parts of a secret tell nothing and stand in any text. */
const LENGTH_MIN = 4;

export function maskHidden(text: string, hidden: readonly string[]): string {
  let masked = text;
  // A text that is made of another one is longer, or does not contain it.
  for (const secret of hidden.toSorted((left, right) => right.length - left.length)) {
    if (secret.length < LENGTH_MIN) continue;
    for (const spelling of spellingsOf(secret)) masked = masked.replaceAll(spelling, HIDDEN);
  }
  return masked;
}

/** Secrets change rarely: their spellings are made once. */
const spellings = new LRUCache<string, readonly string[]>({ max: 5_000 });

function spellingsOf(text: string): readonly string[] {
  let known = spellings.get(text);
  if (known === undefined) spellings.set(text, (known = makeSpellings(text)));
  return known;
}

/** Longer ones first, so that none leaves a part of another. */
function makeSpellings(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const json = JSON.stringify(text).slice(1, -1);
  const percent = percentEncoded(text);
  const all = [
    ...[text, json, json.replaceAll('/', String.raw`\/`), escapeHtml(text)],
    ...[percent, percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), percent.replaceAll('%20', '+')],
    ...[encodeURIComponent(text.toWellFormed()), new URLSearchParams({ '': text }).toString().slice(1)],
    ...[bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')],
  ];
  return [...new Set(all)].toSorted((left, right) => right.length - left.length);
}
