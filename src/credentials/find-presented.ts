// Whose a secret is or was, also when it is revoked or expired: for the note that somebody tried it (decision 022).
import type { Tx } from '../platform/database/database.ts';
import { selectEverPresented, type EverPresented } from './credentials.sql.ts';
import { hashSecret } from './secret-text.ts';

/** Null for a text that never was a secret of ours. */
export async function findPresented(tx: Tx, text: string): Promise<EverPresented | null> {
  const [found] = await tx.query(selectEverPresented, { secretHash: hashSecret(text) });
  return found ?? null;
}
