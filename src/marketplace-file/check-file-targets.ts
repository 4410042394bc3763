// Asks DNS about the hosts that a file names: the half of the target rules that its text alone cannot answer (contract 5).
import { checkTarget } from '../platform/outbound/check-target.ts';
import type { Resolve } from '../platform/outbound/resolve-name.ts';
import type { FileFault, FileTarget, MarketplaceFile } from './marketplace-file.ts';

// The system's resolver answers four at a time; more would only wait out the time limit in its queue.
const AT_ONCE = 4;

/** Faults in the order of the file; none where all is well. Goes to the network, so it is called with no transaction open. */
export async function checkFileTargets(
  { targets }: MarketplaceFile,
  options: { readonly allowTargets: readonly string[]; readonly resolve?: Resolve },
): Promise<FileFault[]> {
  // Partners share hosts: each is asked for once.
  const byHost = Map.groupBy(targets, ({ url }) => new URL(url).host);
  const groups = [...byHost.values()];
  const faults: FileFault[] = [];
  for (let next = 0; next < groups.length; next += AT_ONCE) {
    const found = await Promise.all(groups.slice(next, next + AT_ONCE).map((group) => faultsOf(group, options)));
    faults.push(...found.flat());
  }
  return faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

async function faultsOf(
  group: readonly FileTarget[],
  options: { readonly allowTargets: readonly string[]; readonly resolve?: Resolve },
): Promise<FileFault[]> {
  const [first] = group;
  const verdict = first === undefined ? null : await checkTarget(first.url, options);
  if (verdict === null || verdict.ok) return [];
  return group.map(({ place }) => ({ ...place, message: `is refused: ${verdict.reason}` }));
}
