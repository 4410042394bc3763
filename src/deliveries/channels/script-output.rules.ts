// Which redirect is the "done" of a sheet's own script (contract 5.6): Google's script host sends to where the script's
// output can be read. That is not followed, and every other redirect is one.
import { checkTargetUrl } from '../../platform/outbound/target.rules.ts';

const SCRIPT_HOST = 'script.google.com';
const OUTPUT_HOST = 'script.googleusercontent.com';

export type Redirect = {
  /** What was posted to. */
  readonly url: string;
  readonly status: number;
  readonly location: string | null;
};

/** Exactly this pair, by HTTPS on its own port: whoever can redirect elsewhere has not taken the lead. */
export function isScriptOutput({ url, status, location }: Redirect): boolean {
  return status === 302 && location !== null && isAt(url, SCRIPT_HOST) && isAt(location, OUTPUT_HOST);
}

/** The target rules also see what the URL parser would hide. */
function isAt(raw: string, host: string): boolean {
  const verdict = checkTargetUrl(raw, []);
  return verdict.ok && verdict.url.host === host;
}
