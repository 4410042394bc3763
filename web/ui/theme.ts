// The theme of both applications. Every text color reaches a contrast of 4.5 on its background (WCAG 2.2 AA).
import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** Of good news, whatever the accent color is. */
const pine: MantineColorsTuple = [
  '#e6f7f4',
  '#cdeee8',
  '#9adcd1',
  '#64c9b9',
  '#37b09f',
  '#1a9484',
  '#0e7d70',
  '#0b6b62',
  '#085950',
  '#054640',
];

const base = {
  primaryColor: 'accent',
  // Both carry white text. Mantine decides by the light shade alone.
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.28,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1rem' } },
  },
  respectReducedMotion: true,
  components: {
    // Its header element would be a second banner of the page.
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: { header: { role: 'presentation' } } },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show text', tabIndex: 0 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    // During a color transition the contrast would be too low.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
} satisfies MantineThemeOverride;

/** `accent` are the ten shades of the marketplace's color; without them, as before its settings are known, those of good news. */
export function themeOf(accent: MantineColorsTuple = pine): MantineThemeOverride {
  return createTheme({ ...base, colors: { pine, accent } });
}

/** Replaces Mantine's grays, red and yellow for dimmed text, placeholders, errors and warnings, which are too light for small text. */
export const cssVariables: CSSVariablesResolver = ({ colors: { accent } }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#666d74',
    '--mantine-color-error': '#b42318',
    '--mantine-color-red-outline': '#b42318',
    '--mantine-color-yellow-outline': '#8a5300',
    '--mantine-color-gray-outline': '#545b62',
    '--mantine-color-anchor': accent?.[7] ?? '',
    '--lm-good': '#146c2e',
    '--lm-bad': '#b42318',
    '--lm-warn': '#8a5300',
    '--lm-idle': '#545b62',
    '--lm-ground': '#f4f6f8',
    '--lm-quiet-ground': '#f5f7f8',
    '--lm-card-edge': '#dfe3e8',
    '--lm-card-shadow': '0 1px 2px rgb(16 24 40 / 6%), 0 1px 3px rgb(16 24 40 / 8%)',
  },
  dark: {
    '--mantine-color-dimmed': '#b0b6bc',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff9c8f',
    '--mantine-color-red-outline': '#ff9c8f',
    '--mantine-color-yellow-outline': '#f2b95c',
    '--mantine-color-gray-outline': '#b0b6bc',
    '--mantine-color-anchor': accent?.[3] ?? '',
    '--lm-good': '#7fd494',
    '--lm-bad': '#ff9c8f',
    '--lm-warn': '#f2b95c',
    '--lm-idle': '#b0b6bc',
    // Cards, header and menu are one step lighter than the ground.
    '--mantine-color-body': '#1f2023',
    '--lm-ground': '#141517',
    '--lm-quiet-ground': '#26282b',
    '--lm-card-edge': '#34373b',
    '--lm-card-shadow': 'none',
  },
});
