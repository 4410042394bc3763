// Parses the configuration that the console sends: a part of a marketplace file from a form, or the text of a whole one.
import { ownNamesOf } from '../leads/supplier-verticals.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { Tx } from '../platform/database/database.ts';
import { parseFileInWorker } from './file-worker.ts';
import { completeFragment, type Fragment, findTakenKeys, findNamedKeys } from './fragment.rules.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import type { ParseOptions } from './parse-file.ts';
import { readPart } from './read-configuration.ts';
import type { ConfigKey } from '../marketplace/settings.ts';

/** `isNew`: the fragment's keys must not exist yet. */
export type ConfigInput = { readonly fragment: Fragment; readonly isNew: boolean } | { readonly text: string };

/** Null unless it is either a fragment or a text. */
export function parseConfigInput({
  fragment,
  isNew = false,
  text,
}: {
  readonly fragment?: Fragment;
  readonly isNew?: boolean;
  readonly text?: string;
}): ConfigInput | null {
  if (text === undefined) return fragment === undefined ? null : { fragment, isNew };
  return fragment === undefined ? { text } : null;
}

/** Line and column only for a text. */
export type InputFault = {
  readonly path: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

export type ReadInput =
  | {
      readonly ok: true;
      readonly file: MarketplaceFile;
      /** What it changes; null for everything. */
      readonly things: readonly ConfigKey[] | null;
    }
  | { readonly ok: false; readonly faults: readonly InputFault[] };

/** A fragment is completed from the current configuration; `changeConfiguration` checks that it has not changed since. */
export async function readInput(
  tx: Tx,
  input: ConfigInput,
  options: Pick<ParseOptions, 'allowTargets'>,
): Promise<ReadInput> {
  if ('text' in input) {
    const { settings } = await readSettings(tx);
    const ownNames = ownNamesOf(await readVerticals(tx));
    const parsed = await parseFileInWorker(input.text, { ...options, regions: settings.regions, ownNames });
    return parsed.ok ? { ok: true, file: parsed.file, things: null } : { ok: false, faults: parsed.errors };
  }
  const { fragment, isNew } = input;
  const things = findNamedKeys(fragment);
  const keysOf = (kind: ConfigKey['kind']): string[] =>
    things.filter((thing) => thing.kind === kind).map(({ key }) => key);
  const current = await readPart(tx, { buyerKeys: keysOf('buyer'), offerKeys: keysOf('offer') });
  const taken = isNew ? findTakenKeys(fragment, current) : [];
  const parsed = await parseFileInWorker(JSON.stringify(completeFragment(fragment, current)), {
    ...options,
    regions: current.settings.regions,
    ownNames: ownNamesOf(current.verticals),
  });
  const faults = [...taken, ...(parsed.ok ? [] : parsed.errors)];
  if (!parsed.ok || faults.length > 0) return { ok: false, faults: inputFaults(faults) };
  return { ok: true, file: parsed.file, things };
}

/** The errors of a fragment, without the line and column of its generated text. */
export function inputFaults(faults: ReadonlyArray<Pick<FileFault, 'path' | 'message'>>): InputFault[] {
  return faults.map(({ path, message }) => ({ path, message, line: null, column: null }));
}
