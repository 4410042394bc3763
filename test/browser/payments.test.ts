// An operator imports a bank's file by keyboard alone, on a phone: preview, confirmation, result; and sees what the automatic runs did (contract 6.20, 7.11).
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { newUuid } from '../../src/base/ids.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { violationsOf } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { activate } from '../support/browser/keyboard.ts';
import { signInToConsole } from '../support/browser/people.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

// Browsers drop the cookie of a session that ends in their past, so the service has the real clock, and only the jobs an earlier one first.
const now = new Date();
const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1, 12));
const NUMBER = `INV-${now.getUTCFullYear()}-000001`;
const FILE = [
  'Date;Name;Reference;Amount',
  `02.11.2026;Summit;Invoice ${NUMBER};45,00`,
  `02.11.2026;Summit;Invoice ${NUMBER}, the rest of it;1.234`,
  '03.11.2026;Nobody;Hello;10,00',
].join('\n');

const PHONE = { width: 360, height: 740 };

describe.skipIf(hasNoChromium())('payments from a bank in a browser', () => {
  let market: TestMarketplace;
  let browser: Browser;

  beforeAll(async () => {
    const clock = handClock(lastMonth.toISOString());
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml: 'partners: [{ key: summit, name: Summit, channels: [] }]' }),
      startChromium(),
    ]);
    const bill = async (): Promise<void> =>
      scheduledJobs(market.database, clock)
        .find(({ name }) => name === 'bill')
        ?.run();
    const charge = { businessKey: newUuid(), type: 'charge', buyerKey: 'summit', amountCents: 4500 } as const;
    await bill();
    await market.database.tx((tx) => postTransfers(tx, [{ ...charge, description: 'Lead Sale' }], clock.now()));
    clock.set(now.toISOString());
    await bill();
    await market.signedIn.operator('dana', 'finance');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
  });

  it('are previewed, posted after a confirmation, and fit a phone', async () => {
    const visitor = await visit(browser, market.url, PHONE);
    const { page } = visitor;
    await signInToConsole(page, 'dana', '/console/payments');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
    await activate(page, page.getByRole('button', { name: 'Preview', exact: true }));
    await page.getByText('3 lines. 1 payment would be posted: $45.00').waitFor();
    await page.getByText('names no invoice').waitFor();
    await page.getByText('Cell 4 must be an amount such as').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow).toBe(0);
    await activate(page, page.getByRole('button', { name: 'Post 1 payment …' }));
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Post 1 payment', exact: true });
    await confirm.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('3 lines. 1 payment posted: $45.00').waitFor();
    await page.goto('/console/invoices');
    const monthName = lastMonth.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await page.getByRole('heading', { name: 'Automatic runs' }).waitFor();
    await page.getByRole('row').filter({ hasText: monthName }).filter({ hasText: 'done' }).waitFor();
    await page.getByRole('row').filter({ hasText: NUMBER }).filter({ hasText: 'paid' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });
});
