// Where the demo's own receiver listens: one address for each partner and supplier.

export const INBOX_PATH = '/demo/inbox/';

/** `origin` as `URL.origin` spells it; the key of a partner or a supplier. */
export function inboxOf(origin: string, ownerKey: string): string {
  return inboxes(origin) + ownerKey;
}

/** The folder of all inboxes, which is exempt from the target rules while there is a demo. */
export function inboxes(origin: string): string {
  return origin + INBOX_PATH;
}
