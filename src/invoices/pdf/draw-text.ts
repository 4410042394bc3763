// Draws text into a PDF: wrapped to a width, in the fonts that its characters need, whatever direction they are read in.
import { strict as assert } from 'node:assert';

import { plain } from '../document-text.rules.ts';
import { type ChosenFonts, chooseFonts } from './choose-fonts.ts';
import { type EmbeddedFont, embedFont, LTR, RTL } from './embedded-font.ts';
import { BASE, type FontName } from './font-files.ts';
import type { Weight } from './open-font.ts';
import { clustersOf, wordsOf } from './text-parts.rules.ts';
import { levelsOf, type Run, runsOf } from './text-runs.ts';

export type TextStyle = { readonly weight: Weight; readonly size: number; readonly color: string };

export type TextBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly align?: 'left' | 'right';
};

/** Heights are in points. */
export type Pen = {
  readonly draw: (text: string, box: TextBox, style: TextStyle) => number;
  readonly heightOf: (text: string, width: number, style: Omit<TextStyle, 'color'>) => number;
};

/** Of the size of the letters. Equal for all fonts, so that lines do not jump; the scripts with the tallest letters still fit. */
const LINE_HEIGHT = 1.36;
const BASELINE = 1.03;

/** @param texts All that is going to be drawn. */
export async function createPen(pdf: PDFKit.PDFDocument, texts: readonly string[]): Promise<Pen> {
  const chosen = await chooseFonts(texts.map(plain));
  const embedded = new Map<string, EmbeddedFont>();
  const fontOf = (name: FontName, weight: Weight): EmbeddedFont => {
    const opened = chosen.fontOf(name, weight);
    const known = embedded.get(opened.key);
    if (known !== undefined) return known;
    const font = embedFont(opened);
    embedded.set(opened.key, font);
    pdf.registerFont(font.key, font.source);
    return font;
  };
  const widthOf = (runs: readonly Run[], { weight, size }: Sized): number =>
    runs.reduce((sum, { text, font, isRtl }) => sum + fontOf(font, weight).widthOf(text, size, isRtl), 0);
  const linesOf = (text: string, width: number, style: Sized): Line[] =>
    wrap(plain(text), { chosen, width, widthOf, style });

  return {
    heightOf: (text, width, style) => linesOf(text, width, style).length * style.size * LINE_HEIGHT,
    draw(text, { x, y, width, align = 'left' }, style) {
      assert(width > 0, 'text needs a width');
      const { weight, size, color } = style;
      const lines = linesOf(text, width, style);
      for (const [index, line] of lines.entries()) {
        let left = align === 'right' ? x + width - line.width : x;
        const baseline = y + (index * LINE_HEIGHT + BASELINE) * size;
        for (const run of line.runs) {
          const font = fontOf(run.font, weight);
          pdf.font(font.key).fontSize(size).fillColor(color);
          // Readers put glyphs from right to left in order by themselves, and would turn such a text around.
          const isMarked = !run.isRtl && !font.isPlain(run.text);
          if (isMarked) pdf.markContent('Span', { actual: run.text });
          pdf.text(run.text, left, baseline, {
            ...{ lineBreak: false, baseline: 'alphabetic', features: run.isRtl ? RTL : LTR },
          });
          if (isMarked) pdf.endMarkedContent();
          left += font.widthOf(run.text, size, run.isRtl);
        }
      }
      return lines.length * size * LINE_HEIGHT;
    },
  };
}

type Sized = Omit<TextStyle, 'color'>;
type Line = { readonly runs: readonly Run[]; readonly width: number };
type Wrapping = {
  readonly chosen: ChosenFonts;
  readonly width: number;
  readonly widthOf: (runs: readonly Run[], style: Sized) => number;
  readonly style: Sized;
};

/** At least one line. A word that is wider than a line is broken between its characters. */
function wrap(text: string, { chosen, width, widthOf, style }: Wrapping): Line[] {
  const levels = levelsOf(text);
  const runs = (from: number, to: number): Run[] => {
    const part = text.slice(from, to).trimEnd();
    return runsOf(chosen.piecesOf(part), levels.subarray(from, from + part.length));
  };
  const line = (from: number, to: number): Line => {
    const ofLine = runs(from, to);
    return { runs: ofLine, width: widthOf(ofLine, style) };
  };
  const whole = line(0, text.length);
  if (whole.width <= width) return [whole];
  const blank = widthOf(runsOf([{ text: '\u00a0', font: BASE }], new Uint8Array(1)), style);
  const lines: Line[] = [];
  let start = 0;
  let end = 0;
  let filled = 0;
  const add = (part: string, isWord: boolean): void => {
    const own = line(end, end + part.length).width;
    if (filled + own > width) {
      if (end > start) lines.push(line(start, end));
      start = end;
      filled = 0;
      if (isWord && own > width) {
        for (const cluster of clustersOf(part)) add(cluster, false);
        return;
      }
    }
    end += part.length;
    filled += own + (part.length - part.trimEnd().length) * blank;
  };
  for (const word of wordsOf(text)) add(word, true);
  return [...lines, line(start, end)];
}
