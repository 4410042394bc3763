// Remembers what an applied file stated of the settings, so that the next one writes only what it states differently (contract 7.5).
import type { Tx } from '../platform/database/database.ts';
import { writeFileSettingsSql } from './buyer.sql.ts';
import type { FileSettings } from './file-settings.ts';

/** By buyer key. Concerns no running process, so it needs no new version. */
export async function writeFileSettings(tx: Tx, stated: ReadonlyMap<string, FileSettings>): Promise<void> {
  if (stated.size === 0) return;
  const texts = [...stated.values()].map((settings) => JSON.stringify(settings));
  await tx.query(writeFileSettingsSql, { buyerKeys: [...stated.keys()], texts });
}
