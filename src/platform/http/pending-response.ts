// Reads the response that is due on a connection from the socket. Node does not document this member; its own error handler uses it, too.
import type { IncomingMessage } from 'node:http';

type Pending = { readonly headersSent: boolean; readonly req: IncomingMessage };

/** Null when no request on this socket waits for its response. */
export function pendingResponse(socket: object): Pending | null {
  return (Reflect.get(socket, '_httpMessage') as Pending | null | undefined) ?? null;
}
