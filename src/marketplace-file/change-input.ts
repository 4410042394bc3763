// Reads, checks and applies a configuration change that arrives by HTTP, at the console or in the operator's API (contract 7.5, 10.4).
import type { Database, Tx } from '../platform/database/database.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { changeView } from './change-audit.rules.ts';
import { changeConfiguration, type ConfigurationChange } from './change-configuration.ts';
import { checkFileTargets } from './check-file-targets.ts';
import { readConfiguration, readNamedConfiguration } from './read-configuration.ts';
import { type ConfigInput, type InputFault, inputFaults, readInput, type ReadInput } from './read-input.ts';

/** Reads the input and checks its host names by DNS, so it is called outside of a transaction. */
export async function readCheckedInput(
  { database, allowTargets }: { readonly database: Database; readonly allowTargets: AllowedTargets },
  input: ConfigInput,
): Promise<ReadInput> {
  const read = await readInput(database, input, { allowTargets });
  if (!read.ok || read.file.targets.length === 0) return read;
  const readCurrent = await (read.things === null
    ? readConfiguration(database)
    : readNamedConfiguration(database, read.file));
  const faults = await checkFileTargets(read.file, readCurrent, { allowTargets });
  if (faults.length === 0) return read;
  return { ok: false, faults: read.things === null ? faults : inputFaults(faults) };
}

type Input = Omit<ConfigurationChange, 'file' | 'things'>;

/** The result in wire form; with faults, nothing is changed. */
export async function changeByInput(tx: Tx, read: ReadInput, command: Input, now: Date) {
  if (!read.ok) return faulty(read.faults, command.seen);
  const outcome = await changeConfiguration(tx, { ...command, file: read.file, things: read.things }, now);
  if (!outcome.ok) {
    if (outcome.code === 'configuration_changed') return { code: outcome.code };
    return faulty(read.things === null ? outcome.faults : inputFaults(outcome.faults), command.seen);
  }
  const { version, applied, changes, unmanaged, notes, stops = [], meanwhile } = outcome;
  return {
    ...{ version, applied, faults: [] },
    changes: changes.map(({ fields, ...change }) => ({ ...change, fields: { ...fields } })),
    unmanaged: [...unmanaged],
    notes: [...notes],
    ...(stops.length === 0 ? {} : { stops: [...stops] }),
    meanwhile: meanwhile.map(({ thing, ...event }) => changeView(thing, event)),
  };
}

function faulty(faults: readonly InputFault[], seen: number | null) {
  return {
    version: seen ?? 0,
    ...{ applied: false, changes: [], unmanaged: [], notes: [], meanwhile: [] },
    faults: [...faults],
  };
}
