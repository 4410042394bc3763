import type { MantineTheme } from '@mantine/core';
import { describe, expect, test } from 'vitest';

import { cssVariables } from './theme.ts';

/** What text stands on: the page, a quiet row, and in the dark a menu, which is lighter. */
const GROUNDS = { light: ['#ffffff', '#f5f7f8'], dark: ['#242424', '#1d1f21', '#2e2e2e'] } as const;

describe.each(['light', 'dark'] as const)('In the %s scheme', (scheme) => {
  // It reads nothing of the theme.
  const variables = cssVariables({} as MantineTheme)[scheme];
  const texts = Object.entries(variables).filter(([name]) => !name.endsWith('-ground'));

  test('titles of warnings have a colour of their own, not the library’s amber', () => {
    expect(texts.map(([name]) => name)).toContain('--mantine-color-yellow-outline');
  });

  test.each(texts)('%s has a contrast of at least 4.5 on every ground', (_, colour) => {
    for (const ground of GROUNDS[scheme]) expect([ground, contrast(colour, ground) >= 4.5]).toEqual([ground, true]);
  });
});

test('the library’s amber on white, which all of this replaces, is seen to be too pale', () => {
  expect(contrast('#fab005', '#ffffff')).toBeLessThan(2);
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

/** By WCAG 2.2: of two colours such as #8a5300. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
