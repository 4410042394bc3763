// Makes jobs due again whose worker is known to have died, instead of waiting for the end of its lease (contract 8.6).
import type { Tx } from '../../platform/database/database.ts';
import { takeOverLeases as takeOver } from './send.sql.ts';

/** Only for a process that is the only one to work on the database and has not begun. Answers how many jobs there were. */
export async function takeOverLeases(tx: Tx, now: Date): Promise<number> {
  return (await tx.query(takeOver, [now])).length;
}
