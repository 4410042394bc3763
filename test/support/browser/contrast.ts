// Measures the contrast of all text on a page, in fields too, from the computed colors, also where axe does not judge.
import type { Page } from 'playwright-core';

/** Texts with less than 4.5 to what is behind them, as lines. Disabled controls and text above a picture are left out. */
export async function faintTexts(page: Page): Promise<string[]> {
  // Colors that are changing would be measured halfway.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  return page.evaluate(() => {
    type Color = readonly [red: number, green: number, blue: number, alpha: number];
    const LEAST = 4.5;
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (canvas === null) throw new Error('no canvas to read colors with');
    const known = new Map<string, Color>();
    const read = (text: string): Color => {
      const before = known.get(text);
      if (before !== undefined) return before;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      const color: Color = [red, green, blue, alpha / 255];
      known.set(text, color);
      return color;
    };
    const over = ([r, g, b, alpha]: Color, [br, bg, bb]: Color): Color => [
      r * alpha + br * (1 - alpha),
      g * alpha + bg * (1 - alpha),
      b * alpha + bb * (1 - alpha),
      1,
    ];
    const luminance = ([r, g, b]: Color): number => {
      const [lr = 0, lg = 0, lb = 0] = [r, g, b].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
    };
    /** What is behind the text of an element, null above a picture, and how opaque the text is. Parents are shared by many elements. */
    type Behind = { readonly ground: Color | null; readonly opacity: number };
    const measured = new Map<Element, Behind>();
    const behind = (element: Element | null): Behind => {
      if (element === null) return { ground: [255, 255, 255, 1], opacity: 1 };
      const before = measured.get(element);
      if (before !== undefined) return before;
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const parent = behind(element.parentElement);
      const color = read(backgroundColor);
      const below = backgroundImage === 'none' ? parent.ground : null;
      const ground = color[3] === 1 && backgroundImage === 'none' ? color : below === null ? null : over(color, below);
      const found = { ground, opacity: parent.opacity * Number(opacity) };
      measured.set(element, found);
      return found;
    };
    const faults = new Set<string>();
    const judge = (element: Element, text: string, foreground: string): void => {
      if (element.closest('script, style, noscript, :disabled, [aria-disabled="true"], [data-disabled]') !== null)
        return;
      const { width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || !element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }))
        return;
      const { ground, opacity } = behind(element);
      if (ground === null) return;
      const [red, green, blue, alpha] = read(foreground);
      const [one, other] = [luminance(over([red, green, blue, alpha * opacity], ground)), luminance(ground)];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < LEAST) faults.add(`contrast ${contrast.toFixed(2)} of “${text.slice(0, 40)}”`);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (text === '' || element === null) continue;
      const { color, fill } = getComputedStyle(element);
      judge(element, text, element instanceof SVGElement ? fill : color);
    }
    const WITHOUT_TEXT = ['hidden', 'checkbox', 'radio', 'range', 'color', 'file', 'image'];
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
      if (WITHOUT_TEXT.includes(field.type)) continue;
      const name = field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? field.name;
      // Also while it is empty: the user will read what is typed.
      judge(field, name, getComputedStyle(field).color);
      if (field.value === '' && (field.placeholder ?? '') !== '')
        judge(field, field.placeholder, getComputedStyle(field, '::placeholder').color);
    }
    return [...faults];
  });
}
