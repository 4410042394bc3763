// Patterns of response rules: RE2 syntax, whose time is linear in the text, so that no pattern and no response can block a process
// (contract 13.2).
import { RE2JS, RE2JSException } from 're2js';

/** Time also grows with the size of the program, which repetitions such as `\w{1,200}` multiply. */
const PROGRAM_MAX = 200;
/** Captures take ten times as long as tests. */
const CAPTURE_LENGTH_MAX = 16_384;

export type ResponsePattern = {
  readonly groups: number;
  matches(text: string): boolean;
  /** The first group, or the whole match of a pattern without groups; null if there is none. */
  captures(text: string): string | null;
};

/** A message if it cannot be used. */
export function compilePattern(source: string): ResponsePattern | string {
  let program: RE2JS;
  try {
    program = RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return `is no pattern in RE2 syntax: ${error.message}`;
    throw error;
  }
  if (program.programSize() > PROGRAM_MAX) return 'is too large: it repeats too much';
  const groups = program.groupCount();
  return {
    groups,
    matches: (text) => program.test(text),
    captures(text) {
      const matcher = program.matcher(text.slice(0, CAPTURE_LENGTH_MAX));
      if (!matcher.find()) return null;
      const found: unknown = matcher.group(groups === 0 ? 0 : 1);
      return typeof found === 'string' ? found : null;
    },
  };
}
