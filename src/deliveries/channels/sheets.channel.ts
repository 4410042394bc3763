// The native Sheets channel: appends each lead as a row to the partner's sheet, with the columns of the CSV export (contract 5.5).
import type { SheetRow, Sheets } from '../../platform/outbound/sheets/sheets.ts';
import { notTried } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryChannel, Parcel } from './channel.ts';
import { cellsOf, columnNames, ownCells, ownColumnNames } from '../delivery-columns.rules.ts';

/** Rows per write. Google allows 60 writes a minute, so this is 200 leads a second, at about 100 KiB a write. */
const PARCELS_PER_CALL = 200;
const ID = columnNames.indexOf('deliveryId');
const REF = columnNames.indexOf('deliveryRef');

export function createSheetsChannel(sheets: Sheets): DeliveryChannel {
  return {
    name: 'sheets',
    parcelsPerCall: PARCELS_PER_CALL,
    async send({ settings: { sheetsSpreadsheetId: spreadsheetId }, ownColumns }, parcels) {
      if (spreadsheetId === null) return parcels.map(() => notTried('No spreadsheet is set.'));
      const header = [...columnNames, ...ownColumnNames(ownColumns)];
      return sheets.append({ spreadsheetId, header, rows: parcels.map((parcel) => rowOf(parcel, ownColumns)) });
    },
  };
}

function rowOf({ id, isTest, isRepeat, delivery, fields }: Parcel, ownColumns: readonly string[]): SheetRow {
  const cells = [...cellsOf(delivery, fields), ...ownCells(delivery.lead, ownColumns)];
  // A test has the id of its attempt, and is marked in the cell beside it.
  const marked = isTest ? cells.with(ID, id).with(REF, `[TEST] ${delivery.deliveryRef}`) : cells;
  return { key: id, cells: marked, mayBeThere: isRepeat };
}
