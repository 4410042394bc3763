// Checks a target URL when it is saved: the rules on its text, then every address that its name resolves to now (contract 5.7).
import { isIP } from 'node:net';
import { lookupAll, resolveWithin, type Resolve } from './resolve-name.ts';
import {
  type AllowedTargets,
  bareHost,
  checkTargetUrl,
  isPublicAddress,
  NOT_PUBLIC,
  refuseTarget,
  type TargetVerdict,
} from './target.rules.ts';

/** A request waits for this, so a dead name server must not hold it up; every attempt resolves the name again. */
const DNS_TIMEOUT_MS = 3_000;

/** A name that does not resolve passes: it may be saved before its DNS is set up, and every attempt checks again. */
export async function checkTarget(
  raw: string,
  options: { readonly allowTargets: AllowedTargets; readonly resolve?: Resolve },
): Promise<TargetVerdict> {
  const verdict = checkTargetUrl(raw, options.allowTargets);
  if (!verdict.ok || verdict.exempt || isIP(bareHost(verdict.url.hostname)) !== 0) return verdict;
  const resolution = await resolveWithin(options.resolve ?? lookupAll, verdict.url.hostname, DNS_TIMEOUT_MS);
  return resolution.ok && !resolution.addresses.every(isPublicAddress) ? refuseTarget(NOT_PUBLIC) : verdict;
}
