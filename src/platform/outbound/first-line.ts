// Remembers the first line of the answer that a socket is reading: the HTTP client reports a status only with the last header,
// but the status line alone decides whether a lead was delivered (contract 4).
import type { Socket } from 'node:net';

/** Longer than any status line in use; a line that is longer is treated as unreadable. */
const LINE_BYTES = 256;

export type FirstLine = { text: string };

export type FirstLines = {
  readonly watch: (socket: Socket) => void;
  /** To be called while an answer's first bytes are parsed: the line of the socket just read, which goes on filling. */
  readonly begin: () => FirstLine | null;
};

/**
 * Relies on the HTTP client to take bytes with `socket.read()` and to parse them before it reads another socket; a test would notice
 * if it stopped.
 */
export function createFirstLines(): FirstLines {
  let justRead: { line: FirstLine; latest: string } | null = null;
  return {
    watch(socket) {
      const seen = { line: { text: '' }, latest: '' };
      const read = socket.read.bind(socket);
      socket.read = (size?: number): unknown => {
        const chunk: unknown = read(size);
        if (Buffer.isBuffer(chunk)) {
          seen.latest = chunk.toString('latin1', 0, LINE_BYTES);
          if (!seen.line.text.includes('\n') && seen.line.text.length < LINE_BYTES) seen.line.text += seen.latest;
          justRead = seen;
        }
        return chunk;
      };
    },
    begin() {
      if (justRead === null) return null;
      // A new object: the answer before keeps its own.
      justRead.line = { text: justRead.latest };
      return justRead.line;
    },
  };
}

/** The status of a whole first line, if it is a final one; null otherwise. */
export function finalStatusOf(line: FirstLine | null): number | null {
  const status = /^HTTP\/1\.[01] ([2-9]\d{2})(?: [^\n]*)?\r?\n/.exec(line?.text ?? '')?.[1];
  return status === undefined ? null : Number(status);
}
