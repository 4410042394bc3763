// Tidy rule on words: names that only readers of older versions of this code would understand are rejected.
import { inCode, type Offence } from './rule.ts';
import type { SourceFile } from './source-text.ts';

/** Replaced words, with the words of the field. */
const REPLACED: ReadonlyArray<readonly [word: string, instead: string]> = [
  ['wish(?:es|ed)?', 'input, command, query or request'],
  ['told', 'notified, reported, or the noun of what is sent'],
  ['standings?', 'status, usage or balance'],
  ['pictures?', 'snapshot'],
  ['who(?:so)?ever', 'the noun of who it is'],
  ['forget', 'delete, purge or expire'],
  ['hurry', 'expedite'],
  ['bury', 'moveToDeadLetters'],
  ['prospects?', 'bounds'],
  ['outward', 'integrations'],
  ['houses?', 'marketplace'],
];

const capital = (pattern: string): string => pattern.charAt(0).toUpperCase() + pattern.slice(1);

const PATTERNS = REPLACED.map(([word, instead]) => ({
  // As a whole word of a camel case name, or in the text between the tags of a page.
  pattern: new RegExp(`(?<![A-Za-z])${word}(?![a-z])|${capital(word)}(?![a-z])`, 'g'),
  instead,
}));

/** Replaced words in the names of a file and in the texts between its tags, each with the words to say instead. */
export function replacedWords(file: SourceFile): ReadonlyArray<Offence & { readonly instead: string }> {
  return PATTERNS.flatMap(({ pattern, instead }) => inCode(file, pattern).map((offence) => ({ ...offence, instead })));
}
