// Checks whether a request comes from the service's own pages: a cookie identifies the user, not the page that sent it (decision 022).

export type Sender = {
  readonly method: string;
  /** `Sec-Fetch-Site`, which browsers set and pages cannot. */
  readonly site: string | undefined;
  /** `Origin`, if it was sent. */
  readonly origin: string | undefined;
  /** Scheme and host of the request, such as `https://leads.example`. */
  readonly own: string;
};

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A change must prove that it has the same origin; a read must not have another one. */
export function isFromHere({ method, site, origin, own }: Sender): boolean {
  if (SAFE.has(method)) {
    // `none` is a user at the address bar. Older browsers send nothing, and cannot read a response of another origin either.
    return site === undefined ? origin === undefined || origin === own : site === 'same-origin' || site === 'none';
  }
  return site === undefined ? origin === own : site === 'same-origin';
}
