// Users and operators are invited, changed and removed in the same dialogs, by keyboard alone (contract 7.12).
import { Secret, TOTP } from 'otpauth';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { newTotpSecret } from '../../src/sessions/one-time-code.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { addUser } from '../../src/users/portal-users.ts';
import { beginUserFactor, confirmUserFactor } from '../../src/users/user-factor.ts';
import { marketYaml } from '../contract/market.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { activate, pick, write } from '../support/browser/keyboard.ts';
import { signInToConsole, signInToPortal } from '../support/browser/people.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

describe.skipIf(hasNoChromium())('the dialogs of accounts', () => {
  let market: TestMarketplace;
  let browser: Browser;
  let passwordHash: string;

  beforeAll(async () => {
    passwordHash = await hashPassword('a password that is not typed');
    [market, browser] = await Promise.all([startTestMarketplace({ yaml: marketYaml() }), startChromium()]);
    await market.signedIn.operator('alex');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
  });

  /** A user of the partner with one-time codes, who may only view. */
  async function addDana(email: string): Promise<void> {
    const owner = { kind: 'buyer', ownerKey: 'summit' } as const;
    await market.database.tx(async (tx) => {
      const now = new Date();
      const user = { ...owner, email, name: 'Dana Ito', roles: [], passwordHash, origin: noOrigin };
      const added = await addUser(tx, user, now);
      if (!added.ok) throw new Error(added.code);
      const { userId } = added.value;
      const factor = await beginUserFactor(tx, userId);
      if (!factor.ok) throw new Error(factor.code);
      const code = new TOTP({ secret: Secret.fromBase32(factor.value.secret) }).generate({ timestamp: now.getTime() });
      const author = { actor: commandLineActor, origin: noOrigin };
      expect((await confirmUserFactor(tx, { ...owner, ...author, userId, email, code }, now)).ok).toBe(true);
    });
  }

  async function inviteAndWithdraw(page: Page, email: string): Promise<void> {
    const dialog = await opened(page, button(page, /^Invite an? (user|operator)$/));
    await write(page, dialog.getByLabel('Name'), 'robin');
    await write(page, dialog.getByLabel('Email'), email);
    await looksRight(page);
    await activate(page, button(dialog, 'Send invitation'));
    await noticed(page, `There is no mail server: the email to ${email} was kept.`);
    await dialog.waitFor({ state: 'detached' });
    await row(page, email).waitFor();
    await activate(page, button(page, `Send the invitation to ${email} again`));
    await noticed(page, `There is no mail server: the email to ${email} was kept.`);
    await activate(page, button(page, `Withdraw the invitation to ${email}`));
    await noticed(page, 'Invitation withdrawn.');
    await row(page, email).waitFor({ state: 'detached' });
  }

  const manage = (page: Page, name: string): Promise<Locator> =>
    opened(page, row(page, name).getByRole('button', { name: /^Manage / }));

  it.each([
    { where: 'the portal', email: 'dana@summit.example' },
    { where: 'the console', email: 'hana@summit.example' },
  ])('invite, change and remove a user of a partner in $where', async ({ where, email }) => {
    await addDana(email);
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    if (where === 'the portal') await signInToPortal(page, await market.buyerToken('summit'), '/portal/users');
    else await signInToConsole(page, 'alex', '/console/partners/summit?tab=users');
    if (where === 'the console') await inviteAndWithdraw(page, 'robin@summit.example');

    let dialog = await manage(page, email);
    await looksRight(page);
    await activate(page, dialog.getByRole('checkbox', { name: 'Money' }), 'Space');
    await activate(page, button(dialog, 'Save'));
    await noticed(page, 'Dana Ito saved.');
    await dialog.waitFor({ state: 'detached' });
    await row(page, email).filter({ hasText: 'view, see money' }).waitFor();

    dialog = await manage(page, email);
    await answer(page, dialog, { ask: 'Send a link to a new password', action: 'Send link' });
    await noticed(page, `There is no mail server: the email to ${email} was kept.`);
    dialog = await manage(page, email);
    await answer(page, dialog, { ask: 'Reset one-time codes', action: 'Reset codes' });
    await noticed(page, 'The one-time codes of Dana Ito are reset.');
    await row(page, email).filter({ hasText: 'off' }).waitFor();
    dialog = await manage(page, email);
    await answer(page, dialog, { ask: 'Remove', action: 'Remove' });
    await noticed(page, 'Dana Ito removed.');
    await page.getByText('No users yet').waitFor();
    expect(await leave(visitor)).toEqual([]);
  });

  it('invite, change, disable and enable an operator', async () => {
    const kim = { name: 'kim', passwordHash, totpSecret: newTotpSecret(), actor: commandLineActor };
    expect((await market.database.tx((tx) => addOperator(tx, kim, new Date()))).ok).toBe(true);
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    await signInToConsole(page, 'alex', '/console/operators');
    await inviteAndWithdraw(page, 'robin@example.com');

    let dialog = await manage(page, 'kim');
    await looksRight(page);
    expect(await button(dialog, 'Send a link to a new password').count()).toBe(0);
    await pick(page, dialog.getByLabel('Role'), 'finance');
    await write(page, dialog.getByLabel('Email'), 'kim@example.com');
    await activate(page, button(dialog, 'Save'));
    await noticed(page, 'kim saved.');
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'kim@example.com').filter({ hasText: 'finance' }).waitFor();

    dialog = await manage(page, 'kim');
    await answer(page, dialog, { ask: 'Send a link to a new password', action: 'Send link' });
    await noticed(page, 'There is no mail server: the email to kim@example.com was kept.');
    dialog = await manage(page, 'kim');
    await answer(page, dialog, { ask: 'Reset one-time codes', action: 'Reset codes' });
    await noticed(page, 'The one-time codes of kim are reset.');
    await row(page, 'kim').filter({ hasText: 'off' }).waitFor();
    dialog = await manage(page, 'kim');
    await answer(page, dialog, { ask: 'Disable', action: 'Disable' });
    await noticed(page, 'kim disabled.');
    await row(page, 'kim').filter({ hasText: 'disabled' }).waitFor();
    dialog = await manage(page, 'kim');
    await answer(page, dialog, { ask: 'Enable', action: 'Enable' });
    await noticed(page, 'kim enabled.');
    await row(page, 'kim').filter({ hasText: 'active' }).waitFor();
    expect(await leave(visitor)).toEqual([]);
  });
});

const button = (on: Page | Locator, name: string | RegExp): Locator => on.getByRole('button', { name, exact: true });
const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** The dialog behind the button, once it has the focus. */
async function opened(page: Page, opener: Locator): Promise<Locator> {
  await activate(page, opener);
  const dialog = page.getByRole('dialog', { name: /^(Invite|Manage) / });
  await dialog.locator(':focus').waitFor();
  return dialog;
}

/** Presses the button of an open dialog, and confirms in the second dialog, which closes both. */
async function answer(
  page: Page,
  dialog: Locator,
  { ask, action }: { readonly ask: string; readonly action: string },
): Promise<void> {
  await activate(page, button(dialog, ask));
  const question = page.getByRole('dialog', { name: /\?$/ });
  await button(question, action).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Waits for the notification and closes it, so that the same text of a later one is not taken for it. */
async function noticed(page: Page, text: string): Promise<void> {
  const notice = page.getByRole('alert').filter({ hasText: text });
  await notice.waitFor();
  await notice.getByRole('button').click();
  await notice.waitFor({ state: 'detached' });
}

/** Closes the browser's context and returns the errors in it. */
async function leave({ context, faults }: Visitor): Promise<string[]> {
  await context.close();
  return faults();
}
