// Asks DNS about the hosts that a file names: the half of the target rules that its text alone cannot answer (contract 5.7).
import { checkTarget } from '../platform/outbound/check-target.ts';
import type { Resolve } from '../platform/outbound/resolve-name.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { Configuration } from './difference.rules.ts';
import type { FileFault, FileTarget, MarketplaceFile } from './marketplace-file.ts';

// The system's resolver answers four at a time; more would only wait out the time limit in its queue.
const AT_ONCE = 4;

export type TargetOptions = { readonly allowTargets: AllowedTargets; readonly resolve?: Resolve };

/**
 * Looks at what the file would save and is not in force already: that was checked when it was saved, and is at every attempt. Faults
 * in the order of the file; none where all is well. Goes to the network, so it is called with no transaction open.
 */
export async function checkFileTargets(
  { targets }: Pick<MarketplaceFile, 'targets'>,
  current: Configuration,
  options: TargetOptions,
): Promise<FileFault[]> {
  const known = urlsOf(current);
  const news = targets.filter(({ url }) => !known.has(url));
  // Partners share hosts: each is asked for once.
  const byHost = Map.groupBy(news, ({ url }) => new URL(url).host);
  const groups = [...byHost.values()];
  const faults: FileFault[] = [];
  for (let next = 0; next < groups.length; next += AT_ONCE) {
    const found = await Promise.all(groups.slice(next, next + AT_ONCE).map((group) => faultsOf(group, options)));
    faults.push(...found.flat());
  }
  return faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

function urlsOf({ suppliers, buyers }: Configuration): Set<string | null> {
  return new Set([
    ...[...suppliers.values()].map(({ callback }) => callback?.url ?? null),
    ...[...buyers.values()].flatMap(({ settings }) => [settings.webhookUrl, settings.sheetsWebhookUrl]),
  ]);
}

async function faultsOf(group: readonly FileTarget[], options: TargetOptions): Promise<FileFault[]> {
  const [first] = group;
  const verdict = first === undefined ? null : await checkTarget(first.url, options);
  if (verdict === null || verdict.ok) return [];
  return group.map(({ position }) => ({ ...position, message: `is refused: ${verdict.reason}` }));
}
