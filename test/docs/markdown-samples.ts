// The samples of a Markdown file: fenced blocks of a language that can be run, each with what the comment above it says that it prints.

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

const FENCE = /^```(\S*)\s*$/;
const COMMENT = /^<!-- prints: (.*) -->$/;
// An example, which is made from the OpenAPI document and valid there.
const GENERATED = /^<!-- generated: example \w+ -->$/;
const LANGUAGES: ReadonlySet<string> = new Set(['sh', 'js', 'python', 'php']);

/** Throws for a block that says no language, or nothing of what is to be expected of it: nothing is left unchecked unnoticed. */
export function samplesIn(text: string): Sample[] {
  const samples: Sample[] = [];
  const lines = text.split('\n');
  let heading = '';
  for (let index = 0; index < lines.length; index += 1) {
    const title = /^#+ (.*)$/.exec(lines[index] ?? '')?.[1];
    if (title !== undefined) heading = title;
    const language = FENCE.exec(lines[index] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    const above = lines.slice(0, index).findLast((line) => line.trim() !== '') ?? '';
    const prints = COMMENT.exec(above)?.[1];
    const code = `${lines.slice(index + 1, end).join('\n')}\n`;
    if (isLanguage(language) && end !== -1 && prints !== undefined) {
      samples.push({ language, code, line: index + 1, heading, prints: new RegExp(prints, 's') });
    } else if (language !== 'json' || !GENERATED.test(above)) {
      throw new Error(`line ${index + 1}: a block of "${language}" needs a comment above it on what it prints`);
    }
    index = end;
  }
  return samples;
}

function isLanguage(language: string): language is Sample['language'] {
  return LANGUAGES.has(language);
}
