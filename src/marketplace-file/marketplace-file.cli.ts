// The commands `apply`, `export-config` and `file-schema` (contract 7.2).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { ownNamesOf } from '../leads/supplier-verticals.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { applyFile } from './apply-file.ts';
import type { AppliedFile } from './difference.rules.ts';
import { checkFileTargets } from './check-file-targets.ts';
import { readFileText } from './file-text.ts';
import { differenceText, faultText } from './difference-text.rules.ts';
import { exportFile } from './export-file.ts';
import { publishedSchema } from './file-schema.rules.ts';
import { parseFile } from './parse-file.ts';
import { readConfiguration } from './read-configuration.ts';

export type MarketplaceFileCliContext = CliContext & {
  /** The targets of `WEBHOOK_ALLOW_TARGETS`, and the inbox of a demo. */
  readonly allowedTargets: (tx: Tx) => Promise<AllowedTargets>;
};

type ApplyFlags = { readonly dryRun: boolean; readonly prune: boolean };

export function registerApply(command: Command, context: MarketplaceFileCliContext): void {
  command
    .option('--dry-run', 'only show what would change', false)
    .option('--prune', 'close what is configured and not in the file', false)
    .action((path: string, flags: ApplyFlags) => apply(context, path, flags));
}

export function registerExportConfig(command: Command, context: CliContext): void {
  command.action(() => exportConfig(context));
}

export function registerFileSchema(command: Command, { out }: Pick<CliContext, 'out'>): void {
  command.action(() => {
    const schema = publishedSchema();
    out.print({ json: schema, text: JSON.stringify(schema, null, 2) });
  });
}

async function apply(context: MarketplaceFileCliContext, path: string, flags: ApplyFlags): Promise<void> {
  const { out } = context;
  const text = await readFileText(path);
  if (!text.ok) return out.refuse('file_unreadable', `${path}: ${text.message}`);
  const applied = await context.withDatabase((database) =>
    applyText(context, database, { text: text.value, ...flags }),
  );
  if (!applied.ok) {
    return out.print({ json: { errors: applied.errors, applied: false }, text: faultText(path, applied.errors) }, 1);
  }
  const { changes, unmanaged, notes, stops = [], applied: isApplied } = applied;
  out.print({
    json: { changes, unmanaged, notes, stops, applied: isApplied },
    text: differenceText(applied, { isDryRun: flags.dryRun }),
  });
}

async function applyText(
  { allowedTargets, clock, out }: MarketplaceFileCliContext,
  database: Database,
  { text, dryRun, prune }: ApplyFlags & { readonly text: string },
): Promise<AppliedFile> {
  const { settings } = await readSettings(database);
  const options = {
    allowTargets: await allowedTargets(database),
    regions: settings.regions,
    ownNames: ownNamesOf(await readVerticals(database)),
  };
  const parsed = parseFile(text, options);
  if (!parsed.ok) return parsed;
  out.progress('Looking up the hosts of the file’s URLs …');
  const errors = await checkFileTargets(parsed.file, await readConfiguration(database), options);
  if (errors.length > 0) return { ok: false, errors };
  return database.tx((tx) => applyFile(tx, parsed.file, { dryRun, prune, actor: commandLineActor }, clock.now()));
}

async function exportConfig({ withDatabase, out }: CliContext): Promise<void> {
  const { content, text } = await withDatabase((database) => database.tx((tx) => exportFile(tx)));
  // `print` adds the final line break.
  out.print({ json: content, text: text.trimEnd() });
}
