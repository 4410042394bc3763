// Uploads a CSV file into a list part by part. Nothing counts until the last part has come; a cancelled upload is discarded (contract 15.4).
import type { BeginLoad, LoadView } from '../../../src/scopes/lists.schema.ts';
import { probe } from '../connection.ts';
import { newKey, RequestError } from '../request.ts';
import { readCsv } from './csv-rows.ts';
import { hashValue, type ListKind } from './normal-value.ts';

/** Requests of one list; each takes its own idempotency key, so that a repetition takes effect once. */
export type ListLoads = {
  readonly begin: (body: BeginLoad) => Promise<LoadView>;
  readonly part: (loadId: number, body: { number: number; rows: string }, idempotencyKey: string) => Promise<LoadView>;
  readonly finish: (loadId: number, parts: number, idempotencyKey: string) => Promise<LoadView>;
  readonly discard: (loadId: number) => Promise<unknown>;
};

export type UploadChoice = {
  readonly kind: ListKind;
  readonly file: Blob;
  /** The columns of the file, from 0. */
  readonly valueColumn: number;
  readonly expiresColumn: number | null;
  /** Of phones whose area code stands in a column of its own. */
  readonly areaColumn: number | null;
  readonly hasHeader: boolean;
  readonly mode: BeginLoad['mode'];
  /** Hash values in the browser before they are sent. */
  readonly toHash: boolean;
  readonly skipInvalid: boolean;
  /** A day, or '' for never. */
  readonly expires: string;
};

export type UploadProgress = {
  /** From 0 to 1, by bytes of the file. */
  readonly share: number;
  readonly rows: number;
  /** Rows that the browser left out because they are no values of the kind. */
  readonly leftOut: number;
};

/** A row that the list cannot take, where such rows are not left out; from 1, without the header. */
export class InvalidRow extends Error {
  readonly row: number;

  constructor(row: number, reason: string) {
    super(reason);
    this.name = 'InvalidRow';
    this.row = row;
  }
}

/** Characters of a part: some thousand rows, far below the service's limit, so that progress moves often. */
const PART_LENGTH = 200_000;
const RETRY_MS = 2000;
const RETRIES_MAX = 30;

export async function uploadRows(
  loads: ListLoads,
  choice: UploadChoice,
  { onProgress, signal }: { readonly onProgress: (progress: UploadProgress) => void; readonly signal: AbortSignal },
): Promise<{ readonly load: LoadView; readonly leftOut: number }> {
  const { mode, toHash, skipInvalid, expires } = choice;
  const { loadId } = await loads.begin({
    mode,
    hashed: toHash,
    skipInvalid,
    ...(expires === '' ? {} : { expires }),
  });
  const cancelled = rejectedBy(signal);
  // Nothing may be waiting for it when it rejects.
  cancelled.catch(() => undefined);
  try {
    let number = 0;
    let leftOut = 0;
    for await (const part of partsOf(choice)) {
      signal.throwIfAborted();
      leftOut = part.leftOut;
      if (part.lines.length > 0) {
        number += 1;
        const rows = [HEADER, ...part.lines].join('\n');
        const body = { number, rows };
        const firstRow = part.rows - part.lines.length + 1;
        await persistently((key) => loads.part(loadId, body, key), cancelled).catch((error: unknown) => {
          throw rowOf(error, firstRow);
        });
      }
      onProgress({ share: choice.file.size === 0 ? 1 : part.bytesRead / choice.file.size, rows: part.rows, leftOut });
    }
    signal.throwIfAborted();
    const load = await persistently((key) => loads.finish(loadId, number, key), cancelled);
    return { load, leftOut };
  } catch (error) {
    // If this fails too, the service discards the load by itself.
    await loads.discard(loadId).catch(() => undefined);
    throw error;
  }
}

const HEADER = 'value,expires';

/** The service counts the lines of a part, whose first one is the header. */
function rowOf(error: unknown, firstRow: number): unknown {
  const fault = error instanceof RequestError ? error.faults.find(({ field }) => field === 'rows') : undefined;
  const [, line, reason = ''] = /^line (\d+), cell \d+: (.*)$/.exec(fault?.message ?? '') ?? [];
  return line === undefined ? error : new InvalidRow(firstRow + Number(line) - 2, `its value ${reason}.`);
}

type Part = {
  readonly lines: readonly string[];
  readonly bytesRead: number;
  /** Rows read so far, without the header. */
  readonly rows: number;
  readonly leftOut: number;
};

async function* partsOf(choice: UploadChoice): AsyncGenerator<Part, void, undefined> {
  const { skipInvalid } = choice;
  let isHeader = choice.hasHeader;
  let lines: string[] = [];
  let length = 0;
  let rows = 0;
  let leftOut = 0;
  for await (const piece of readCsv(choice.file)) {
    const cells = isHeader ? piece.rows.slice(1) : piece.rows;
    isHeader &&= piece.rows.length === 0;
    for (const line of await Promise.all(cells.map((row) => lineOf(row, choice)))) {
      rows += 1;
      if (line === null) {
        if (!skipInvalid) throw new InvalidRow(rows, 'it has no value of this list.');
        leftOut += 1;
        continue;
      }
      lines.push(line);
      length += line.length + 1;
      if (length < PART_LENGTH) continue;
      yield { lines, bytesRead: piece.bytesRead, rows, leftOut };
      lines = [];
      length = 0;
    }
  }
  yield { lines, bytesRead: choice.file.size, rows, leftOut };
}

/** The value's cell, or with an area code in front of it; '' where the two are no number. */
export function valueIn(
  cells: readonly string[],
  { valueColumn, areaColumn }: Pick<UploadChoice, 'valueColumn' | 'areaColumn'>,
): string {
  const value = cells[valueColumn] ?? '';
  if (areaColumn === null) return value;
  const area = cells[areaColumn] ?? '';
  return isSplitNumber(area, value) ? `${area.trim()}${value.trim()}` : '';
}

/** As in the files of the national do-not-call registry. */
export function isSplitNumber(area: string, number: string): boolean {
  return /^[2-9]\d{2}$/.test(area.trim()) && /^\d{3}[ .-]?\d{4}$/.test(number.trim());
}

/** Null for a row without a value, or whose value the browser cannot hash. */
async function lineOf(
  cells: readonly string[],
  { kind, valueColumn, areaColumn, expiresColumn, toHash }: UploadChoice,
): Promise<string | null> {
  const given = valueIn(cells, { valueColumn, areaColumn });
  const value = toHash ? await hashValue(kind, given) : given.trim();
  if (value === null || value === '') return null;
  const expires = expiresColumn === null ? '' : (cells[expiresColumn] ?? '').trim();
  return `${quoted(value)},${quoted(expires)}`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Repeats a request while the service cannot be reached or wants a pause, under the same key. */
async function persistently<Result>(
  send: (key: string) => Promise<Result>,
  cancelled: Promise<never>,
): Promise<Result> {
  const key = newKey();
  for (let tries = 1; ; tries += 1) {
    try {
      return await Promise.race([send(key), cancelled]);
    } catch (error) {
      const isLost =
        error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status >= 502);
      if (!isLost || tries === RETRIES_MAX) throw error;
      await Promise.race([pause(), cancelled]);
      await probe();
    }
  }
}

/** Never resolves; rejects when the upload is cancelled, so that nothing waits for a request under way. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
  });
}
