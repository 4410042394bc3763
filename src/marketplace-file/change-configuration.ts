// Applies what the console sends, or says what that would change; refuses where somebody has changed the same meanwhile (contract 7.5).
import { readAuditChanges } from '../audit/read-audit.ts';
import type { AuditActor, AuditOrigin, AuditedChange } from '../audit/audit-event.ts';
import { changedSince } from '../marketplace/changed-since.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import type { Tx } from '../platform/database/database.ts';
import { type AppliedFile, applyFile } from './apply-file.ts';
import { auditedThings } from './audited-things.rules.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import type { ConfigThing, ChangedThing } from '../marketplace/settings.ts';

export type ConfigurationChange = {
  readonly file: MarketplaceFile;
  /** What it is about; null for everything, as of a whole file. */
  readonly things: readonly ConfigThing[] | null;
  /** The version of the configuration that its author has seen; null where he has seen none. */
  readonly seen: number | null;
  readonly dryRun: boolean;
  readonly prune: boolean;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

/** Somebody's change of the same things since then: its record in the audit trail, or only the thing where there is none. */
export type Meanwhile = { readonly thing: ConfigThing } & Partial<AuditedChange>;

export type ChangedConfiguration =
  | (AppliedFile & { readonly ok: true; readonly version: number; readonly meanwhile: readonly Meanwhile[] })
  | { readonly ok: false; readonly code: 'configuration_changed' }
  | { readonly ok: false; readonly code: 'faulty'; readonly faults: readonly FileFault[] };

// Enough to see what is going on; whoever looked so long ago begins anew.
const MEANWHILE_SHOWN = 20;

/** `version` is the one in force afterwards. A dry run is never refused because of others' changes: it tells them. */
export async function changeConfiguration(
  tx: Tx,
  { file, things, seen, dryRun, prune, actor, origin }: ConfigurationChange,
  now: Date,
): Promise<ChangedConfiguration> {
  const before = await lockConfigVersion(tx);
  const changed =
    seen === null || seen === before ? [] : await changedSince(tx, { version: seen, things }, MEANWHILE_SHOWN);
  if (changed.length > 0 && !dryRun) return { ok: false, code: 'configuration_changed' };
  const isPart = things !== null;
  const options = { dryRun, prune, actor, origin, isPart, settingsAreWanted: isPart };
  const applied = await applyFile(tx, file, options, now);
  if (!applied.ok) return { ok: false, code: 'faulty', faults: applied.errors };
  const version = dryRun ? before : await lockConfigVersion(tx);
  return { ...applied, version, meanwhile: await readMeanwhile(tx, changed) };
}

async function readMeanwhile(tx: Tx, changed: readonly ChangedThing[]): Promise<Meanwhile[]> {
  if (changed.length === 0) return [];
  const events = await readAuditChanges(tx, auditedThings(changed), MEANWHILE_SHOWN);
  return changed.flatMap(({ kind, key, since }): Meanwhile[] => {
    const topics = auditedThings([{ kind, key }]).map(({ topic }) => `${topic}.`);
    const own = events.filter(
      ({ at, target, action }) => at >= since && target === key && topics.some((topic) => action.startsWith(topic)),
    );
    return own.length === 0 ? [{ thing: { kind, key } }] : own.map((event) => ({ thing: { kind, key }, ...event }));
  });
}
