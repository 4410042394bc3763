// Runs COPY in both directions as a stream of blocks with back-pressure, without holding the rows in memory.
import { once } from 'node:events';

import pg from 'pg';

/** Methods of the driver's connection that its types do not declare. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** The driver calls these for the running statement. */
type Handlers = {
  readonly submit: (connection: pg.Connection) => void;
  readonly handleCopyData?: (message: { readonly chunk: Buffer }, connection: CopyConnection) => void;
  readonly handleCopyInResponse?: (connection: CopyConnection) => void;
  readonly handleCommandComplete: (message: { readonly text: string }) => void;
  readonly handleReadyForQuery: () => void;
  readonly handleError: (error: Error) => void;
};

/** Rows arrive one per message; a block needs one write for many rows. */
const BLOCK_BYTES = 256 * 1024;

/** Opens a connection for COPY without time limits. The pool's connections pipeline statements, which COPY cannot. */
export async function connectForCopy(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: 'leadmarket command',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
  });
  // The running statement rejects with the error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs `COPY … TO STDOUT` and passes its bytes to `write`, one block after the other. Resolves to the number of rows. */
export function copyOut(client: pg.Client, text: string, write: (block: Buffer) => Promise<void>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let blocks: Buffer[] = [];
    let bytes = 0;
    let writing: Promise<void> = Promise.resolve();

    const flush = (): void => {
      const block = Buffer.concat(blocks, bytes);
      blocks = [];
      bytes = 0;
      writing = writing.then(() => write(block));
      // Handled below, or at the statement's end.
      writing.catch(() => undefined);
    };
    // A failed write is the cause of the later errors, so it is reported instead of them.
    const fail = async (error: Error): Promise<never> => {
      await writing;
      throw error;
    };
    const run: Handlers = {
      submit: (connection) => connection.query(text),
      handleCopyData({ chunk }, { stream }) {
        // A copy, because the driver reuses its buffer.
        blocks.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (bytes < BLOCK_BYTES) return;
        flush();
        stream.pause();
        writing.then(
          () => stream.resume(),
          // Only closing the connection ends a half-read COPY.
          (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
      handleCommandComplete: (message) => (rows = rowsOf(message.text)),
      handleReadyForQuery() {
        flush();
        writing.then(() => resolve(rows), reject);
      },
      handleError: (error) => resolve(fail(error)),
    };
    client.query(run);
  });
}

/** Runs `COPY … FROM STDIN` with the data of `blocks`. Resolves to the number of rows. */
export function copyIn(client: pg.Client, text: string, blocks: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let failure: Error | null = null;

    const send = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const block of blocks) {
          if (failure !== null) return;
          connection.sendCopyFromChunk(block);
          if (connection.stream.writableNeedDrain) await drained(connection);
        }
        connection.endCopyFrom();
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error));
        connection.sendCopyFail('the source failed');
      }
    };
    const run: Handlers = {
      submit: (connection) => connection.query(text),
      handleCopyInResponse: (connection) => void send(connection),
      handleCommandComplete: (message) => (rows = rowsOf(message.text)),
      handleReadyForQuery: () => (failure === null ? resolve(rows) : reject(failure)),
      handleError(error) {
        failure ??= error;
        reject(failure);
      },
    };
    client.query(run);
  });
}

async function drained({ stream }: CopyConnection): Promise<void> {
  const waiting = new AbortController();
  try {
    await Promise.race(['drain', 'close'].map((event) => once(stream, event, { signal: waiting.signal })));
  } finally {
    waiting.abort();
  }
}

function rowsOf(commandTag: string): number {
  return Number(/^COPY (\d+)$/.exec(commandTag)?.[1] ?? 0);
}
