// Makes sure that rows that were read are on the synchronous standby before they are acknowledged again (decision 031).
import { statement, type Tx } from './database.ts';

// Needs no rights. Transactional, so that it causes a commit; nothing reads the message.
const writeToLog = statement('platform.confirm_stored', `SELECT pg_logical_emit_message(true, 'leadmarket', ''::text)`);

/**
 * A read does not wait for a synchronous standby: after a commit whose wait was cut off it sees rows that are lost with the server. A
 * commit that writes to the log waits for itself and everything before it. Call it once per transaction or batch, after the reads.
 */
export async function confirmStored(tx: Tx): Promise<void> {
  await tx.query(writeToLog);
}
