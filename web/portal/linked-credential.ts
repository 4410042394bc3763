// The token or key in a printed link, `/portal#token=…` or `/portal#key=…`, and which one was used last in this browser.
import { takeFragment } from '../ui/session.ts';

const LAST_USED = 'lm-portal-used';
const fragment = takeFragment();

/** As the page was opened with it; null without one. */
export const linkedCredential: string | null = fragment.get('token') ?? fragment.get('key');

/** Of a credential that has signed in. Its end tells it from others and is of no use to anybody. */
export function noteUsed(credential: string): void {
  localStorage.setItem(LAST_USED, credential.slice(-6));
}

export function isLastUsed(credential: string): boolean {
  return localStorage.getItem(LAST_USED) === credential.slice(-6);
}

export function accountOf(credential: string): string {
  return credential.startsWith('lms_') ? 'a supplier account' : 'a partner account';
}
