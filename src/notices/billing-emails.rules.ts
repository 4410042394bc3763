// Chooses the addresses of an email: what is about billing goes to the billing address, if a partner has one (contract 6.20, 12.3).

/** What partners' accountants read. */
const BILLING: ReadonlySet<string> = new Set([
  'invoice.issued',
  'invoice.overdue',
  'invoice.reminder',
  'payment.received',
]);

export type MailAddresses = { readonly emails: readonly string[]; readonly billingEmail: string | null };

/** The first one is the recipient, the others get copies. A digest that is about billing only in part goes to all. */
export function emailsFor(kinds: readonly string[], { emails, billingEmail }: MailAddresses): readonly string[] {
  if (billingEmail === null || !kinds.some((kind) => BILLING.has(kind))) return emails;
  return kinds.every((kind) => BILLING.has(kind)) ? [billingEmail] : [...new Set([...emails, billingEmail])];
}
