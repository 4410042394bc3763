// Finds dead citations: sections that docs/contract.md does not have, and documents that are not in the repository.
import type { Offence } from './rule.ts';

const HEADING = /^(?:## (\d+)\. |### (\d+\.\d+) )/gm;

const NUMBER = String.raw`\d+(?:\.\d+)?`;
/** "contract 3.4", "contract 4.5, 4.7", "contract 3.1 to 3.3". */
const CITATION = new RegExp(String.raw`\bcontract\s+(${NUMBER}(?:(?:,|\s+and|\s+to)\s+${NUMBER})*)`, 'gi');
/** "(4.10)", "(4.10, 6.13)": how the contract and the glossary refer to sections. */
const REFERENCE = /\((\d+\.\d+(?:(?:,| to) \d+\.\d+)*)\)/g;
const REFERRING = new Set(['docs/contract.md', 'docs/glossary.md']);
/** Documents that were never in the repository. */
const MISSING_DOCUMENT = /(?<=[(;,]\s?)(?:source \d|design\b|house\b)|\bsource document\b/g;

const COMMENT: Readonly<Record<string, RegExp>> = {
  md: /^.*$/gm,
  yaml: /(?:^|\s)#.*$/gm,
  sh: /(?:^|\s)#.*$/gm,
  html: /<!--.*$/gm,
};
// Includes the command, which has no file extension.
const COMMENT_OF_CODE = /(?:^|\s)(?:\/\/|\/\*).*$|^\s*\*\s.*$/gm;

/** The numbers of the contract's headings, in order. */
export function sectionsOf(contract: string): string[] {
  return [...contract.matchAll(HEADING)].map(([, section, subsection]) => section ?? subsection ?? '');
}

/** Checks comments only; in Markdown all of the text. */
export function deadCitations(path: string, text: string, sections: ReadonlySet<string>): Offence[] {
  const comments = commentsOf(path, text);
  const patterns = REFERRING.has(path) ? [CITATION, REFERENCE] : [CITATION];
  const cited = patterns.flatMap((pattern) => [...comments.matchAll(pattern)]);
  return [
    ...cited.flatMap(({ index, 1: numbers = '' }) =>
      (numbers.match(new RegExp(NUMBER, 'g')) ?? [])
        .filter((number) => !sections.has(number))
        .map((number) => ({ at: index, found: `docs/contract.md has no section ${number}` })),
    ),
    ...[...comments.matchAll(MISSING_DOCUMENT)].map(({ index, 0: found }) => ({
      at: index,
      found: `"${found}" cites a document that is not in the repository`,
    })),
  ];
}

/** As long as the text, with blanks for code, comment marks and line ends, so that a citation may span two lines. */
function commentsOf(path: string, text: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const comments = text.split('').fill(' ');
  for (const { index, 0: comment } of text.matchAll(COMMENT[ending] ?? COMMENT_OF_CODE)) {
    const words = comment.replace(/^\s*(?:\/\/|\/\*+|\*|#|<!--)/, (mark) => ' '.repeat(mark.length));
    comments.splice(index, words.length, ...words.replaceAll('\n', ' '));
  }
  return comments.join('');
}
