// The target rules as they hold when a URL is saved: the text's rules, then every address that the name has right now (contract 5.7).
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

/** A request waits for this, so a dead name server must not hold it; the attempt asks again anyway. */
const DNS_TIMEOUT_MS = 3_000;

/** A name that does not resolve passes: it may be saved before its DNS is set up, and every attempt checks again. */
export async function checkTarget(
  raw: string,
  options: { readonly allowTargets: AllowedTargets; readonly resolve?: Resolve },
): Promise<TargetVerdict> {
  const verdict = checkTargetUrl(raw, options.allowTargets);
  if (!verdict.ok || verdict.exempt || isIP(bareHost(verdict.url.hostname)) !== 0) return verdict;
  const response = await resolveWithin(options.resolve ?? lookupAll, verdict.url.hostname, DNS_TIMEOUT_MS);
  return response.ok && !response.addresses.every(isPublicAddress) ? refuseTarget(NOT_PUBLIC) : verdict;
}
