// The cursor of a feed of events: a place between two events, in a text that clients keep and hand back (contract 6.3).
import { hash } from 'node:crypto';

const PREFIX = 'evc_';
const CHECK_LENGTH = 6;

/** The place behind the event of this number; 0 is before the first one. The text belongs to one partner. */
export function eventCursor(buyerKey: string, number: number): string {
  // So that a cursor of another account is noticed, which would otherwise skip or repeat events without a word.
  const check = hash('sha256', `${buyerKey} ${number}`, 'hex').slice(0, CHECK_LENGTH);
  return `${PREFIX}${number.toString(36)}${check}`;
}

/** Null for every text that is not a cursor of this partner. */
export function numberOfCursor(buyerKey: string, text: string): number | null {
  const number = Number.parseInt(text.slice(PREFIX.length, -CHECK_LENGTH), 36);
  return Number.isSafeInteger(number) && number >= 0 && eventCursor(buyerKey, number) === text ? number : null;
}
