// Finds for each character of a document a font that has it, opening as few as possible, and says which characters no font has.
import { plain, REPLACEMENT } from '../document-text.rules.ts';
import { BASE, type FontName, LAST_RESORT, SCRIPT_FONTS } from './font-files.ts';
import { type OpenedFont, openFont, type Weight } from './open-font.ts';
import { clustersOf } from './text-parts.rules.ts';

/** A part of a text that is drawn with one font: a character with its marks. */
export type Piece = { readonly text: string; readonly font: FontName };

export type ChosenFonts = {
  /** Of one of the texts, or of a part of it. */
  readonly piecesOf: (text: string) => Piece[];
  readonly fontOf: (name: FontName, weight: Weight) => OpenedFont;
  /** Characters that are drawn as a sign for a missing one, in the order of the texts. */
  readonly missing: readonly string[];
};

/** Kept for the life of the process: there are as many as characters were ever printed. Null for one that no font has. */
const fonts = new Map<string, FontName | null>();

/** The texts are plain ones. */
export async function chooseFonts(texts: readonly string[]): Promise<ChosenFonts> {
  const pieces = new Map<string, Piece[]>();
  const missing = new Set<string>();
  for (const cluster of new Set(texts.flatMap(clustersOf))) {
    const found = await splitByFont(cluster);
    pieces.set(
      cluster,
      found.map(({ text, font }) => (font === null ? { text: REPLACEMENT, font: BASE } : { text, font })),
    );
    for (const { text, font } of found) if (font === null) missing.add(text);
  }
  const names = new Set<FontName>([
    BASE,
    ...[...pieces.values()].flatMap((ofCluster) => ofCluster.map(({ font }) => font)),
  ]);
  const opened = new Map<string, OpenedFont>();
  for (const name of names) {
    for (const weight of ['regular', 'bold'] as const) opened.set(`${weight} ${name}`, await openFont(name, weight));
  }
  return {
    piecesOf: (text) => clustersOf(text).flatMap((cluster) => pieces.get(cluster) ?? { text: cluster, font: BASE }),
    fontOf: (name, weight) => {
      const font = opened.get(`${weight} ${name}`);
      if (font === undefined) throw new Error(`the font ${name} was not opened`);
      return font;
    },
    missing: [...missing],
  };
}

/** Characters of texts as users wrote them that no font has, so that a PDF could not show them; each once. */
export async function findMissingCharacters(texts: readonly string[]): Promise<readonly string[]> {
  return (await chooseFonts(texts.map(plain))).missing;
}

/** Characters whose marks are in no font together with them are drawn one by one. */
async function splitByFont(cluster: string): Promise<Array<{ readonly text: string; readonly font: FontName | null }>> {
  const whole = await fontOf(cluster);
  if (whole !== null || [...cluster].length === 1) return [{ text: cluster, font: whole }];
  return await Promise.all([...cluster].map(async (text) => ({ text, font: await fontOf(text) })));
}

async function fontOf(cluster: string): Promise<FontName | null> {
  const known = fonts.get(cluster);
  if (known !== undefined) return known;
  const font = await findFont(cluster);
  // Combinations are without number.
  if ([...cluster].length === 1) fonts.set(cluster, font);
  return font;
}

/** Characters that are not seen, such as joiners, need no glyph. */
async function findFont(cluster: string): Promise<FontName | null> {
  const seen = [...cluster].filter((character) => !/\p{Default_Ignorable_Code_Point}/u.test(character));
  for (const name of candidates(seen)) {
    const { has } = await openFont(name, 'regular');
    if (seen.every((character) => has(character.codePointAt(0) ?? 0))) return name;
  }
  return null;
}

function candidates(characters: readonly string[]): FontName[] {
  const ofScripts = SCRIPT_FONTS.filter(([script]) => characters.some((character) => script.test(character)));
  return [BASE, ...ofScripts.map(([, name]) => name), LAST_RESORT];
}
