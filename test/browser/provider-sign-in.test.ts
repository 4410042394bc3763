// An operator signs in to the console through an identity provider of another site, in a real browser (contract 7.12).
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';

const EMAIL = 'dana@market.example';

describe.skipIf(hasNoChromium())('sign-in through an identity provider', () => {
  let provider: TestProvider;
  let market: TestMarketplace;
  let browser: Browser;
  /** Another site than the provider's address, so that the browser sends the cookies that it would send in production. */
  let address: string;

  beforeAll(async () => {
    [provider, browser] = await Promise.all([startOpenIdProvider(), startChromium()]);
    const openId = { issuer: provider.issuer, ...provider.client, name: 'Acme Login' };
    market = await startTestMarketplace({ yaml: '{}', integrations: { openId } });
    address = market.url.replace('127.0.0.1', 'localhost');
    const dana = { name: 'dana', email: EMAIL, totpSecret: null, actor: commandLineActor };
    const passwordHash = await hashPassword('correct horse battery staple');
    await market.database.tx((tx) => addOperator(tx, { ...dana, passwordHash }, new Date()));
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await provider?.close();
  });

  it('says why it failed, then opens the page that was wanted and stays signed in', async () => {
    const { page, context } = await visit(browser, address);
    const button = page.getByRole('link', { name: 'Sign in with Acme Login' });
    await page.goto('/console/leads');
    await button.waitFor();
    await looksRight(page);
    provider.claims = { sub: 'dana at Acme', email: EMAIL, email_verified: false };
    await button.press('Enter');
    await page.getByText('no operator has your verified email address').waitFor();
    await looksRight(page);

    await page.goto('/console/leads');
    provider.claims = { sub: 'dana at Acme', email: EMAIL, email_verified: true };
    await button.press('Enter');
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/leads');
    await page.reload();
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor();
    await context.close();
  });
});
