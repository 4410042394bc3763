// Types of the part of fontkit that embedding a font needs; the library has none.
declare module 'fontkit' {
  export type Subset = {
    /** The glyphs of the font in the order of the subset; the first is the sign for a missing one. */
    readonly glyphs: number[];
    readonly cff?: unknown;
    encode(): Uint8Array;
  };

  export type Font = {
    readonly unitsPerEm: number;
    createSubset(): Subset;
  };

  export function create(bytes: Uint8Array): Font;
}
