// Prints a command's result on standard output as JSON, text or a table, and progress and errors on standard error (contract 7.1).
import { Table } from 'console-table-printer';

export type CliStream = {
  /** Calls `done` when the text has been written, or with the error. */
  write(text: string, done?: (error?: Error | null) => void): unknown;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  readonly isTTY?: boolean | undefined;
};
export type CliStreams = { readonly stdout: CliStream; readonly stderr: CliStream };

/** Cells are in the order of the columns. A column of numbers is right-aligned; null is an empty cell. */
export type CliTable = {
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | null>>;
  /** Printed instead of a table without rows. */
  readonly empty?: string;
  /** A line below the rows. */
  readonly note?: string;
};

/** The notes that there are, one below the other. */
export function noteOf(notes: ReadonlyArray<string | null>): Pick<CliTable, 'note'> {
  const note = notes.filter((one) => one !== null).join('\n');
  return note === '' ? {} : { note };
}

export type CliResult = { readonly json: unknown; readonly text: string | CliTable };

export type CliOutput = {
  /** Whether standard output is JSON only. */
  readonly json: boolean;
  /** Prints the result; called once. Exit code 1 marks a rejection with its own result shape. */
  print(result: CliResult, exitCode?: 0 | 1): void;
  /** Prints part of a long result, one JSON value per line. Waits for the reader; resolves to false when the reader has closed the pipe. */
  printLines(values: readonly object[]): Promise<boolean>;
  /** Prints part of a long result as lines of text, in the same way. */
  printText(lines: readonly string[]): Promise<boolean>;
  /** Prints a business error as `{error: {code, message}}` or as a line on standard error; the command ends with exit code 1. */
  refuse(code: string, message: string): void;
  /** Shows what a long command is doing: a line that the next one replaces, on a terminal only. */
  progress(text: string): void;
};

/** `note` writes to standard error unless the output is JSON; `close` clears the progress line. */
export type ClosableCliOutput = CliOutput & { readonly exitCode: 0 | 1; note(text: string): void; close(): void };

export function createCliOutput({ stdout, stderr }: CliStreams, json: boolean): ClosableCliOutput {
  let exitCode: 0 | 1 = 0;
  let hasProgress = false;
  let hasReader = true;
  let isWatched = false;
  /** A reader such as `head` closes the pipe when it has enough; that ends the output and is not an error. */
  const watchReader = (): void => {
    if (isWatched) return;
    isWatched = true;
    stdout.on?.('error', (error) => {
      if (!isClosedPipe(error)) throw error;
      hasReader = false;
    });
  };
  const writeWaiting = async (text: string): Promise<boolean> => {
    clear();
    watchReader();
    await new Promise<void>((resolve, reject) => {
      stdout.write(text, (error) => {
        if (error === null || error === undefined) return resolve();
        if (!isClosedPipe(error)) return reject(error);
        hasReader = false;
        return resolve();
      });
    });
    return hasReader;
  };
  const clear = (): void => {
    if (hasProgress) stderr.write('\r\u001b[2K');
    hasProgress = false;
  };
  const note = (text: string): void => {
    clear();
    if (!json) stderr.write(text);
  };
  return {
    json,
    get exitCode() {
      return exitCode;
    },
    print(result, code = 0) {
      clear();
      exitCode = code;
      const text = json
        ? JSON.stringify(result.json)
        : typeof result.text === 'string'
          ? printable(result.text)
          : tableText(result.text);
      watchReader();
      stdout.write(`${text}\n`);
    },
    printLines: (values) => writeWaiting(values.map((value) => `${JSON.stringify(value)}\n`).join('')),
    printText: (lines) => writeWaiting(lines.map((line) => `${printable(line)}\n`).join('')),
    refuse(code, message) {
      exitCode = 1;
      note(`${printable(message)}\n`);
      watchReader();
      if (json) stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
    },
    progress(text) {
      if (stderr.isTTY !== true) return;
      clear();
      stderr.write(printable(text));
      hasProgress = true;
    },
    note,
    close: clear,
  };
}

function isClosedPipe(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}

// Names, labels and field values come from others; an escape sequence in one must not reach the operator's terminal.
function printable(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, '�');
}

function tableText({ columns, rows, empty = 'None.', note }: CliTable): string {
  if (rows.length === 0) return printable(empty);
  const isNumeric = (index: number): boolean =>
    rows.every((row) => typeof row[index] === 'number' || row[index] === null);
  const table = new Table({
    // The library would write colours even into a file.
    shouldDisableColors: true,
    columns: columns.map((title, index) => ({
      name: String(index),
      title,
      alignment: isNumeric(index) ? 'right' : 'left',
    })),
  });
  for (const row of rows) {
    table.addRow(Object.fromEntries(row.map((cell, index) => [String(index), cellText(cell)])));
  }
  return note === undefined ? table.render() : `${table.render()}\n${printable(note)}`;
}

function cellText(cell: string | number | null | undefined): string {
  return cell === null || cell === undefined ? '' : printable(String(cell)).replaceAll('\n', ' ');
}
