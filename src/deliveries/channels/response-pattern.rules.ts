// Patterns of response rules: RE2 syntax, whose time is linear in the text, and together a bounded number of steps for each response, so that
// no format and no response can block a process (contract 13.2).
import { RE2JS, RE2JSException } from 're2js';

/** Time also grows with the size of the program, which repetitions such as `\w{1,200}` multiply. */
const PROGRAM_MAX = 200;
/** Of all patterns of a format: they then look at the first 1,000 characters at least. */
const PROGRAMS_MAX = 2000;
/** A class such as `\pL` has hundreds of ranges, and takes a tenth of a millisecond to compile. */
const CLASS_SIZE = 10;
/** For one response: program size times characters, of all patterns together. Some 20 ms for the dearest that were found. */
const STEPS_MAX = 2_000_000;
const LENGTH_MAX = 8192;
/** A step of a capture takes four times as long as one of a test. */
const CAPTURE_STEPS = 4;

export type ResponsePattern = {
  readonly groups: number;
  matches(text: string): boolean;
  /** The first group, or the whole match of a pattern without groups; null if there is none. */
  captures(text: string): string | null;
};

/** The patterns of one format. */
export type PatternSet = {
  /** A message if it cannot be used. After one that is too large none is compiled any more: compiling takes time as well. */
  compile(source: string, use: 'test' | 'capture'): ResponsePattern | string;
  /** Begins the next rule: the captures of one rule are taken at most. */
  nextRule(): void;
  /** How many characters of a text the patterns look at. */
  length(): number;
};

/** `isBounded`: whether too many or too large patterns are an error; otherwise they look at fewer characters. */
export function patternSet({ isBounded }: { readonly isBounded: boolean }): PatternSet {
  let [all, tests, captures, dearestCaptures] = [0, 0, 0, 0];
  let isOver = false;
  const length = (): number => {
    const steps = tests + CAPTURE_STEPS * Math.max(captures, dearestCaptures);
    return Math.min(LENGTH_MAX, Math.floor(STEPS_MAX / Math.max(1, steps)));
  };
  const tooMany = `makes the patterns of the rules too large together; use fewer, or "contains"`;
  return {
    length,
    nextRule() {
      dearestCaptures = Math.max(captures, dearestCaptures);
      captures = 0;
    },
    compile(source, use) {
      if (isOver) return 'was not read: another pattern is too large';
      const classes = CLASS_SIZE * (source.match(/\\[pP]|\[:/g)?.length ?? 0);
      if (isBounded && all + classes > PROGRAMS_MAX) {
        isOver = true;
        return tooMany;
      }
      const program = compiled(source);
      if (typeof program === 'string') return program;
      const size = program.programSize();
      all += size + classes;
      if (use === 'test') tests += size;
      else captures += size;
      isOver = size > PROGRAM_MAX || (isBounded && all > PROGRAMS_MAX);
      if (size > PROGRAM_MAX) return 'is too large: it repeats too much';
      if (isOver) return tooMany;
      const groups = program.groupCount();
      return {
        groups,
        matches: (text) => program.test(text.slice(0, length())),
        captures(text) {
          const matcher = program.matcher(text.slice(0, length()));
          if (!matcher.find()) return null;
          const found: unknown = matcher.group(groups === 0 ? 0 : 1);
          return typeof found === 'string' ? found : null;
        },
      };
    },
  };
}

function compiled(source: string): RE2JS | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return `is no pattern in RE2 syntax: ${error.message}`;
    throw error;
  }
}
