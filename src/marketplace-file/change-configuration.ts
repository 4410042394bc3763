// Applies or previews a configuration change from the console or an import, unless the same was changed concurrently (contract 7.5).
import { readAuditChanges } from '../audit/read-audit.ts';
import type { AuditActor, AuditOrigin, AuditedChange } from '../audit/audit-event.ts';
import { findChangedSince } from '../marketplace/config-history.ts';
import { lockConfigVersion } from '../marketplace/config-version.ts';
import type { Tx } from '../platform/database/database.ts';
import { applyFile } from './apply-file.ts';
import type { AppliedFile } from './difference.rules.ts';
import { auditTargets } from './change-audit.rules.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import type { ConfigKey, ChangedKey } from '../marketplace/settings.ts';

export type ConfigurationChange = {
  readonly file: MarketplaceFile;
  /** What it changes; null for everything, as with a whole file. */
  readonly things: readonly ConfigKey[] | null;
  /** The version of the configuration that its author has seen; null if unknown. */
  readonly seen: number | null;
  readonly dryRun: boolean;
  readonly prune: boolean;
  /** For a part: its settings of partners are starting values, as in a file, and do not replace what partners changed (default false). */
  readonly startingValues?: boolean;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

/** A change of the same things since then: its audit event, or only the thing if there is none. */
export type ConcurrentChange = { readonly thing: ConfigKey } & Partial<AuditedChange>;

export type ChangedConfiguration =
  | (AppliedFile & { readonly ok: true; readonly version: number; readonly meanwhile: readonly ConcurrentChange[] })
  | { readonly ok: false; readonly code: 'configuration_changed' }
  | { readonly ok: false; readonly code: 'faulty'; readonly faults: readonly FileFault[] };

// Enough to review; with more changes the author should start again.
const CONCURRENT_CHANGES_MAX = 20;

/** `version` is the current one afterwards. A dry run is never rejected because of concurrent changes: it returns them. */
export async function changeConfiguration(
  tx: Tx,
  { file, things, seen, dryRun, prune, startingValues = false, actor, origin }: ConfigurationChange,
  now: Date,
): Promise<ChangedConfiguration> {
  const before = await lockConfigVersion(tx);
  const changed =
    seen === null || seen === before
      ? []
      : await findChangedSince(tx, { version: seen, things }, CONCURRENT_CHANGES_MAX);
  if (changed.length > 0 && !dryRun) return { ok: false, code: 'configuration_changed' };
  const isPart = things !== null;
  const options = { dryRun, prune, actor, origin, isPart, overwriteSettings: isPart && !startingValues };
  const applied = await applyFile(tx, file, options, now);
  if (!applied.ok) return { ok: false, code: 'faulty', faults: applied.errors };
  const version = dryRun ? before : await lockConfigVersion(tx);
  return { ...applied, version, meanwhile: await readConcurrentChanges(tx, changed) };
}

async function readConcurrentChanges(tx: Tx, changed: readonly ChangedKey[]): Promise<ConcurrentChange[]> {
  if (changed.length === 0) return [];
  const events = await readAuditChanges(tx, auditTargets(changed), CONCURRENT_CHANGES_MAX);
  return changed.flatMap(({ kind, key, since }): ConcurrentChange[] => {
    const topics = auditTargets([{ kind, key }]).map(({ topic }) => `${topic}.`);
    const own = events.filter(
      ({ at, target, action }) => at >= since && target === key && topics.some((topic) => action.startsWith(topic)),
    );
    return own.length === 0 ? [{ thing: { kind, key } }] : own.map((event) => ({ thing: { kind, key }, ...event }));
  });
}
