// Encodes and decodes the cursor of an event feed: the position between two events, as a text that clients store (contract 6.3).
import { hash } from 'node:crypto';

const PREFIX = 'evc_';
const CHECK_LENGTH = 6;

/** The position after the event of this number; 0 is before the first one. The text is valid for one partner only. */
export function eventCursor(buyerKey: string, number: number): string {
  // Detects a cursor of another account, which would otherwise silently skip or repeat events.
  const check = hash('sha256', `${buyerKey} ${number}`, 'hex').slice(0, CHECK_LENGTH);
  return `${PREFIX}${number.toString(36)}${check}`;
}

/** Null if the text is not a cursor of this partner. */
export function numberOfCursor(buyerKey: string, text: string): number | null {
  const number = Number.parseInt(text.slice(PREFIX.length, -CHECK_LENGTH), 36);
  return Number.isSafeInteger(number) && number >= 0 && eventCursor(buyerKey, number) === text ? number : null;
}
