// Writes and reads the file of a backup: gzip; in it a JSON line about the backup, then per table a JSON line, its rows in COPY's format and
// a line `\.`; at the end a JSON line with a checksum of everything before. `zcat` shows it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export type ArchiveHead = {
  readonly format: 'leadmarket-backup-1';
  readonly takenAt: string;
  /** All applied migrations, oldest first. */
  readonly migrations: ReadonlyArray<{ readonly number: number; readonly name: string; readonly checksum: string }>;
};
export type ArchiveWriter = {
  line(value: object): Promise<void>;
  block(bytes: Buffer): Promise<void>;
  endOfRows(): Promise<void>;
  /** Writes the checksum and gives the file its final name. */
  finish(): Promise<{ readonly bytes: number }>;
  /** Removes the unfinished file. Does nothing after `finish`. */
  discard(): Promise<void>;
};

const END_OF_ROWS = Buffer.from('\\.\n');
const NEWLINE = 0x0a;
/** A JSON line has a few kilobytes; the limit keeps a file of another kind from being read to its end. */
const LINE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Readable by the owner only, because the rows contain all personal data. */
const PRIVATE = 0o600;

/** Writes under a temporary name, so that a file with the final name is always complete. */
export function createArchive(file: string): ArchiveWriter {
  const draft = `${file}.unfinished-${process.pid}`;
  const hash = createHash('sha256');
  // Fast rather than small, because the disk is usually the bottleneck.
  const gzip = createGzip({ level: 1, chunkSize: CHUNK_BYTES });
  const output = createWriteStream(draft, { flags: 'wx', mode: PRIVATE, flush: true });
  const written = pipeline(gzip, output);
  // The next write rejects with the error.
  written.catch(() => undefined);
  let isFinished = false;

  const write = async (bytes: Buffer): Promise<void> => {
    hash.update(bytes);
    if (output.errored !== null) await written;
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written]);
  };
  const line = (value: object): Promise<void> => write(Buffer.from(`${JSON.stringify(value)}\n`));

  return {
    line,
    block: write,
    endOfRows: () => write(END_OF_ROWS),
    async finish() {
      const sha256 = hash.copy().digest('hex');
      await line({ sha256 });
      gzip.end();
      await written;
      const { size } = await stat(draft);
      await rename(draft, file);
      isFinished = true;
      await syncDirectory(dirname(file));
      return { bytes: size };
    },
    async discard() {
      if (isFinished) return;
      gzip.destroy();
      await written.catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export type ArchiveReader = {
  /** Reads the next line; rejects at the end of the file. */
  line(): Promise<unknown>;
  /** Reads all rows of the table whose line was read last. */
  rows(): AsyncIterable<Buffer>;
  /** Rejects unless the next line has the checksum of all before it and nothing follows. */
  end(): Promise<void>;
  /** The share of the file that has been read, from 0 to 1. */
  progress(): number;
  close(): void;
};

/** An invalid backup file; the message is for the operator. */
export class ArchiveError extends Error {}

export async function openArchive(file: string): Promise<ArchiveReader> {
  const { size } = await stat(file);
  const input = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const unpacked = pipeline(input, gunzip);
  // The iteration rejects with the error. One that comes once nothing is read any more, or after the pipeline has let go of its streams, must
  // not end the process.
  unpacked.catch(() => undefined);
  for (const stream of [input, gunzip]) stream.on('error', () => undefined);
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);

  /** False at the end of the file. */
  const more = async (): Promise<boolean> => {
    try {
      const { value } = await chunks.next();
      if (value !== undefined) rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
      return value !== undefined;
    } catch (error) {
      throw new ArchiveError(`${file} is damaged or not a backup.`, { cause: error });
    }
  };
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    hash.update(taken);
    return taken;
  };
  const line = async (): Promise<unknown> => {
    let end = rest.indexOf(NEWLINE);
    while (end === -1) {
      if (rest.length > LINE_BYTES || !(await more())) throw new ArchiveError(`${file} is cut short or not a backup.`);
      end = rest.indexOf(NEWLINE);
    }
    const text = take(end + 1).toString();
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ArchiveError(`${file} is damaged or not a backup.`, { cause: error });
    }
  };

  return {
    line,
    async *rows() {
      for (;;) {
        const end = endOfRows(rest);
        if (end !== null) {
          if (end > 0) yield take(end);
          take(END_OF_ROWS.length);
          return;
        }
        // Whole lines only, so that the rest begins with a line.
        const whole = rest.lastIndexOf(NEWLINE) + 1;
        if (whole > 0) yield take(whole);
        if (!(await more())) throw new ArchiveError(`${file} is cut short.`);
      }
    },
    async end() {
      const sha256 = hash.copy().digest('hex');
      const last = (await line()) as { sha256?: unknown };
      if (last.sha256 !== sha256) throw new ArchiveError(`${file} is damaged: its checksum does not match.`);
      if (rest.length > 0 || (await more())) throw new ArchiveError(`${file} is damaged: it has data after its end.`);
    },
    progress: () => (size === 0 ? 1 : input.bytesRead / size),
    close() {
      input.destroy();
      gunzip.destroy();
    },
  };
}

/** The offset of the line `\.`; null without one. `bytes` must begin with a line. */
function endOfRows(bytes: Buffer): number | null {
  if (bytes.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) return 0;
  const at = bytes.indexOf('\n\\.\n');
  return at === -1 ? null : at + 1;
}
