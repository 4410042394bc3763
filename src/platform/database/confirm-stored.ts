// Makes sure that what has been read is as safe as what one writes oneself, before it is acknowledged again (decision 031).
import { statement, type Tx } from './database.ts';

// Any user may. Transactional, so that it gets a commit of its own; nothing reads the message.
const writeToLog = statement('platform.confirm_stored', `SELECT pg_logical_emit_message(true, 'leadmarket', ''::text)`);

/**
 * A reader does not wait for a synchronous standby: after a commit whose wait for it was cut off it sees rows that are lost with the
 * server. A commit that writes to the log waits, and for everything before it. Once per transaction or batch, after the rows were read.
 */
export async function confirmStored(tx: Tx): Promise<void> {
  await tx.query(writeToLog);
}
