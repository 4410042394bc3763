// Operates pages by keyboard or by pointer through the same calls, and counts the steps: clicks, fields and keys.
import type { Locator, Page } from 'playwright-core';

import { activate, arrowTo, choose, pick, tabTo, write } from './keyboard.ts';

export type Hand = {
  readonly page: Page;
  /** Clicks, fields and keys so far; moving the focus or the pointer is no step. */
  readonly steps: () => number;
  /** A link, a button, a tab or an entry of a menu. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(field: Locator, text: string): Promise<void>;
  /** An option of a list. */
  pick(list: Locator, option: string): Promise<void>;
  /** A radio button, a switch or a checkbox. */
  choose(input: Locator): Promise<void>;
  /** A shortcut. */
  key(name: string): Promise<void>;
  /** A file for a file field, or for the button of one. */
  give(
    field: Locator,
    file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
  ): Promise<void>;
};

export const hands = ['keyboard', 'pointer'] as const;

export function handOf(kind: (typeof hands)[number], page: Page): Hand {
  let steps = 0;
  const moves = kind === 'keyboard' ? byKeyboard(page) : byPointer(page);
  const counted =
    <Rest extends readonly unknown[]>(move: (...rest: Rest) => Promise<void>) =>
    (...rest: Rest): Promise<void> => {
      steps += 1;
      return move(...rest);
    };
  return {
    page,
    steps: () => steps,
    press: counted(moves.press),
    type: counted(moves.type),
    pick: counted(moves.pick),
    choose: counted(moves.choose),
    key: counted((name) => page.keyboard.press(name)),
    give: counted((field, file) => field.setInputFiles(file)),
  };
}

type Moves = Pick<Hand, 'press' | 'type' | 'pick' | 'choose'>;

function byKeyboard(page: Page): Moves {
  return {
    async press(target) {
      const role = await target.getAttribute('role');
      // Within a menu and a row of tabs, arrow keys move.
      if (role === 'menuitem') await arrowTo(page, target);
      else if (role === 'tab') {
        await tabTo(page, target.locator('xpath=..').locator('[role="tab"][aria-selected="true"]'));
        await arrowTo(page, target, 'ArrowRight');
      } else await tabTo(page, target);
      await page.keyboard.press('Enter');
    },
    type: (field, text) => write(page, field, text),
    pick: (list, option) => pick(page, list, option),
    async choose(input) {
      if ((await input.getAttribute('type')) === 'radio') return choose(page, input);
      return activate(page, input, 'Space');
    },
  };
}

function byPointer(page: Page): Moves {
  return {
    press: (target) => target.click(),
    type: (field, text) => field.fill(text),
    async pick(list, option) {
      if (await list.evaluate((element) => element instanceof HTMLSelectElement)) {
        const labels = await list.locator('option').allTextContents();
        await list.selectOption({ label: labels.find((label) => label.startsWith(option)) ?? option });
        return;
      }
      await list.click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
    // The drawn part of a hidden input is its label; the box of a row has none.
    async choose(input) {
      const id = await input.getAttribute('id');
      const label = page.locator(`label[for="${id ?? ''}"]`).first();
      await ((await label.count()) > 0 ? label : input).click();
    },
  };
}
