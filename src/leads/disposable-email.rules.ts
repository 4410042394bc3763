// Tells whether an e-mail domain hands out throw-away addresses: a signal for the score, never a refusal (contract 3.5).
import mailchecker from 'mailchecker';

// Some 56,000 domains, kept in memory once: about 6 MB and 40 ms when the process starts.
const disposable: ReadonlySet<string> = mailchecker.blacklist();

// The list has these too, but each forwards to a mailbox that a person reads.
const RELAYS: ReadonlySet<string> = new Set([
  'duck.com',
  'mozmail.com',
  'passmail.com',
  'passmail.net',
  'relay.firefox.com',
  'simplelogin.co',
  'simplelogin.com',
]);

/** ASCII domain in any case; a subdomain of a listed domain counts as listed. */
export function isDisposableDomain(domain: string): boolean {
  let name = domain.toLowerCase();
  for (;;) {
    if (RELAYS.has(name)) return false;
    if (disposable.has(name)) return true;
    const dot = name.indexOf('.');
    if (dot === -1) return false;
    name = name.slice(dot + 1);
  }
}
