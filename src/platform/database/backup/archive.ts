// The file of a backup: gzip; inside it a line of JSON about the whole, then per table a line of JSON, its rows as COPY writes them, and
// a line `\.`; at the end a line with a checksum of all before. `zcat` shows it.
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
  /** All that the database had, oldest first. */
  readonly migrations: ReadonlyArray<{ readonly number: number; readonly name: string; readonly checksum: string }>;
};
export type ArchiveWriter = {
  line(value: object): Promise<void>;
  block(bytes: Buffer): Promise<void>;
  endOfRows(): Promise<void>;
  /** Writes the checksum; the file has its name from now on. */
  finish(): Promise<{ readonly bytes: number }>;
  /** Removes what was written. May be called after `finish`, and then does nothing. */
  discard(): Promise<void>;
};

const END_OF_ROWS = Buffer.from('\\.\n');
const NEWLINE = 0x0a;
/** A line of JSON is some kilobytes; a file of something else need not be read to its end to find that out. */
const LINE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** The rows may be copied out without being read by others: they hold everything about everybody. */
const PRIVATE = 0o600;

/** Written under another name, so that a file with its own name is always whole. */
export function createArchive(file: string): ArchiveWriter {
  const draft = `${file}.unfinished-${process.pid}`;
  const hash = createHash('sha256');
  // Fast rather than small: the disk is mostly the slower one.
  const gzip = createGzip({ level: 1, chunkSize: CHUNK_BYTES });
  const output = createWriteStream(draft, { flags: 'wx', mode: PRIVATE, flush: true });
  const written = pipeline(gzip, output);
  // Told to whoever writes next.
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
  /** The next line; rejects where there is none. */
  line(): Promise<unknown>;
  /** The rows of the table whose line was read last, to their end. */
  rows(): AsyncIterable<Buffer>;
  /** Rejects unless the next line has the checksum of all before it and nothing follows. */
  end(): Promise<void>;
  /** How much of the file has been read, from 0 to 1. */
  progress(): number;
  close(): void;
};

/** What is wrong with a file, in words for whoever named it. */
export class ArchiveError extends Error {}

export async function openArchive(file: string): Promise<ArchiveReader> {
  const { size } = await stat(file);
  const input = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const unpacked = pipeline(input, gunzip);
  // Told by the iteration.
  unpacked.catch(() => undefined);
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
        // Whole lines only, so that the rest begins with one.
        const whole = rest.lastIndexOf(NEWLINE) + 1;
        if (whole > 0) yield take(whole);
        if (!(await more())) throw new ArchiveError(`${file} is cut short.`);
      }
    },
    async end() {
      const sha256 = hash.copy().digest('hex');
      const last = (await line()) as { sha256?: unknown };
      if (last.sha256 !== sha256) throw new ArchiveError(`${file} is damaged: its checksum does not fit.`);
      if (rest.length > 0 || (await more())) throw new ArchiveError(`${file} is damaged: something follows its end.`);
    },
    progress: () => (size === 0 ? 1 : input.bytesRead / size),
    close() {
      input.destroy();
      gunzip.destroy();
    },
  };
}

/** Where the line `\.` begins; null where there is none. `bytes` begin with a line. */
function endOfRows(bytes: Buffer): number | null {
  if (bytes.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) return 0;
  const at = bytes.indexOf('\n\\.\n');
  return at === -1 ? null : at + 1;
}
