// Brings the spellings of an e-mail address that reach one mailbox into one form (contract 4.4).

/** Lower case and without the plus-tag. */
export function sameMailbox(email: string): string {
  const lower = email.toLowerCase();
  const at = lower.lastIndexOf('@');
  const plus = lower.indexOf('+');
  // A local part that starts with the plus sign is no tag but the whole name.
  return plus > 0 && plus < at ? lower.slice(0, plus) + lower.slice(at) : lower;
}
