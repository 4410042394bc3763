// Reads the mail that was kept instead of sent (contract 5.3).
import { LAST_ID } from '../../../base/id-time.ts';
import type { MailId, Uuid } from '../../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { selectKeptMail, selectKeptMails, type KeptMailHead, type KeptMail } from './kept-mail.sql.ts';

/** The latest first, from behind the mail `after`; `address` in any case, among To and Cc; null for all. */
export function listKeptMails(
  database: Database,
  { address, after, limit }: { readonly address: string | null; readonly after: Uuid | null; readonly limit: number },
): Promise<KeptMailHead[]> {
  return database.query(selectKeptMails, { address, after: after ?? LAST_ID, limit });
}

export async function readKeptMail(database: Database, mailId: MailId): Promise<KeptMail | null> {
  const [mail] = await database.query(selectKeptMail, { mailId });
  return mail ?? null;
}
