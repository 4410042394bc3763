// Opens the fonts of PDFs on demand and keeps them: HarfBuzz chooses and places the glyphs of a text, fontkit embeds them.
import { readFile } from 'node:fs/promises';

import type { Font } from 'fontkit';

import { FONT_FILES, type FontFiles, type FontName } from './font-files.ts';
import { sfntOfWoff } from './sfnt-of-woff.ts';

export type Weight = 'regular' | 'bold';

export type ShapedGlyph = {
  readonly glyph: number;
  /** The part of the text that it stands for; empty for a further glyph of the same part. */
  readonly text: string;
  /** All in the font's units. The width is that of the glyph alone, the advance includes kerning. */
  readonly width: number;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
};

export type OpenedFont = {
  /** Name and weight. */
  readonly key: string;
  readonly file: Font;
  /** HarfBuzz answers it, because fontkit would read the whole list of characters. */
  readonly has: (codePoint: number) => boolean;
  readonly shape: (text: string, isRtl: boolean) => ShapedGlyph[];
};

const opened = new Map<string, Promise<OpenedFont>>();

/** A font with one weight is its own bold. */
export async function openFont(name: FontName, weight: Weight): Promise<OpenedFont> {
  const { regular, bold }: FontFiles = FONT_FILES[name];
  const key = weight === 'bold' && bold !== null ? `${name} bold` : name;
  const known = opened.get(key);
  if (known !== undefined) return await known;
  const opening = open(key, (key === name ? regular : (bold ?? regular))());
  opened.set(key, opening);
  // A file that could not be read is tried again by the next document.
  opening.catch(() => void opened.delete(key));
  return await opening;
}

async function open(key: string, url: string): Promise<OpenedFont> {
  // Imported on demand, as the PDF library is.
  const fontkit = await import('fontkit');
  const hb = await import('harfbuzzjs');
  const sfnt = await sfntOfWoff(await readFile(new URL(url)));
  const font = new hb.Font(new hb.Face(new hb.Blob(sfnt)));
  const buffer = new hb.Buffer();
  const shape = (text: string, isRtl: boolean): ShapedGlyph[] => {
    buffer.reset();
    // Letters and their marks stay apart unless the font joins them, so that each glyph knows its own characters.
    buffer.setClusterLevel(hb.ClusterLevel.MONOTONE_CHARACTERS);
    buffer.addText(text);
    buffer.setLanguage('en');
    buffer.setDirection(isRtl ? hb.Direction.RTL : hb.Direction.LTR);
    buffer.guessSegmentProperties();
    hb.shape(font, buffer);
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions();
    const glyphs = infos.map(({ codepoint, cluster }, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      return {
        glyph: codepoint,
        cluster,
        width: font.glyphHAdvance(codepoint),
        advance: xAdvance,
        x: xOffset,
        y: yOffset,
      };
    });
    return withTexts(text, glyphs);
  };
  const has = (codePoint: number): boolean => font.nominalGlyph(codePoint) !== undefined;
  return { key, file: fontkit.create(sfnt), has, shape };
}

type Clustered = Omit<ShapedGlyph, 'text'> & { readonly cluster: number };

/** Of the glyphs that stand for one part of the text together, the widest gets it: marks have no width. */
function withTexts(text: string, glyphs: readonly Clustered[]): ShapedGlyph[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].toSorted((one, other) => one - other);
  const parts = new Map(starts.map((start, index) => [start, text.slice(start, starts[index + 1])]));
  const bearers = new Map<number, Clustered>();
  for (const one of glyphs) {
    const widest = bearers.get(one.cluster);
    if (widest === undefined || one.width > widest.width) bearers.set(one.cluster, one);
  }
  return glyphs.map((one) => {
    const { cluster, ...glyph } = one;
    return { ...glyph, text: bearers.get(cluster) === one ? (parts.get(cluster) ?? '') : '' };
  });
}
