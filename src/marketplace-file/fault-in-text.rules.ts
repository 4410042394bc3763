// Finds the position in a file of an error inside of a text such as a template, and says it as line and column of the text (contract 13.1).

type Scalar = {
  /** Of the value in the file: of the quote, or of the mark of a block. */
  readonly offset: number;
  readonly value: string;
};

/** `inText` is a position in the value without the white space around it. The result's offset is that of the value where escapes or folded lines hide the position. */
export function faultInText(
  file: string,
  scalar: Scalar,
  { inText, message }: { readonly inText: number; readonly message: string },
): { readonly offset: number; readonly message: string } {
  const at = scalar.value.length - scalar.value.trimStart().length + inText;
  const before = scalar.value.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1) + 1;
  const isOneLine = !scalar.value.trim().includes('\n');
  const where = isOneLine ? `column ${column}` : `line ${line}, column ${column}`;
  return { offset: offsetInFile(file, scalar, { at, line, column }), message: `${message} (at ${where} of the text)` };
}

function offsetInFile(
  file: string,
  { offset, value }: Scalar,
  { at, line, column }: { readonly at: number; readonly line: number; readonly column: number },
): number {
  const first = file.charAt(offset);
  if (first === '|') {
    // The lines of the block follow its first line, all with the same indentation.
    let start = offset;
    for (let passed = 0; passed < line; passed += 1) {
      start = file.indexOf('\n', start) + 1;
      if (start === 0) return offset;
    }
    const end = file.indexOf('\n', start);
    const written = file.slice(start, end === -1 ? file.length : end).replace(/\r$/, '');
    const text = value.split('\n')[line - 1] ?? '';
    return written.endsWith(text) ? start + written.length - text.length + column - 1 : offset;
  }
  const begin = first === '"' || first === "'" ? offset + 1 : offset;
  return file.startsWith(value.slice(0, at), begin) ? begin + at : offset;
}
