// Splits one direction of a PostgreSQL connection into whole messages, so that a test can cut a connection exactly between two of them.

export type Message = {
  /** The letter of the protocol; null for the first message of a client, which has none. */
  readonly type: string | null;
  /** The whole message as it travels. */
  readonly bytes: Buffer;
};

export type MessageReader = (chunk: Buffer) => Message[];

/** `startsUntyped`: a client's direction, whose first message is a length and a body only. */
export function messageReader({ startsUntyped }: { readonly startsUntyped: boolean }): MessageReader {
  let pending: Buffer = Buffer.alloc(0);
  let isFirst = startsUntyped;
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const prefix = isFirst ? 0 : 1;
      if (pending.length < prefix + 4) return messages;
      const end = prefix + pending.readUInt32BE(prefix);
      if (pending.length < end) return messages;
      messages.push({ type: isFirst ? null : pending.toString('latin1', 0, 1), bytes: pending.subarray(0, end) });
      pending = pending.subarray(end);
      isFirst = false;
    }
  };
}

/** The client asks to commit. */
export const asksToCommit = ({ type, bytes }: Message): boolean =>
  type === 'Q' && bytes.toString('latin1', 5, bytes.length - 1).toUpperCase() === 'COMMIT';

/** The server has committed. */
export const hasCommitted = ({ type, bytes }: Message): boolean =>
  type === 'C' && bytes.toString('latin1', 5, bytes.length - 1) === 'COMMIT';

/** The server waits for the client's next statement: outside of a transaction, inside, or inside one that has failed. */
export function readiness({ type, bytes }: Message): 'idle' | 'open' | 'failed' | null {
  if (type !== 'Z') return null;
  const letter = bytes.toString('latin1', 5, 6);
  return letter === 'I' ? 'idle' : letter === 'T' ? 'open' : 'failed';
}

/** The error that the server sends before an administrator's command closes a connection. */
export function shutdownError(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command'];
  const body = Buffer.from(`${fields.join('\0')}\0\0`, 'latin1');
  const head = Buffer.alloc(5);
  head.write('E', 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
