// The response that is due on a connection. Node hangs it on the socket without documenting it; its own error handler reads it too.
import type { IncomingMessage } from 'node:http';

type Pending = { readonly headersSent: boolean; readonly req: IncomingMessage };

/** Null where no request was read whose answer is still to be finished. */
export function pendingResponse(socket: object): Pending | null {
  return (Reflect.get(socket, '_httpMessage') as Pending | null | undefined) ?? null;
}
