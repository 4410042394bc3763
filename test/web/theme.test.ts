import type { MantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import { cssVariables } from '../../web/ui/theme.ts';

/** Backgrounds of text: a card, the ground, a quiet row, and in the dark scheme a menu, which is lighter. */
const GROUNDS = {
  light: ['#ffffff', '#f4f6f8', '#f5f7f8'],
  dark: ['#1f2023', '#141517', '#26282b', '#2e2e2e'],
} as const;

/** The default, and colors that are unreadable as they are. */
const ACCENTS = ['#0b6b62', '#ffffff', '#000000', '#ffff00', '#00ff00', '#ff0000', '#0000ff', '#808080', '#ffc0cb'];

describe.each(['light', 'dark'] as const)('the %s color scheme', (scheme) => {
  const variables = variablesFor('#0b6b62')[scheme];
  const texts = Object.entries(variables).filter(([name]) => !/-(?:ground|body|edge|shadow)$/.test(name));

  it('replaces Mantine’s amber in the titles of warnings', () => {
    expect(texts.map(([name]) => name)).toContain('--mantine-color-yellow-outline');
  });

  it.each(texts)('gives %s a contrast of at least 4.5 on every background', (_, color) => {
    for (const ground of GROUNDS[scheme]) expect([ground, contrast(color, ground) >= 4.5]).toEqual([ground, true]);
  });

  it.each(ACCENTS)('gives links a contrast of at least 4.5 on every background with the accent %s', (accent) => {
    const color = variablesFor(accent)[scheme]['--mantine-color-anchor'] ?? '';
    for (const ground of GROUNDS[scheme]) expect([ground, contrast(color, ground) >= 4.5]).toEqual([ground, true]);
  });
});

describe('the shades of an accent color', () => {
  it.each(ACCENTS)('of %s carry white text from the seventh on', (accent) => {
    for (const shade of accentShades(accent).slice(6)) expect(contrast(shade, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(ACCENTS)('of %s get darker', (accent) => {
    const shades = accentShades(accent).map((shade) => contrast(shade, '#ffffff'));
    expect(shades.toSorted((one, other) => one - other)).toEqual(shades);
  });

  it('keep the hue', () => {
    expect(accentShades('#0000ff').every((shade) => shade.slice(1, 3) === shade.slice(3, 5))).toBe(true);
  });
});

/** Of the accent color the resolver reads the shades only. */
function variablesFor(accent: string) {
  return cssVariables({ colors: { accent: accentShades(accent) } } as unknown as MantineTheme);
}

describe('the contrast formula of this test', () => {
  it('finds Mantine’s amber on white too pale, and 21 for black on white', () => {
    expect(contrast('#fab005', '#ffffff')).toBeLessThan(2);
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  });
});

/** The WCAG 2.2 contrast ratio of two colors such as #8a5300. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
