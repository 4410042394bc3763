// Reads the marketplace's settings with what else its one row holds (contract 7.6).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { readPersonPepperSql, readSettingsSql } from './marketplace.sql.ts';
import type { StoredSettings } from './settings.ts';

export async function readSettings(tx: Tx): Promise<StoredSettings> {
  const [row] = await tx.query(readSettingsSql);
  assert(row !== undefined, 'the marketplace has no settings');
  const { version, demoOrigin, ...settings } = row;
  return { settings, version, demoOrigin };
}

/** 32 bytes that key the hash under which a person is recognised; they never change. Not for partners' requests, which are given them. */
export async function readPersonPepper(tx: Tx): Promise<Buffer> {
  const [row] = await tx.query(readPersonPepperSql);
  assert(row !== undefined, 'the marketplace has no settings');
  return row.personPepper;
}
