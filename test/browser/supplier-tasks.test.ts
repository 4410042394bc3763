// Each task of a supplier at the portal, by keyboard and some by pointer, in at most the steps (clicks, fields and keys) that its row allows.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';

import { startSupplierMarket, type SupplierMarket } from '../portal/supplier-market.ts';
import { closeWindows, hasNoChromium, startChromium } from '../support/browser/chromium.ts';
import { signInToPortal } from '../support/browser/people.ts';
import {
  answerOf,
  buttonOf,
  followMenuBy,
  headingOf,
  rowOf,
  saveAndOpenView,
  type Task,
  testTasks,
} from '../support/browser/tasks.ts';

describe.skipIf(hasNoChromium())('the tasks of a supplier', () => {
  let market: SupplierMarket;
  let browser: Browser;
  let serial = 0;

  beforeAll(async () => {
    [market, browser] = await Promise.all([startSupplierMarket(), startChromium()]);
    await market.post('brightform', { id: 'BF-1', contact: { name: 'Jordan Rivera' }, Mobile: '5125550147' });
    await market.decided();
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
  });

  const tasks: readonly Task[] = [
    {
      ...{ name: 'sees accepted and rejected submissions', most: 0, at: '/supply' },
      async run(hand) {
        await market.post('brightform', { id: `BAD-${(serial += 1)}`, contact: { name: 'Jo Bad' }, Mobile: '555' });
        const reasons = hand.page.getByRole('table', { name: 'Submissions rejected by the checks, by reason' });
        await reasons.getByText('phone invalid').first().waitFor();
        await reasons
          .getByText(/What to do: /)
          .first()
          .waitFor();
      },
    },
    {
      ...{ name: 'finds a rejected submission by its phone, and why', most: 3, at: '/supply' },
      async run(hand) {
        const id = `SHORT-${(serial += 1)}`;
        const phone = `555${1000 + serial}`;
        await market.post('brightform', { id, contact: { name: 'Sam Short' }, Mobile: phone });
        await followMenuBy(hand, 'Submissions');
        await hand.type(hand.page.getByLabel(/^Id, /), phone);
        await hand.press(rowOf(hand, id).getByRole('link'));
        await headingOf(hand, 'Submission');
        await hand.page.getByRole('heading', { level: 3, name: 'phone invalid' }).waitFor();
      },
    },
    {
      ...{ name: 'finds a rejected submission by a name', most: 3, at: '/supply' },
      async run(hand) {
        const id = `NAMED-${(serial += 1)}`;
        await market.post('brightform', { id, contact: { name: `Róisín Number${serial}` }, Mobile: '555' });
        await followMenuBy(hand, 'Submissions');
        await hand.type(hand.page.getByLabel(/^Id, /), `number${serial} roisin`);
        await hand.press(rowOf(hand, id).getByRole('link'));
        await headingOf(hand, 'Submission');
      },
    },
    {
      ...{
        name: 'filters submissions by day, US state and source, oldest first, and saves the view',
        most: 13,
        at: '/supply',
      },
      async run(hand, { person }) {
        const id = `STATE-${(serial += 1)}`;
        const contact = { name: 'Tess State' };
        await market.post('brightform', {
          id,
          contact,
          Mobile: `512556${1000 + serial}`,
          address: { region: 'Texas' },
        });
        await followMenuBy(hand, 'Submissions');
        await rowOf(hand, 'BF-1').waitFor();
        await hand.type(hand.page.getByLabel('US state'), 'tx');
        await rowOf(hand, 'BF-1').waitFor({ state: 'detached' });
        await rowOf(hand, id).waitFor();
        await hand.type(hand.page.getByLabel('Source'), 'brightform');
        await buttonOf(hand, 'Remove filter Source: brightform').waitFor();
        await hand.press(buttonOf(hand, 'Today'));
        await expect.poll(() => hand.page.url()).toMatch(/\?usState=TX&source=brightform&from=(\S+)&to=\1$/);
        await hand.press(buttonOf(hand, 'Received'));
        await expect
          .poll(() => hand.page.url())
          .toMatch(/\?usState=TX&source=brightform&from=(\S+)&to=\1&sort=received$/);
        await rowOf(hand, id).waitFor();
        await saveAndOpenView(hand, person, 'Remove filter US state: TX');
        await hand.page.locator('th[aria-sort="ascending"]').waitFor();
        await rowOf(hand, 'BF-1').waitFor({ state: 'detached' });
        await rowOf(hand, id).waitFor();
        await hand.press(buttonOf(hand, 'Yesterday'));
        await hand.page.getByText('No submissions match').waitFor();
      },
    },
    {
      ...{ name: 'posts a test lead', most: 2, at: '/supply' },
      async run(hand) {
        await followMenuBy(hand, 'Test lead');
        await hand.press(buttonOf(hand, 'Post test lead'));
        await hand.page.getByText('Accepted: a real lead would be routed now.').waitFor();
      },
    },
    {
      ...{ name: 'opens the posting specification', most: 1, at: '/supply' },
      async run(hand) {
        await followMenuBy(hand, 'Posting specification');
        await hand.page.getByRole('table', { name: 'Fields of a lead' }).waitFor();
      },
    },
    {
      ...{ name: 'sees its earnings', most: 1, at: '/supply' },
      async run(hand) {
        await followMenuBy(hand, 'Earnings');
        await headingOf(hand, 'Earnings');
        await hand.page.getByText('Balance', { exact: true }).first().waitFor();
      },
    },
    {
      ...{ name: 'creates a key', most: 4, at: '/supply' },
      async run(hand, { person }) {
        await followMenuBy(hand, 'Access');
        await hand.press(buttonOf(hand, 'Create a key'));
        const dialog = hand.page.getByRole('dialog');
        await hand.type(dialog.getByLabel('Label'), person);
        await hand.press(answerOf(hand, 'Issue key'));
        await dialog.getByText(/^lms_\w{30}/).waitFor();
        await answerOf(hand, 'I have stored it').press('Enter');
        await rowOf(hand, person).getByText('active').waitFor();
      },
    },
    {
      ...{ name: 'revokes a key', most: 3, at: '/supply' },
      async run(hand) {
        const key = await market.market.supplierKey('brightform');
        await followMenuBy(hand, 'Access');
        await hand.press(buttonOf(hand, new RegExp(`^Revoke .*${key.slice(-4)}$`)));
        await hand.press(answerOf(hand, 'Revoke key'));
        await rowOf(hand, key.slice(-4)).getByText('revoked').waitFor();
      },
    },
  ];

  testTasks(tasks, {
    who: 'a supplier',
    browser: () => browser,
    url: () => market.market.url,
    base: '/portal',
    signIn: (page) => signInToPortal(page, market.keys.brightform),
  });
});
