// Makes ten readable shades of the marketplace's accent color, for pages, mails and documents.

/**
 * The relative luminance of each shade, from pale to dark (WCAG 2.2). White text on shades 6 to 9 has a contrast of at least 4.9, and so
 * has shade 7 as text on the ground of light pages and shade 3 on the grounds of dark ones.
 */
const LUMINANCES = [0.91, 0.79, 0.64, 0.48, 0.34, 0.23, 0.16, 0.12, 0.085, 0.055] as const;

export type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

/** `accent` is a color such as `#0b6b62`. */
export function accentShades(accent: string): Shades {
  const color = channelsOf(accent);
  return LUMINANCES.map((luminance) => mixedTo(color, luminance)) as unknown as Shades;
}

type Channels = readonly [red: number, green: number, blue: number];

/** Mixes a color with white or black until it has the luminance, which keeps its hue. */
function mixedTo(color: Channels, luminance: number): string {
  const end = luminanceOf(color) < luminance ? 255 : 0;
  const mixed = (share: number): Channels => {
    const [red, green, blue] = color.map((channel) => channel + (end - channel) * share);
    return [red ?? 0, green ?? 0, blue ?? 0];
  };
  let [low, high] = [0, 1];
  // Halved until the channels, which are bytes, no longer change.
  for (let round = 0; round < 12; round += 1) {
    const share = (low + high) / 2;
    const isTooFar = end === 255 ? luminanceOf(mixed(share)) > luminance : luminanceOf(mixed(share)) < luminance;
    if (isTooFar) high = share;
    else low = share;
  }
  return hexOf(mixed(low));
}

function channelsOf(color: string): Channels {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return [red, green, blue];
}

function hexOf(channels: Channels): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(channels: Channels): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
