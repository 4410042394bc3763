// Forgets old mail that was kept instead of sent: it is there to be looked at while things are tried out, and it names people.
import type { Tx } from '../../database/database.ts';
import { deleteKeptMails, deleteMailsAbout } from './kept-mail.sql.ts';

/** Deletes what was kept before then; returns how many they were. */
export async function deleteKeptMail(tx: Tx, before: Date): Promise<number> {
  const [row] = await tx.query(deleteKeptMails, { before });
  return row?.count ?? 0;
}

/** Deletes whatever names one of these, such as `dlv_…` or `LS-100042`. */
export async function deleteMailAbout(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query(deleteMailsAbout, { names });
}
