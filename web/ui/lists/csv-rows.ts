// Reads the rows of a CSV file piece by piece, in constant memory.

/** The rows of one piece of the file, and the bytes that have been read so far. */
export type CsvPiece = { readonly rows: ReadonlyArray<readonly string[]>; readonly bytesRead: number };

/** A longer cell is no value of a list; a quote that does not end must not collect the rest of the file. */
const CELL_LENGTH_MAX = 10_000;

/** Separated by the mark that the first line has most of: a comma, a semicolon or a tab. Blank lines are left out. */
export async function* readCsv(file: Blob): AsyncGenerator<CsvPiece, void, undefined> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  let bytesRead = 0;
  let parser: CsvParser | null = null;
  let begin = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      bytesRead += value?.byteLength ?? 0;
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (parser === null) {
        begin += text;
        const [line] = begin.split(/\r\n|\r|\n/, 1);
        if (!done && line?.length === begin.length && begin.length < CELL_LENGTH_MAX) continue;
        parser = createCsvParser(separatorOf(line ?? ''));
        const rows = parser.feed(begin);
        // Excel's line that names the separator.
        yield { rows: /^\s*"?sep=/i.test(begin) ? rows.slice(1) : rows, bytesRead };
      } else {
        yield { rows: parser.feed(text), bytesRead };
      }
      if (done) break;
    }
    yield { rows: parser.end(), bytesRead };
  } finally {
    await reader.cancel();
  }
}

function separatorOf(line: string): string {
  const counts = [',', ';', '\t'].map((mark) => [mark, line.split(mark).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}

type CsvParser = { feed(text: string): string[][]; end(): string[][] };

function createCsvParser(separator: string): CsvParser {
  let cell = '';
  let cells: string[] = [];
  let isQuoted = false;
  /** A quote within quotes: the next character says whether it ends them. */
  let isQuoteSeen = false;
  const endRow = (): string[][] => {
    cells.push(cell);
    cell = '';
    const row = cells;
    cells = [];
    return row.some((text) => text.trim() !== '') ? [row] : [];
  };
  return {
    feed(text) {
      const rows: string[][] = [];
      for (const character of text) {
        if (isQuoteSeen) {
          isQuoteSeen = false;
          if (character === '"') {
            cell += '"';
            continue;
          }
          isQuoted = false;
        }
        if (isQuoted && cell.length < CELL_LENGTH_MAX) {
          if (character === '"') isQuoteSeen = true;
          else cell += character;
        } else if (character === '"' && cell === '') isQuoted = true;
        else if (character === separator) {
          cells.push(cell);
          cell = '';
        } else if (character === '\n' || character === '\r') {
          isQuoted = false;
          rows.push(...endRow());
        } else cell += character;
      }
      return rows;
    },
    end: () => (cell === '' && cells.length === 0 ? [] : endRow()),
  };
}
