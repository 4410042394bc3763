// Chooses the figures of a run: those of a measurement or, with `--tiny`, the smallest with which a section still does all that it does.

export const IS_TINY = process.argv.includes('--tiny');

export const sized = (measured: number, tiny: number): number => (IS_TINY ? tiny : measured);
