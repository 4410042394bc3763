// Formats the changes, errors and notes of a marketplace file as text for the command line (contract 7.5).
import { stringify } from 'yaml';

import type { BuyerSetting, BuyerSettings, Channel } from '../buyers/buyer.ts';
import type { AppliedFile, Change, Configuration, Writes } from './difference.rules.ts';
import type { FileFault } from './marketplace-file.ts';

const marks = { create: '+', update: '~', close: '-' } as const;

/** `isDryRun` affects only the last line. */
export function differenceText(
  applied: AppliedFile & { readonly ok: true },
  { isDryRun }: { readonly isDryRun: boolean },
): string {
  const { changes, unmanaged, notes, stops = [] } = applied;
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const unchanged = unmanaged.map(({ kind, key }) => `${kind} ${key}`).join(', ');
  return [
    ...changes.flatMap(changeLines),
    ...(unchanged === '' ? [] : [`Not in the file and unchanged (--prune closes them): ${unchanged}`]),
    ...stops.map((stop) => `Stops leads: ${stop}`),
    ...notes.map((note) => `Note: ${note}`),
    changes.length === 0 ? 'No changes.' : isDryRun ? `${count} found, none applied.` : `${count} applied.`,
  ].join('\n');
}

/** `FILE:LINE:COLUMN`, which editors and terminals turn into a link. */
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

const settingOf: Readonly<Record<Channel, BuyerSetting>> = {
  webhook: 'webhookUrl',
  email: 'notificationEmail',
  sms: 'smsNumber',
  sheets: 'sheetsSpreadsheetId',
  sheets_script: 'sheetsWebhookUrl',
};

/** Notes on probable mistakes: a channel without its setting, or a filter on an unknown supplier. */
export function fileNotes(
  { buyers, offers }: Writes,
  current: Configuration,
  newSuppliers: ReadonlySet<string>,
): string[] {
  const notes: string[] = [];
  for (const { buyerKey, channels, settings } of buyers) {
    for (const channel of channels) {
      const name = settingOf[channel];
      if (!isSet(settings, name))
        notes.push(`partner ${buyerKey}: the channel ${channel} needs ${name}, which is not set`);
    }
  }
  for (const { offerKey, filters } of offers) {
    for (const key of [...filters.suppliers, ...filters.suppliersNot]) {
      const isKnown = current.suppliers.has(key) || newSuppliers.has(key);
      if (!isKnown) notes.push(`offer ${offerKey}: its filters name the supplier ${key}, which does not exist`);
    }
  }
  return notes;
}

function isSet(settings: BuyerSettings, name: BuyerSetting): boolean {
  const value = settings[name];
  return value !== null && value.length > 0;
}
