// The command `simulate`: replays the leads of the last days against another marketplace file (contract 7.2).
import type { Command } from 'commander';

import { ownNamesOf } from '../leads/supplier-verticals.rules.ts';
import { faultText } from '../marketplace-file/difference-text.rules.ts';
import { parseFile } from '../marketplace-file/parse-file.ts';
import { readFileText } from '../marketplace-file/file-text.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import { type CliContext, countArgument } from '../platform/cli.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { openReads, type Replica } from '../platform/database/replica.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { simulateFile } from './simulate-file.ts';
import { simulationText } from './simulation-text.rules.ts';

export type SimulateCliContext = CliContext & {
  /** The targets of `WEBHOOK_ALLOW_TARGETS`, and the inbox of a demo. */
  readonly allowedTargets: (tx: Tx) => Promise<AllowedTargets>;
  readonly replica: () => Replica | null;
};

/** A week contains every weekday once; the identities and caps of a quarter are about what the memory of a process can hold. */
const DAYS = { usual: 7, most: 90 };

export function registerSimulateCommand(command: Command, context: SimulateCliContext): void {
  command
    .option('--days <n>', `how many days, up to ${DAYS.most}`, countArgument(1, DAYS.most), DAYS.usual)
    .action((path: string, { days }: { days: number }) => simulate(context, path, days));
}

async function simulate(context: SimulateCliContext, path: string, days: number): Promise<void> {
  const { withDatabase, out } = context;
  const text = await readFileText(path);
  if (!text.ok) return out.refuse('file_unreadable', `${path}: ${text.message}`);
  const simulated = await withDatabase((database) => simulateText(context, database, { text: text.value, days }));
  if (!simulated.ok) {
    return out.print({ json: { errors: simulated.errors }, text: faultText(path, simulated.errors) }, 1);
  }
  out.print({ json: simulated.simulation, text: simulationText(simulated.simulation) });
}

async function simulateText(
  { allowedTargets, replica, clock, out }: SimulateCliContext,
  database: Database,
  { text, days }: { readonly text: string; readonly days: number },
): ReturnType<typeof simulateFile> {
  // No endpoint is called, so the hosts of the file's URLs are not resolved.
  const { settings } = await readSettings(database);
  const parsed = parseFile(text, {
    allowTargets: await allowedTargets(database),
    regions: settings.regions,
    ownNames: ownNamesOf(await readVerticals(database)),
  });
  if (!parsed.ok) return parsed;
  out.progress('Reading the state of the market at the start …');
  const onProgress = (done: number, all: number): void => out.progress(`Repeated ${done} of ${all} decisions …`);
  const reads = openReads({ database, replica: replica() });
  try {
    await reads.ready();
    return await reads.database.tx((tx) => simulateFile(tx, parsed.file, { days, onProgress }, clock.now()), {
      patient: true,
    });
  } finally {
    await reads.close();
  }
}
