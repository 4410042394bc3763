// Checks the hosts of a file's URLs in DNS, the part of the target rules that needs the network (contract 5.7).
import { checkTarget } from '../platform/outbound/check-target.ts';
import type { Resolve } from '../platform/outbound/resolve-name.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { Configuration } from './difference.rules.ts';
import type { FileFault, FileTarget, MarketplaceFile } from './marketplace-file.ts';

// The system's resolver works on four names at a time; more would spend their time limit in its queue.
const CONCURRENT = 4;

export type TargetOptions = { readonly allowTargets: AllowedTargets; readonly resolve?: Resolve };

/**
 * Checks only new URLs: current ones were checked when they were saved, and are at every attempt. Errors in the order of the file. Uses
 * the network, so it must be called with no transaction open.
 */
export async function checkFileTargets(
  { targets }: Pick<MarketplaceFile, 'targets'>,
  current: Configuration,
  options: TargetOptions,
): Promise<FileFault[]> {
  const currentUrls = urlsOf(current);
  const added = targets.filter(({ url }) => !currentUrls.has(url));
  // Partners share hosts: each is looked up once.
  const byHost = Map.groupBy(added, ({ url }) => new URL(url).host);
  const groups = [...byHost.values()];
  const faults: FileFault[] = [];
  for (let next = 0; next < groups.length; next += CONCURRENT) {
    const found = await Promise.all(groups.slice(next, next + CONCURRENT).map((group) => faultsOf(group, options)));
    faults.push(...found.flat());
  }
  return faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

function urlsOf({ settings: { notices }, suppliers, buyers }: Configuration): Set<string | null> {
  return new Set([
    notices.webhookUrl,
    notices.chatUrl,
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
