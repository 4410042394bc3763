// Whether a request comes from our own pages: with a cookie the browser says who somebody is, not who made it ask (decision 022).

export type Sender = {
  readonly method: string;
  /** `Sec-Fetch-Site`, which browsers set and pages cannot. */
  readonly site: string | undefined;
  /** `Origin`, as far as it came. */
  readonly origin: string | undefined;
  /** Scheme and host that were asked, such as `https://leads.example`. */
  readonly own: string;
};

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What changes something has to prove that it comes from here; what only reads must not have come from elsewhere. */
export function isFromHere({ method, site, origin, own }: Sender): boolean {
  if (SAFE.has(method)) {
    // `none` is a person at the address bar. Older browsers say nothing, and cannot read an answer of another origin either.
    return site === undefined ? origin === undefined || origin === own : site === 'same-origin' || site === 'none';
  }
  return site === undefined ? origin === own : site === 'same-origin';
}
