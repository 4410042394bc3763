// Whose a secret is or was, also when it is revoked or expired: for the note that somebody tried it (decision 022).
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { CredentialKind } from './credential.ts';
import { selectEverPresented } from './credentials.sql.ts';
import { hashSecret } from './secret-text.ts';

export type EverPresented = { readonly credentialId: Uuid; readonly kind: CredentialKind; readonly owner: string };

/** Null for a text that never was a secret of ours. */
export async function findPresented(tx: Tx, text: string): Promise<EverPresented | null> {
  const [found] = await tx.query(selectEverPresented, { secretHash: hashSecret(text) });
  return found ?? null;
}
