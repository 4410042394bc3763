// Splits a line of text into runs of one font and one direction, in the order in which they are drawn from left to right.
import { createRequire } from 'node:module';

import type { Piece } from './choose-fonts.ts';
import type { FontName } from './font-files.ts';

export type Run = { readonly text: string; readonly font: FontName; readonly isRtl: boolean };

type Leveled = Run & { readonly level: number };

type Bidi = {
  /** One level for each UTF-16 code unit of the text. */
  getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl' | 'auto'): { readonly levels: Uint8Array };
};

// Its types are those of its module for bundlers, which Node does not load.
const bidi = (createRequire(import.meta.url)('bidi-js') as () => Bidi)();

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Embedding levels of the characters: odd ones are read from right to left. The direction of the text is that of its first letter that has
 * one, as for a `<bdi>`.
 */
export function levelsOf(text: string): Uint8Array {
  return RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'auto').levels : new Uint8Array(text.length);
}

/** @param levels Of the characters of the pieces together. */
export function runsOf(pieces: readonly Piece[], levels: Uint8Array): Run[] {
  const runs: Leveled[] = [];
  let at = 0;
  for (const { text, font: own } of pieces) {
    const level = levels[at] ?? 0;
    at += text.length;
    const last = runs.at(-1);
    // Every font has the blank: words of one font stay together.
    const font = text === ' ' && last?.level === level ? last.font : own;
    if (last?.level === level && last.font === font) runs[runs.length - 1] = { ...last, text: last.text + text };
    else runs.push({ text, font, isRtl: level % 2 === 1, level });
  }
  return inVisualOrder(runs).map(({ text, font, isRtl }) => ({ text, font, isRtl }));
}

/** Rule L2 of the bidirectional algorithm, on whole runs: what reads from right to left is reversed, the deepest first. */
function inVisualOrder(runs: readonly Leveled[]): readonly Leveled[] {
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  let ordered = [...runs];
  for (let level = highest; level > 0; level -= 1) {
    const next: Leveled[] = [];
    let reversed: Leveled[] = [];
    for (const run of ordered) {
      if (run.level >= level) reversed.push(run);
      else {
        next.push(...reversed.toReversed(), run);
        reversed = [];
      }
    }
    ordered = [...next, ...reversed.toReversed()];
  }
  return ordered;
}
