// The result of a benchmark section, and its Markdown tables for RESULTS.md and the terminal.

export type Table = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
};

export type Section = {
  readonly name: string;
  readonly title: string;
  /** What was measured and how to read it; a sentence each. */
  readonly notes: readonly string[];
  readonly tables: readonly Table[];
  /** Every single measurement. */
  readonly data: unknown;
};

export function markdown(section: Section): string {
  const tables = section.tables.map((table) => `### ${table.title}\n\n${tableText(table)}`);
  return [`## ${section.title}`, section.notes.filter((note) => note !== '').join(' '), ...tables].join('\n\n');
}

function tableText({ columns, rows }: Table): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length), 3));
  const written = (cells: readonly string[]): string =>
    `| ${widths.map((width, index) => (index === 0 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [written(columns), rule, ...rows.map(written)].join('\n');
}
