// Observes the bytes that the HTTP client reads from a socket, for three gaps of the client: it reports a status only with the last header,
// but the status line alone decides whether a lead was delivered (contract 4.10); it bounds bodies and headers, but not the bytes between
// them; and it treats an unexpected `100 Continue` as the end of the connection.
import type { Socket } from 'node:net';

/** Searched again with every chunk, so it must stay short when a response drips; few responses begin with an informational one. */
const HEAD_BYTES = 4096;

const FINAL_STATUS =
  /^[\r\n]*(?:HTTP\/1\.[01] 1\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*HTTP\/1\.[01] ([2-9]\d{2})(?: [^\n]*)?\r?\n/;
const CONTINUE = /^[\r\n]*(?:HTTP\/1\.[01] 1\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*HTTP\/1\.[01] 10(?=0)/;

/** The most bytes of one response besides its body. Headers have a lower bound of their own; the rest is rarely a hundred bytes. */
const BYTES_BESIDES_BODY = 65_536;

/** The start of a response, with informational ones before it; grows while it is read. The reader of the body counts `bodyBytes`. */
export type FirstLine = { text: string; bodyBytes: number };

export type FirstLines = {
  readonly watch: (socket: Socket) => void;
  /** The first line of the socket that was just read; call it while the first bytes of a response are parsed. */
  readonly begin: () => FirstLine | null;
};

type Seen = { line: FirstLine; bytesWritten: number; bytesRead: number };

/**
 * Endless informational responses, or a chunk length that never ends, destroy the socket. Relies on the HTTP client to take
 * bytes with `socket.read()` and to parse them before it reads another socket; a test fails if it stops doing so.
 */
export function createFirstLines(): FirstLines {
  let justRead: Seen | null = null;
  return {
    watch(socket) {
      const seen: Seen = { line: { text: '', bodyBytes: 0 }, bytesWritten: socket.bytesWritten, bytesRead: 0 };
      const read = socket.read.bind(socket);
      socket.read = (size?: number): unknown => {
        const chunk: unknown = read(size);
        if (!Buffer.isBuffer(chunk)) return chunk;
        // A request was written after the last bytes arrived: these bytes begin a new response.
        if (socket.bytesWritten !== seen.bytesWritten) {
          seen.bytesWritten = socket.bytesWritten;
          seen.bytesRead = 0;
          seen.line = { text: '', bodyBytes: 0 };
        }
        // Without this chunk: how much of it is body is not known yet.
        if (seen.bytesRead - seen.line.bodyBytes > BYTES_BESIDES_BODY) {
          socket.destroy(new Error('The response is too long.'));
          return null;
        }
        seen.bytesRead += chunk.length;
        take(chunk, seen.line);
        justRead = seen;
        return chunk;
      };
    },
    begin: () => justRead?.line ?? null,
  };
}

/** The status of a complete final status line; null otherwise. */
export function finalStatusOf(line: FirstLine | null): number | null {
  const status = FINAL_STATUS.exec(line?.text ?? '')?.[1];
  return status === undefined ? null : Number(status);
}

/** Adds to the line until it holds a final status, and turns each `100 Continue` before it into a 102, which the client skips. */
function take(chunk: Buffer, line: FirstLine): void {
  if (line.text.length >= HEAD_BYTES || finalStatusOf(line) !== null) return;
  const before = line.text.length;
  line.text += chunk.toString('latin1', 0, HEAD_BYTES - before);
  for (let found = CONTINUE.exec(line.text); found !== null; found = CONTINUE.exec(line.text)) {
    const at = found[0].length;
    line.text = `${line.text.slice(0, at)}2${line.text.slice(at + 1)}`;
    // Always a byte of this chunk: the pattern matches as soon as the digit arrives.
    chunk[at - before] = 0x32;
  }
}
