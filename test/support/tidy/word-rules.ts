// Tidy rule on words: names that only readers of older versions of this code would understand are rejected.
import { inCode, inLiterals, type Offence } from './rule.ts';
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

/** Phrases that users could not understand or that name a thing wrongly, one a row, with what pages and messages say instead. */
const REPLACED_PHRASES: ReadonlyArray<readonly [phrase: RegExp, instead: string]> = [
  [/\be-mails?\b/i, 'email'],
  [/at the door\b/i, 'rejected'],
  [/\bdecision on paper\b/i, 'simulated decision'],
  [/on paper\b/i, 'nothing is sold'],
  [/lead of nobody/i, 'a full sample message'],
  [/needs somebody/i, 'action needed'],
  [/to be looked at/i, 'warnings'],
  [/without saying so/i, 'stopped unexpectedly'],
  [/^look at its log/i, 'check their logs'],
  [/\bendpoints? fails?\./i, 'is failing, or are failing'],
  [/what is for it/i, 'its deliveries are queued'],
  [/tried again by itself/i, 'retried automatically'],
  [/^Well$/, 'healthy'],
  [/^Not well$/, 'unhealthy'],
  [/\bask now\b/i, 'retry now'],
  [/^whose$/i, 'owner'],
  [/^out of order\b/i, 'downtime'],
  [/what it comes to/i, 'summary'],
  [/what stands on it/i, 'line items'],
  [/\bvoid it\b/i, 'void invoice'],
  [/it may take minutes/i, 'may take a few minutes'],
  [/stops nobody/i, 'nothing is blocked'],
  [/(?:starts|begins) anew/i, 'resets'],
  [/how long what is kept/i, 'data retention'],
  [/days that it is kept/i, 'duplicate memory (days)'],
  [/is not sold again/i, 'duplicate window (days)'],
  [/endpoint rests/i, 'failures until the breaker opens'],
  [/by its clock/i, 'used for hours, caps and statements'],
  [/owes so much/i, 'credit limit'],
  [/if you leave it empty/i, 'defaults to'],
  [/how a sale went/i, 'sales outcomes are not grounds for a return'],
  [/one with several faults/i, 'a lead with several errors is counted under each'],
  [/ended otherwise/i, 'would have a different outcome'],
  [/fare as before/i, 'unchanged'],
  [/settings is changed/i, 'settings changed'],
  [/to come here\b/i, 'to search'],
  [/turn the key off/i, 'disable shortcut'],
  [/this is no json/i, 'not valid JSON'],
  [/\byou are not signed in\b/i, 'that token or key is not valid'],
  [/^who got it$/i, 'sold to'],
  [/colors? of the device/i, 'system theme'],
  [/^for ever$/i, 'forever'],
  [/own days off/i, 'extra holidays'],
  [/\b(?:colours?|cancelled by|favourites?)\b/i, 'the American spelling'],
];

/** What a partner pays is no revenue of the partner's, and its price no payout. */
const PARTNER_PHRASES: typeof REPLACED_PHRASES = [
  [/^Revenue\b|(?<![= ])>\s*Revenue\b/, 'spend'],
  [/^Payout\b|(?<![= ])>\s*Payout\b/, 'price'],
];

/** Replaced phrases in texts between tags and in literals. */
export function replacedPhrases(file: SourceFile): ReadonlyArray<Offence & { readonly instead: string }> {
  const phrases = [...REPLACED_PHRASES, ...(file.path.startsWith('web/portal/buyer/') ? PARTNER_PHRASES : [])];
  return phrases.flatMap(([phrase, instead]) =>
    [...inCode(file, new RegExp(phrase, 'gi')), ...inLiterals(file, phrase)].map((offence) => ({
      ...offence,
      instead,
    })),
  );
}
