// Reads how leads get into a partner's spreadsheet, and the result of the latest append (contract 6.17).
import { strict as assert } from 'node:assert';

import type { Buyer, Channel } from '../../buyers/buyer.ts';
import { readOwnColumns } from '../../buyers/own-columns.ts';
import type { Tx } from '../../platform/database/database.ts';
import { columnNames, ownColumnNames } from '../delivery-columns.rules.ts';
import { type LatestAppends, selectSheetState } from './sheets-config.sql.ts';

/** `native`: the service appends rows itself; `script`: only the legacy script receives leads. */
export type SheetsMode = 'native' | 'script' | 'off';

export type SheetsConfig = {
  readonly mode: SheetsMode;
  readonly spreadsheetId: string | null;
  readonly columns: readonly string[];
  readonly scriptWebhookUrl: string | null;
  /** When the latest successful append began. */
  readonly lastAppendAt: Date | null;
  /** Why the latest append failed; null if it succeeded. */
  readonly lastError: string | null;
};

const CHANNELS: Readonly<Record<SheetsMode, readonly Channel[]>> = {
  native: ['sheets'],
  script: ['sheets_script'],
  off: ['sheets', 'sheets_script'],
};

export async function readSheetsConfig(
  tx: Tx,
  { buyerKey, channels, settings }: Pick<Buyer, 'buyerKey' | 'channels' | 'settings'>,
): Promise<SheetsConfig> {
  const mode = channels.includes('sheets') ? 'native' : channels.includes('sheets_script') ? 'script' : 'off';
  const [state] = await tx.query(selectSheetState, { buyerKey, channels: CHANNELS[mode] });
  assert(state !== undefined, 'a join to one row always returns a row');
  return {
    mode,
    spreadsheetId: settings.sheetsSpreadsheetId,
    columns: [...columnNames, ...ownColumnNames(await readOwnColumns(tx, buyerKey))],
    scriptWebhookUrl: settings.sheetsWebhookUrl,
    lastAppendAt: state.lastAppendAt,
    lastError: state.hasFailed === true ? errorOf(state) : null,
  };
}

function errorOf({ error, responseCode }: LatestAppends): string {
  return error ?? (responseCode === null ? 'There was no response.' : `The response had the status ${responseCode}.`);
}
