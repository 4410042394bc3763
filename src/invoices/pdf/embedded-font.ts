// Lets the PDF library draw with an opened font: its glyphs as HarfBuzz places them, each with the text that it stands for.
import type { OpenedFont, ShapedGlyph } from './open-font.ts';

/** What the PDF library passes on to say that a run reads from right to left. */
export const RTL: PDFKit.Mixins.OpenTypeFeatures[] = ['rtla'];
export const LTR: PDFKit.Mixins.OpenTypeFeatures[] = [];

export type EmbeddedFont = {
  readonly key: string;
  /** For `registerFont` of one document. */
  readonly source: Uint8Array;
  /** In points, of a text that is drawn in one run. */
  readonly widthOf: (text: string, size: number, isRtl: boolean) => number;
  /** Whether a reader of the glyphs one by one reads the text: none of them is moved, or stands for several characters. */
  readonly isPlain: (text: string) => boolean;
};

/** For one document: a document embeds the glyphs that it uses. */
export function embedFont({ key, file, shape }: OpenedFont): EmbeddedFont {
  const shaped = new Map<string, ShapedGlyph[]>();
  const shapeOnce = (text: string, isRtl: boolean): ShapedGlyph[] => {
    const at = `${isRtl ? '<' : '>'}${text}`;
    const known = shaped.get(at) ?? shape(text, isRtl);
    shaped.set(at, known);
    return known;
  };
  const slots = createSlots();
  const layout = (text: string, features: readonly string[] = []) => {
    const glyphs = shapeOnce(text, features === RTL);
    return {
      glyphs: glyphs.map((one) => ({
        id: slots.idOf(one.glyph, one.text),
        advanceWidth: one.width,
        codePoints: [...one.text].map((character) => character.codePointAt(0)),
      })),
      // The library scales them in place.
      positions: glyphs.map(({ advance, x, y }) => ({ xAdvance: advance, yAdvance: 0, xOffset: x, yOffset: y })),
      advanceWidth: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    };
  };
  const createSubset = () => {
    const subset = file.createSubset();
    return {
      cff: subset.cff,
      includeGlyph: (id: number): number => slots.include(id, subset.glyphs),
      encode: () => subset.encode(),
    };
  };
  // The library also takes an opened font, which its types do not know.
  const source = Object.create(file, {
    layout: { value: layout },
    createSubset: { value: createSubset },
    // Reading the table would read the names of all glyphs.
    post: { value: { isFixedPitch: 0 } },
  }) as Uint8Array;
  const widthOf = (text: string, size: number, isRtl: boolean): number =>
    (layoutWidth(shapeOnce(text, isRtl)) * size) / file.unitsPerEm;
  const isPlain = (text: string): boolean =>
    shapeOnce(text, false).every((glyph) => [...glyph.text].length === 1 && glyph.x === 0);
  return { key, source, widthOf, isPlain };
}

function layoutWidth(glyphs: readonly ShapedGlyph[]): number {
  return glyphs.reduce((sum, { advance }) => sum + advance, 0);
}

/**
 * A glyph that stands for different characters, as one of a letter whose dots are glyphs of their own, is embedded once for each, because a
 * reader copies the one text that an embedded glyph has.
 */
function createSlots() {
  const ids = new Map<string, number>();
  const glyphs: number[] = [];
  const included = new Map<number, number>();
  return {
    idOf(glyph: number, text: string): number {
      const key = `${glyph} ${text}`;
      const known = ids.get(key) ?? glyphs.push(glyph) - 1;
      ids.set(key, known);
      return known;
    },
    include(id: number, subset: number[]): number {
      const known = included.get(id) ?? subset.push(glyphs[id] ?? 0) - 1;
      included.set(id, known);
      return known;
    },
  };
}
