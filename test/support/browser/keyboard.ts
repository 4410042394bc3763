// Operates the pages by keyboard only. Every focused element must be reachable, visible and not covered.
import type { ElementHandle, Locator, Page } from 'playwright-core';

import { eventually } from '../eventually.ts';

// More stops than any page needs to its main purpose: a longer way is a circle.
const MOST_PRESSES = 150;
/** Longer texts arrive at once, as when they are pasted: pages that show a result at each letter would show it a thousand times. */
const TYPED = 60;

type Way = {
  /** Shift and Tab. */
  readonly backwards?: boolean;
};

/** Presses Tab until the element, or one in it, has the focus, and checks WCAG 2.4.7 and 2.4.11 there. */
export async function tabTo(page: Page, locator: Locator, { backwards = false }: Way = {}): Promise<void> {
  await locator.waitFor({ state: 'attached' });
  await pressUntil(page, { key: backwards ? 'Shift+Tab' : 'Tab', goal: locator });
  await seeFocus(page);
}

/** Tab to it, then the key: Enter for links and buttons, Space for boxes. */
export async function activate(page: Page, locator: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, locator);
  await page.keyboard.press(key);
}

/** Moves to the field with Tab, and replaces its text. */
export async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  if (text === '') await page.keyboard.press('Delete');
  else if (text.length > TYPED) await page.keyboard.insertText(text);
  else await page.keyboard.type(text);
}

/** Radios are one stop for Tab: within them, arrow keys move and choose. */
export async function choose(page: Page, radio: Locator): Promise<void> {
  await radio.waitFor({ state: 'attached' });
  await pressUntil(page, { key: 'Tab', goal: radio, of: 'group' });
  await arrowTo(page, radio);
  if (!(await radio.isChecked())) await page.keyboard.press('Space');
}

/** Moves with arrow keys to an element of an open menu or a group of radios. */
export async function arrowTo(page: Page, locator: Locator, key = 'ArrowDown'): Promise<void> {
  await locator.waitFor({ state: 'attached' });
  await pressUntil(page, { key, goal: locator });
  await seeFocus(page);
}

/** Chooses an option of an open list by the first letters of its words, as native and filtering lists allow. */
export async function pick(page: Page, list: Locator, words: string): Promise<void> {
  await tabTo(page, list);
  if (await list.evaluate((element) => element instanceof HTMLSelectElement)) {
    await page.keyboard.type(words);
    return;
  }
  const option = page.getByRole('option', { name: words, exact: true });
  await page.keyboard.press('ArrowDown');
  await option.waitFor();
  for (let presses = 0; !(await option.evaluate((element) => element.hasAttribute('data-combobox-selected')));) {
    if ((presses += 1) > MOST_PRESSES) throw new Error(`ArrowDown does not lead to the option ${words}`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

/** Opens a page from the menu of pages, back at the top of the page. */
export async function followMenu(page: Page, entry: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: entry });
  await tabTo(page, link, { backwards: true });
  await page.keyboard.press('Enter');
  await link.and(page.locator('[aria-current="page"]')).waitFor();
}

/** Checks that the focused element is in the window, uncovered, and visibly focused. */
async function seeFocus(page: Page): Promise<void> {
  // A frame may pass between the key and the new look of a busy page; a missing one fails in any case.
  let fault: string | null = null;
  try {
    await eventually('the focus is seen', async () => {
      fault = await page.evaluate(faultOfFocus);
      return fault === null;
    });
  } catch (error) {
    const { name } = await page.locator('body').evaluate(lookAtFocus, 'itself');
    throw new Error(`${fault ?? 'nothing was seen'}: ${name}`, { cause: error });
  }
}

type Going = { readonly key: string; readonly goal: Locator; readonly of?: 'itself' | 'group' };

async function pressUntil(page: Page, { key, goal, of = 'itself' }: Going): Promise<void> {
  const passed = new Set<string>();
  // Finding the goal by its role and name takes ten times as long as looking at the focus, so the found element is looked at until it seems
  // to be reached, or is gone: pages replace elements.
  let found: ElementHandle<HTMLElement | SVGElement> | null = null;
  for (let presses = 0; presses <= MOST_PRESSES; presses += 1) {
    let seen = (await found?.evaluate(lookAtFocus, of)) ?? null;
    if (seen === null || seen.isThere || seen.isGone) {
      seen = await goal.evaluate(lookAtFocus, of);
      if (seen.isThere) return;
      found = await goal.elementHandle();
    }
    passed.add(seen.name);
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${String(goal)}, only to:\n${[...passed].join('\n')}`);
}

// The functions below run in the page, so each is self-contained.

/** Whether the element, or another radio of its group, has the focus, and which element has it. */
function lookAtFocus(goal: Element, of: string): { isThere: boolean; isGone: boolean; name: string } {
  const focused = document.activeElement;
  const isGone = !goal.isConnected;
  if (focused === null || focused === document.body) return { isThere: false, isGone, name: 'nothing' };
  const field = focused instanceof HTMLInputElement ? focused : null;
  const isOfGroup = field?.type === 'radio' && field.name === goal.getAttribute('name');
  const name = focused.getAttribute('aria-label') ?? field?.labels?.[0]?.textContent ?? focused.textContent ?? '';
  const role = focused.getAttribute('role') ?? focused.tagName.toLowerCase();
  return {
    isThere: of === 'group' ? isOfGroup : goal.contains(focused),
    isGone,
    name: `${role} “${name.trim().slice(0, 60)}”`,
  };
}

/** The drawn part of a field may be beside or around it. */
function faultOfFocus(): string | null {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nothing has the focus';
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const isField = element.matches('input, textarea, select');
  // A field for several values has its values between itself and its frame.
  const frame = element.closest('.mantine-Input-input');
  const around = isField ? [element.nextElementSibling, element.parentElement, frame, ...labels] : [];
  const shown = [element, ...around].filter((one) => one !== null);
  const isSeen = shown.some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return isOutlined || (one === element && boxShadow !== 'none');
  });
  if (!isSeen) return 'the focus is not seen';
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
