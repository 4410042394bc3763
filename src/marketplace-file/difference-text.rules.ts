// Says in lines for people what a file changes, and what is wrong with it (contract 7.5).
import { stringify } from 'yaml';

import type { AppliedFile } from './apply-file.ts';
import type { Change } from './difference.rules.ts';
import type { FileFault } from './marketplace-file.ts';

const marks = { create: '+', update: '~', close: '-' } as const;

/** `isDryRun` only changes the last words. */
export function differenceText(
  applied: AppliedFile & { readonly ok: true },
  { isDryRun }: { readonly isDryRun: boolean },
): string {
  const { changes, unmanaged, notes } = applied;
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const leftAlone = unmanaged.map(({ kind, key }) => `${kind} ${key}`).join(', ');
  return [
    ...changes.flatMap(changeLines),
    ...(leftAlone === '' ? [] : [`Not in the file and left alone (--prune closes): ${leftAlone}`]),
    ...notes.map((note) => `Note: ${note}`),
    changes.length === 0 ? 'No changes.' : isDryRun ? `${count} found, none applied.` : `${count} applied.`,
  ].join('\n');
}

/** `FILE:LINE:COLUMN`, which editors and terminals make a link of. */
export function faultText(fileName: string, faults: readonly FileFault[]): string {
  return faults
    .map(
      ({ line, column, path, message }) => `${fileName}:${line}:${column}  ${path === '' ? '' : `${path}: `}${message}`,
    )
    .join('\n');
}

function changeLines({ kind, key, action, fields }: Change): string[] {
  const title = kind === 'marketplace' ? kind : `${kind} ${key}`;
  const lines = Object.entries(fields).map(([name, { from, to }]) =>
    action === 'create' ? `    ${name}: ${shown(to)}` : `    ${name}: ${shown(from)} → ${shown(to)}`,
  );
  return [`${marks[action]} ${title}`, ...lines];
}

function shown(value: unknown): string {
  if (value === null) return '(not set)';
  return typeof value === 'string' ? value : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}
