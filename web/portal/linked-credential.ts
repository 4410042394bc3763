// The token or key of a sign-in link, `/portal#token=…` or `/portal#key=…`, and the credential last used in this browser.
import { takeFragment } from '../ui/session.ts';

const LAST_USED = 'lm-portal-used';
const WAY = 'lm-portal-way';
const fragment = takeFragment();

/** The secret of an invitation, from the link in its email; null if there is none. */
export const invitationSecret: string | null = fragment.get('invitation');

/** From the URL with which the page was opened; null if there is none. */
export const linkedCredential: string | null = fragment.get('token') ?? fragment.get('key');

/** Stores the end of a credential after a sign-in: it identifies the credential but cannot replace it. */
export function noteUsed(credential: string): void {
  localStorage.setItem(LAST_USED, credential.slice(-6));
}

export function isLastUsed(credential: string): boolean {
  return localStorage.getItem(LAST_USED) === credential.slice(-6);
}

export function accountOf(credential: string): string {
  return credential.startsWith('lms_') ? 'a supplier account' : 'a partner account';
}

/** Whether this browser signed in with an email address last. */
export function prefersPassword(): boolean {
  return localStorage.getItem(WAY) === 'password';
}

export function notePreference(isPassword: boolean): void {
  if (isPassword) localStorage.setItem(WAY, 'password');
  else localStorage.removeItem(WAY);
}
