import { describe, expect, it } from 'vitest';

import type { Piece } from './choose-fonts.ts';
import type { FontName } from './font-files.ts';
import { levelsOf, runsOf } from './text-runs.ts';

const fontOf = (character: string): FontName =>
  /\p{Script=Hebrew}/u.test(character)
    ? 'noto-sans-hebrew'
    : /\p{Script=Arabic}/u.test(character)
      ? 'noto-naskh-arabic'
      : 'noto-sans';

function runs(text: string): string[] {
  const pieces: Piece[] = [...text].map((character) => ({ text: character, font: fontOf(character) }));
  return runsOf(pieces, levelsOf(text)).map((run) => `${run.isRtl ? '<' : '>'}${run.text}`);
}

describe('runsOf', () => {
  it.each([
    ['one run for text of one font', 'Summit Debt', ['>Summit Debt']],
    ['words of one font with their blanks', 'חברה בעמ', ['<חברה בעמ']],
    ['Latin first, with a Hebrew word inside', 'Summit חברה Ltd', ['>Summit ', '<חברה', '> Ltd']],
    ['Hebrew first, from the right', 'חברה Summit Ltd', ['>Summit Ltd', '<חברה ']],
    ['numbers inside of Arabic from left to right', 'شركة 123 محمد', ['<محمد', '< ', '>123', '<شركة ']],
    ['two scripts from right to left', 'חברה شركة', ['<شركة', '<חברה ']],
    ['nothing', '', []],
  ])('gives %s', (_what, text, expected) => {
    expect(runs(text)).toEqual(expected);
  });
});
