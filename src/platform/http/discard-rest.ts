// Reads away the rest of a body whose request is already refused, so that the client can finish sending and see the answer.
import type { IncomingMessage } from 'node:http';

// Closing at once would reset the connection, and the client would see no answer. A sender of more than this does not care for one.
const MOST_DISCARDED = 16 * 1024 * 1024;

export function discardRest(raw: IncomingMessage): void {
  const { headers } = raw;
  if (raw.complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)) return;
  let discarded = 0;
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MOST_DISCARDED) raw.destroy();
  });
}
