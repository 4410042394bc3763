// Looks over the HTTP client's shoulder at what it reads from a socket. The client reports a status only with the last header, but the
// status line alone decides whether a lead was delivered (contract 4.10); it bounds bodies and headers, but not what stands between
// them; and it takes a `100 Continue` that nobody asked for as the end of the connection.
import type { Socket } from 'node:net';

/** Looked through once per chunk, so that an answer which drips must not make it long; few answers begin with another one at all. */
const HEAD_BYTES = 4096;

const FINAL_STATUS =
  /^[\r\n]*(?:HTTP\/1\.[01] 1\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*HTTP\/1\.[01] ([2-9]\d{2})(?: [^\n]*)?\r?\n/;
const CONTINUE = /^[\r\n]*(?:HTTP\/1\.[01] 1\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*HTTP\/1\.[01] 10(?=0)/;

/** All there is to read of one answer besides its body. Headers are bounded more tightly; the rest is hardly ever a hundred bytes. */
const BYTES_BESIDES_BODY = 65_536;

/** The start of an answer, informational ones before it included; fills while it is read. `bodyBytes` is for the reader of the body to count. */
export type FirstLine = { text: string; bodyBytes: number };

export type FirstLines = {
  readonly watch: (socket: Socket) => void;
  /** To be called while an answer's first bytes are parsed: the start of what the socket just read answers with. */
  readonly begin: () => FirstLine | null;
};

type Seen = { line: FirstLine; bytesWritten: number; bytesRead: number };

/**
 * An endless row of informational answers, or a chunk whose length never ends, destroys the socket. Relies on the HTTP client to take
 * bytes with `socket.read()` and to parse them before it reads another socket; a test would notice if it stopped.
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
        // A request was written since the last bytes came: the answer before keeps its own line.
        if (socket.bytesWritten !== seen.bytesWritten) {
          seen.bytesWritten = socket.bytesWritten;
          seen.bytesRead = 0;
          seen.line = { text: '', bodyBytes: 0 };
        }
        // Without this chunk, of which nobody knows yet how much is body.
        if (seen.bytesRead - seen.line.bodyBytes > BYTES_BESIDES_BODY) {
          socket.destroy(new Error('The answer is too long.'));
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

/** The status of a whole first line, if it is a final one; null otherwise. */
export function finalStatusOf(line: FirstLine | null): number | null {
  const status = FINAL_STATUS.exec(line?.text ?? '')?.[1];
  return status === undefined ? null : Number(status);
}

/** Adds to the line until it holds a final status, and makes each `100 Continue` before that a 102, which the client reads past. */
function take(chunk: Buffer, line: FirstLine): void {
  if (line.text.length >= HEAD_BYTES || finalStatusOf(line) !== null) return;
  const before = line.text.length;
  line.text += chunk.toString('latin1', 0, HEAD_BYTES - before);
  for (let found = CONTINUE.exec(line.text); found !== null; found = CONTINUE.exec(line.text)) {
    const at = found[0].length;
    line.text = `${line.text.slice(0, at)}2${line.text.slice(at + 1)}`;
    // Never one of the bytes parsed before: the digit is found with the chunk that it comes in.
    chunk[at - before] = 0x32;
  }
}
