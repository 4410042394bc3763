// Reads what the console sends to be applied or tried: the part of a marketplace file that a form holds, or the text of a whole one.
import { readSettings } from '../marketplace/read-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { parseFileApart } from './file-apart.ts';
import { completeFragment, type Fragment, takenIn, thingsIn } from './fragment.rules.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import { parseFile, type ParseOptions } from './parse-file.ts';
import { readPart } from './read-configuration.ts';
import type { ConfigThing } from '../marketplace/settings.ts';

/** `isNew`: what the fragment names must not exist yet. */
export type ConfigInput = { readonly fragment: Fragment; readonly isNew: boolean } | { readonly text: string };

/** Null where it is neither a fragment nor a text, or both. */
export function inputOf({
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

/** Line and column only where there is a text that they count in. */
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
      /** What it is about; null for everything. */
      readonly things: readonly ConfigThing[] | null;
    }
  | { readonly ok: false; readonly faults: readonly InputFault[] };

/** A fragment is completed from what is in force at this moment; whoever applies it looks whether that has changed since. */
export async function readInput(
  tx: Tx,
  input: ConfigInput,
  options: Pick<ParseOptions, 'allowTargets'>,
): Promise<ReadInput> {
  if ('text' in input) {
    const { settings } = await readSettings(tx);
    const parsed = await parseFileApart(input.text, { ...options, regions: settings.regions });
    return parsed.ok ? { ok: true, file: parsed.file, things: null } : { ok: false, faults: parsed.errors };
  }
  const { fragment, isNew } = input;
  const things = thingsIn(fragment);
  const keysOf = (kind: ConfigThing['kind']): string[] =>
    things.filter((thing) => thing.kind === kind).map(({ key }) => key);
  const current = await readPart(tx, { buyerKeys: keysOf('buyer'), offerKeys: keysOf('offer') });
  const taken = isNew ? takenIn(fragment, current) : [];
  const parsed = parseFile(JSON.stringify(completeFragment(fragment, current)), {
    ...options,
    regions: current.settings.regions,
  });
  const faults = [...taken, ...(parsed.ok ? [] : parsed.errors)];
  if (!parsed.ok || faults.length > 0) return { ok: false, faults: inputFaults(faults) };
  return { ok: true, file: parsed.file, things };
}

/** Of a fragment: the text that they were found in is nobody's. */
export function inputFaults(faults: ReadonlyArray<Pick<FileFault, 'path' | 'message'>>): InputFault[] {
  return faults.map(({ path, message }) => ({ path, message, line: null, column: null }));
}
