// Addresses of the demo's receiver, one for each partner and supplier.

export const INBOX_PATH = '/demo/inbox/';

/** `origin` as in `URL.origin`; `ownerKey` is the key of a partner or a supplier. */
export function inboxOf(origin: string, ownerKey: string): string {
  return inboxes(origin) + ownerKey;
}

/** The prefix of all inboxes, which is exempt from the target rules while the demo runs. */
export function inboxes(origin: string): string {
  return origin + INBOX_PATH;
}
