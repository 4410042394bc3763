// The samples of a Markdown file: fenced blocks of a language that can be run, each with what the comment above it says that it prints,
// and the files that they import.

export type Sample = {
  readonly language: 'sh' | 'js' | 'python' | 'php';
  readonly code: string;
  /** 1 is the first. */
  readonly line: number;
  /** The text of the nearest heading. */
  readonly heading: string;
  /** What it prints, as a pattern. */
  readonly prints: RegExp;
};

type Block = Omit<Sample, 'language' | 'prints'> & {
  readonly language: string;
  /** The nearest line above it that is not empty. */
  readonly above: string;
};

const FENCE = /^```(\S*)\s*$/;
const PRINTS = /^<!-- prints: (.*) -->$/;
const FILE = /^<!-- file: ([\w.-]+) -->$/;
// An example, which is made from the OpenAPI document and valid there.
const GENERATED = /^<!-- generated: example \w+ -->$/;
const LANGUAGES: ReadonlySet<string> = new Set(['sh', 'js', 'python', 'php']);

/** Throws for a block that says no language, or nothing of what is to be expected of it: nothing is left unchecked unnoticed. */
export function samplesIn(text: string): Sample[] {
  return blocksIn(text).flatMap(({ language, above, ...block }) => {
    const prints = PRINTS.exec(above)?.[1];
    if (isLanguage(language) && prints !== undefined) return [{ language, ...block, prints: new RegExp(prints, 's') }];
    if ((language === 'json' && GENERATED.test(above)) || FILE.test(above)) return [];
    throw new Error(`line ${block.line}: a block of "${language}" needs a comment above it on what it prints`);
  });
}

/** What the page tells its reader to save once, by the name of the file. */
export function filesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    blocksIn(text).flatMap(({ above, code }) => {
      const name = FILE.exec(above)?.[1];
      return name === undefined ? [] : [[name, code] as const];
    }),
  );
}

function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let heading = '';
  for (let index = 0; index < lines.length; index += 1) {
    const title = /^#+ (.*)$/.exec(lines[index] ?? '')?.[1];
    if (title !== undefined) heading = title;
    const language = FENCE.exec(lines[index] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`line ${index + 1}: a block without an end`);
    const above = lines.slice(0, index).findLast((line) => line.trim() !== '') ?? '';
    const code = `${lines.slice(index + 1, end).join('\n')}\n`;
    blocks.push({ language, code, line: index + 1, heading, above });
    index = end;
  }
  return blocks;
}

function isLanguage(language: string): language is Sample['language'] {
  return LANGUAGES.has(language);
}
