// The links that users of a partner get by email, from the form that sends them to the password and the sign-in, in a real browser by keyboard
// alone (contract 7.12).
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { marketYaml } from '../contract/market.ts';
import { type MailServer, startMailServer } from '../platform/mail-server.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { activate, write } from '../support/browser/keyboard.ts';
import { signInToConsole } from '../support/browser/people.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const EMAIL = 'dana@summit.example';

describe.skipIf(hasNoChromium())('a user of a partner', () => {
  let server: MailServer;
  let market: TestMarketplace;
  let browser: Browser;
  let isBroken = false;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startMailServer(), startChromium()]);
    market = await startTestMarketplace({ yaml: marketYaml(), integrations: { smtpUrl: server.url } });
    await market.apply(marketYaml().replace('currency: USD', `currency: USD, notices: { publicUrl: "${market.url}" }`));
    await market.signedIn.operator('alex');
  });
  // Each part continues where the previous one ended.
  beforeEach(({ skip }) => skip(isBroken, 'an earlier part of the story failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await server?.close();
  });

  /** The link in the mail with this number. */
  async function linkIn(number: number): Promise<string> {
    const taken = await eventually('the mail arrives', () => server.taken[number - 1] ?? null);
    expect(taken.recipients).toEqual([EMAIL]);
    return /http\S+#invitation=[\w-]{43}/.exec(taken.mail.part('text/plain').text)?.[0] ?? '';
  }

  /** On the page of the link, and then signs in. */
  async function setPassword(page: Page, password: string): Promise<void> {
    await write(page, page.getByLabel('New password'), password);
    await write(page, page.getByLabel('Repeat the password'), password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await activate(page, button(page, 'Sign in'));
    await signIn(page, password);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  }

  async function signIn(page: Page, password: string): Promise<void> {
    await write(page, page.getByLabel('Email'), EMAIL);
    await write(page, page.getByLabel('Password'), password);
    await page.keyboard.press('Enter');
  }

  /** Closes the browser's context and returns the errors in it. */
  async function leave({ context, faults }: Visitor): Promise<string[]> {
    await context.close();
    return faults();
  }

  it('is invited at the console, chooses a password behind the link of the mail, and signs in', async () => {
    const operator = await visit(browser, market.url);
    await signInToConsole(operator.page, 'alex', '/console/partners/summit?tab=users');
    await activate(operator.page, button(operator.page, 'Invite a user'));
    const dialog = operator.page.getByRole('dialog', { name: 'Invite a user' });
    await dialog.locator(':focus').waitFor();
    await write(operator.page, dialog.getByLabel('Name'), 'Dana Ito');
    await write(operator.page, dialog.getByLabel('Email'), EMAIL);
    await activate(operator.page, dialog.getByRole('checkbox', { name: 'Settings' }), 'Space');
    await activate(operator.page, button(operator.page, 'Send invitation'));
    await operator.page.getByText(`Link sent to ${EMAIL}.`).waitFor();
    expect(await leave(operator)).toEqual([]);

    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    await page.goto(await linkIn(1));
    await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
    await looksRight(page);
    await setPassword(page, 'the first password');
    expect(await leave(visitor)).toEqual([]);
  });

  it('requests a link to a new password on the sign-in page, and signs in with the new one', async () => {
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    await page.goto('/portal');
    await activate(page, button(page, 'Use an email address and a password'));
    await signIn(page, 'not the password');
    await page.getByText('Sign-in failed').waitFor();
    await activate(page, button(page, 'Forgot your password?'));
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await looksRight(page);
    expect(await page.getByLabel('Email').inputValue()).toBe(EMAIL);
    await activate(page, button(page, 'Send link'));
    await page
      .getByText('If a user has this address, a link to a new password is on its way. It works for one hour.')
      .waitFor();
    await looksRight(page);
    await activate(page, button(page, 'Back to sign-in'));
    await page.getByLabel('Password').waitFor();

    await page.goto(await linkIn(2));
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await setPassword(page, 'the second password');
    expect(await leave(visitor)).toEqual([]);
  });

  it('is told whom to ask where the service has no public address', async () => {
    await market.apply(marketYaml());
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    await page.goto('/portal');
    await activate(page, button(page, 'Use an email address and a password'));
    await activate(page, button(page, 'Forgot your password?'));
    await page
      .getByText('Ask a colleague who manages users, or the marketplace, for a link to a new password.')
      .waitFor();
    await looksRight(page);
    expect(await leave(visitor)).toEqual([]);
  });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
