// Signs the users of the browser tests in, by the normal form.
import type { Page } from 'playwright-core';

import { OPERATOR_PASSWORD } from '../signed-in.ts';

/** A partner with a token or a supplier with a key; resolves on the page after the sign-in. */
export async function signInToPortal(page: Page, credential: string, address = '/portal'): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Access token or supplier key').fill(credential);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor({ state: 'attached' });
}

export async function signInToConsole(page: Page, name: string, address = '/console'): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(OPERATOR_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor({ state: 'attached' });
}
