// Defines a tidy rule: a sentence, its reason, its check, and a piece of source that breaks it.
import type { SourceFile } from './source-text.ts';

export type Offence = { readonly at: number; readonly found: string };

export type Rule = {
  readonly says: string;
  readonly because: string;
  /** Offences in one file; `at` is a position in its text. */
  find(file: SourceFile, files: ReadonlyMap<string, SourceFile>): Iterable<Offence>;
  /** Sources by path, of which the first breaks the rule, so that a rule that finds nothing is known to look. */
  readonly offender: Readonly<Record<string, string>>;
};

/** Every match of a pattern in the code, outside of comments and texts. */
export function inCode(file: SourceFile, pattern: RegExp): Offence[] {
  return [...file.code.matchAll(pattern)].map((match) => ({ at: match.index, found: match[0].trim() }));
}

/** Every literal that a pattern matches. */
export function inLiterals(file: SourceFile, pattern: RegExp): Offence[] {
  return file.literals.flatMap(({ at, text }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ at, found: match[0].trim() }];
  });
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts');
export const isSql = (path: string): boolean => path.endsWith('.sql.ts');
export const isRules = (path: string): boolean => path.endsWith('.rules.ts');
export const isSchema = (path: string): boolean => path.endsWith('.schema.ts');
export const isEntryPoint = (path: string): boolean => /\.(?:route|job|cli)\.ts$/.test(path);
export const isChannel = (path: string): boolean => path.endsWith('.channel.ts');
