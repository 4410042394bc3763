import type { MantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';

import { cssVariables } from './theme.ts';

/** Backgrounds of text: the page, a quiet row, and in the dark scheme a menu, which is lighter. */
const GROUNDS = { light: ['#ffffff', '#f5f7f8'], dark: ['#242424', '#1d1f21', '#2e2e2e'] } as const;

describe.each(['light', 'dark'] as const)('the %s color scheme', (scheme) => {
  // The resolver reads nothing from the theme.
  const variables = cssVariables({} as MantineTheme)[scheme];
  const texts = Object.entries(variables).filter(([name]) => !name.endsWith('-ground'));

  it('replaces Mantine’s amber in the titles of warnings', () => {
    expect(texts.map(([name]) => name)).toContain('--mantine-color-yellow-outline');
  });

  it.each(texts)('gives %s a contrast of at least 4.5 on every background', (_, color) => {
    for (const ground of GROUNDS[scheme]) expect([ground, contrast(color, ground) >= 4.5]).toEqual([ground, true]);
  });
});

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
