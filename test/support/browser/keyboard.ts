// The pages as somebody without a mouse uses them. Wherever a focus is sought, it must be reachable, seen and not covered.
import type { Locator, Page } from 'playwright-core';

import { eventually } from '../eventually.ts';

// More stops than any page has on the way to what it is for: who needs as many has been sent in a circle.
const MOST_PRESSES = 150;

export type Way = {
  /** Shift and Tab. */
  readonly backwards?: boolean;
};

/** Presses Tab until the element, or one in it, has the focus; then nothing of WCAG 2.4.7 and 2.4.11 may be missing. */
export async function tabTo(page: Page, locator: Locator, { backwards = false }: Way = {}): Promise<void> {
  await locator.waitFor({ state: 'attached' });
  const before = await locator.evaluate(borderOf);
  const key = backwards ? 'Shift+Tab' : 'Tab';
  const passed: string[] = [];
  while (!(await locator.evaluate(holdsFocus))) {
    if (passed.length === MOST_PRESSES) {
      throw new Error(`${key} does not lead to ${String(locator)}, only to:\n${[...new Set(passed)].join('\n')}`);
    }
    await page.keyboard.press(key);
    passed.push(await nameOfFocus(page));
  }
  await seeFocus(page, before);
}

/** Tab to it, then the key: Enter for links and buttons, Space for boxes. */
export async function activate(page: Page, locator: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, locator);
  await page.keyboard.press(key);
}

/** Tab to the field, and writes the text in place of what it held. */
export async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.type(text);
}

/** Radios are one stop for Tab: within, arrows lead on and choose. */
export async function choose(page: Page, radio: Locator): Promise<void> {
  const name = await radio.getAttribute('name');
  await tabTo(page, page.locator(`:is(div, fieldset):has(> * input[type="radio"][name="${name}"])`).last());
  await arrowTo(page, radio);
  if (!(await radio.isChecked())) await page.keyboard.press('Space');
}

/** Down to the element that an open menu or a group of radios is to have in focus. */
export async function arrowTo(page: Page, locator: Locator, key = 'ArrowDown'): Promise<void> {
  await locator.waitFor({ state: 'attached' });
  const passed: string[] = [];
  while (!(await locator.evaluate(holdsFocus))) {
    if (passed.length === MOST_PRESSES) {
      throw new Error(`${key} does not lead to ${String(locator)}, only to:\n${[...new Set(passed)].join('\n')}`);
    }
    await page.keyboard.press(key);
    passed.push(await nameOfFocus(page));
  }
  await seeFocus(page, null);
}

/** Of a list that one opens: the option by the first letters of its words, as native lists and filtering ones take them. */
export async function pick(page: Page, list: Locator, words: string): Promise<void> {
  await tabTo(page, list);
  if (await list.evaluate((element) => element instanceof HTMLSelectElement)) {
    await page.keyboard.type(words);
    return;
  }
  const option = page.getByRole('option', { name: words, exact: true });
  await page.keyboard.press('ArrowDown');
  await option.waitFor();
  for (let presses = 0; !(await option.evaluate((element) => element.hasAttribute('data-combobox-selected'))); ) {
    if ((presses += 1) > MOST_PRESSES) throw new Error(`ArrowDown does not lead to the option ${words}`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

/** What has the focus is in the window, uncovered, and shows that it has it. */
export async function seeFocus(page: Page, borderBefore: string | null): Promise<void> {
  // A frame may pass between the key and the new look of a page that is busy; what never comes fails all the same.
  let fault: string | null = null;
  try {
    await eventually('the focus is seen', async () => {
      fault = await page.evaluate(faultOfFocus, borderBefore);
      return fault === null;
    });
  } catch {
    throw new Error(`${String(fault)}: ${await nameOfFocus(page)}`);
  }
}

function holdsFocus(element: Element): boolean {
  return element.contains(element.ownerDocument.activeElement);
}

function borderOf(element: Element): string {
  const field = element.matches('input, textarea, select') ? element : element.querySelector('input, textarea, select');
  return field === null || field === document.activeElement ? '' : getComputedStyle(field).borderColor;
}

function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return 'nothing';
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} ${element.getAttribute('role') ?? ''} “${name.trim().slice(0, 60)}”`;
  });
}

/** Runs in the page. Fields of the library tell of their focus by the colour of the border, small ones by what stands beside them. */
function faultOfFocus(borderBefore: string | null): string | null {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nothing has the focus';
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const shown = [element, element.nextElementSibling, element.parentElement, ...labels].filter((one) => one !== null);
  const isSeen = shown.some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
  const isField = element.matches('input, textarea, select');
  const isBordered = isField && borderBefore !== null && getComputedStyle(element).borderColor !== borderBefore;
  if (!isSeen && !isBordered) return 'the focus is not seen';
  const isUncovered = shown.some((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [west, east] = [Math.max(left, 0), Math.min(right, innerWidth)];
    const [north, south] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    if (west >= east || north >= south) return false;
    return [0.02, 0.25, 0.5, 0.75, 0.98].some((part) => {
      const hit = document.elementFromPoint(west + (east - west) * part, north + (south - north) * part);
      return hit !== null && shown.some((each) => each.contains(hit));
    });
  });
  return isUncovered ? null : 'the focus is out of sight or covered';
}
