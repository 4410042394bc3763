// Each task of a partner at the portal, by keyboard and some by pointer, in at most the steps (clicks, fields and keys) that its row allows.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { newUuid } from '../../src/base/ids.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium } from '../support/browser/chromium.ts';
import { signInToPortal } from '../support/browser/people.ts';
import {
  answerOf,
  buttonOf,
  followMenuBy,
  headingOf,
  rowOf,
  saveAndOpenView,
  sectionOf,
  type Task,
  testTasks,
} from '../support/browser/tasks.ts';
import { eventually } from '../support/eventually.ts';
import { type Google, startGoogle } from '../support/google.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

describe.skipIf(hasNoChromium())('the tasks of a partner', () => {
  let receiver: Receiver;
  let google: Google;
  let folder: string;
  let market: TestMarketplace;
  let browser: Browser;
  let summit: SignedIn;
  let supplierKey: string;
  let serial = 0;

  beforeAll(async () => {
    receiver = await startReceiver({ respond: () => ({ status: 200 }) });
    google = await startGoogle({ now: () => new Date() });
    folder = await mkdtemp(join(tmpdir(), 'leadmarket-google-'));
    const keyFile = join(folder, 'account.json');
    await writeFile(keyFile, JSON.stringify(google.keyFile));
    [market, browser] = await Promise.all([
      startTestMarketplace({
        yaml: taskMarketYaml(receiver),
        allowTargets: [receiver.origin],
        integrations: { googleServiceAccountFile: keyFile, sheetsApiUrl: google.origin },
      }),
      startChromium(),
    ]);
    [summit, supplierKey] = await Promise.all([market.signedIn.buyer('summit'), market.supplierKey('acme-media')]);
    await invoiceLastMonth(market);
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await Promise.all([receiver?.close(), google?.close()]);
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  type Delivery = { readonly deliveryId: string; readonly deliveryRef: string; readonly phone: string };

  /** A confirmed delivery of a person with this name. */
  async function deliver(fullName: string): Promise<Delivery> {
    serial += 1;
    const { status } = await postLead(market.url, supplierKey, sampleLead(serial, { full_name: fullName }));
    expect(status).toBe(202);
    const phone = `+1555${2_000_000 + serial}`;
    return eventually('the lead is delivered', async () => {
      const { json } = await summit.get('/portal/api/buyer/deliveries?status=Confirmed', {
        'x-search': encodeURIComponent(phone),
      });
      const [found] = json.data as Delivery[];
      return found === undefined ? null : { ...found, phone };
    });
  }

  /** A delivery with a return. */
  async function returned(fullName: string): Promise<Delivery> {
    const delivery = await deliver(fullName);
    const body = { deliveryId: delivery.deliveryId, reason: 'invalid_phone' };
    expect((await summit.send('POST', '/portal/api/v1/buyer/returns', body)).status).toBe(201);
    return delivery;
  }

  const tasks: readonly Task[] = [
    {
      ...{ name: 'signs in', most: 2, at: null },
      async run(hand) {
        const token = await market.buyerToken('summit');
        await hand.page.goto('/portal');
        await hand.type(hand.page.getByLabel('Access token or supplier key'), token);
        await hand.press(buttonOf(hand, 'Sign in'));
        await headingOf(hand, 'Overview');
      },
    },
    {
      ...{ name: 'lists the leads of today', most: 3, at: '' },
      async run(hand, { person }) {
        await deliver(person);
        await followMenuBy(hand, 'Deliveries');
        await hand.press(buttonOf(hand, 'Today'));
        await hand.page.waitForURL(/from=.*to=/);
        await rowOf(hand, person).first().waitFor();
      },
    },
    {
      ...{ name: 'finds a lead by phone', most: 2, at: '/deliveries' },
      async run(hand, { person }) {
        const { phone, deliveryRef } = await deliver(person);
        await deliver('Somebody Else');
        await rowOf(hand, 'Somebody Else').first().waitFor();
        await hand.key('/');
        await hand.type(hand.page.getByLabel('Search', { exact: true }), phone.slice(-7));
        await rowOf(hand, 'Somebody Else').first().waitFor({ state: 'detached' });
        await rowOf(hand, deliveryRef).waitFor();
      },
    },
    {
      ...{ name: 'lists the leads with an open return', most: 2, at: '/deliveries' },
      async run(hand, { person }) {
        const { deliveryRef } = await returned(person);
        const other = await deliver('Somebody Else');
        await rowOf(hand, other.deliveryRef).waitFor();
        await hand.pick(hand.page.getByRole('combobox', { name: 'Claim' }), 'Open');
        await hand.page.waitForURL(/claim=open/);
        await rowOf(hand, other.deliveryRef).waitFor({ state: 'detached' });
        await rowOf(hand, deliveryRef).waitFor();
      },
    },
    {
      ...{ name: 'sees why it got a lead', most: 1, at: '/deliveries' },
      async run(hand, { person }) {
        await deliver(person);
        await hand.press(hand.page.getByRole('link', { name: person }).first());
        const filters = hand.page.getByRole('table', { name: 'Filters of the offer and the lead' });
        await filters.getByRole('row').filter({ hasText: 'State' }).getByText('met').waitFor();
        await hand.page.getByText('Exclusive: no other partner bought it').waitFor();
      },
    },
    {
      ...{
        name: 'checks our data before a claim',
        most: 2,
        at: async ({ person }) => pageOf(await deliver(person)),
      },
      async run(hand) {
        await hand.press(buttonOf(hand, 'File a return'));
        await hand.choose(hand.page.getByRole('radio', { name: 'Outside agreed geography' }));
        await hand.page.getByText('Our data do not support this reason').waitFor();
        await buttonOf(hand, 'File return anyway').waitFor();
      },
    },
    {
      ...{ name: 'returns a lead with a reason', most: 4, at: async ({ person }) => pageOf(await deliver(person)) },
      async run(hand) {
        await hand.press(buttonOf(hand, 'File a return'));
        const form = hand.page.getByRole('form', { name: 'File a return' });
        await hand.choose(form.getByRole('radio', { name: 'Disconnected or invalid phone' }));
        await hand.type(form.getByLabel('Proof'), 'The number is not in service.');
        await hand.press(form.getByRole('button', { name: 'File return' }));
        await hand.page.getByRole('heading', { name: 'Return: submitted' }).waitFor();
      },
    },
    {
      ...{ name: 'returns several leads together', most: 6, at: '/deliveries' },
      async run(hand, { person }) {
        const [one, other] = [await deliver(person), await deliver(`${person} Twin`)];
        // Rows that arrive after the first is selected would wait.
        for (const { deliveryRef } of [one, other]) await rowOf(hand, deliveryRef).waitFor();
        for (const { deliveryRef } of [one, other]) await hand.choose(rowOf(hand, deliveryRef).getByRole('checkbox'));
        await hand.press(buttonOf(hand, 'Return selected'));
        const form = hand.page.getByRole('form', { name: 'Return deliveries' });
        await hand.choose(form.getByRole('radio', { name: 'Outside agreed geography' }));
        await form.getByText('0 of 2 ticked').waitFor();
        await form
          .getByText(/Our data do not support it: State .* \(wanted: /)
          .first()
          .waitFor();
        await hand.choose(form.getByRole('radio', { name: 'Disconnected or invalid phone' }));
        await form.getByText('2 of 2 ticked').waitFor();
        await looksRight(hand.page);
        await hand.press(form.getByRole('button', { name: 'File 2 returns' }));
        await form.waitFor({ state: 'detached' });
        for (const { deliveryRef } of [one, other])
          await rowOf(hand, deliveryRef).getByText('Return submitted').waitFor();
      },
    },
    {
      ...{ name: 'sees the progress of a claim', most: 2, at: '' },
      async run(hand, { person }) {
        const { deliveryId, deliveryRef } = await deliver(person);
        const body = { deliveryId, reason: 'duplicate', detail: 'We bought this person in May.' };
        const { status, json } = await summit.send('POST', '/portal/api/v1/buyer/disputes', body);
        expect(status).toBe(201);
        await followMenuBy(hand, 'Claims');
        await hand.press(hand.page.getByRole('link', { name: `Dispute of ${deliveryRef}` }));
        await headingOf(hand, `Dispute of ${deliveryRef}`);
        await hand.page.getByText('Decision due by').waitFor();
        const timeline = sectionOf(hand, 'Timeline').getByRole('listitem');
        await timeline.filter({ hasText: 'Filed' }).filter({ hasText: 'With an access token' }).waitFor();
        const dana = await market.signedIn.operator('dana');
        expect((await dana.send('POST', `/console/api/claims/${json.disputeId}/approve`, {})).status).toBe(200);
        await timeline.filter({ hasText: 'Approved' }).filter({ hasText: 'By the marketplace' }).waitFor();
        await timeline.last().getByText('to your balance: the ledger').waitFor();
        await looksRight(hand.page);
        expect(await hand.page.locator('#main').textContent()).not.toMatch(/dana/);
      },
    },
    {
      ...{ name: 'attaches a file to a claim', most: 2, at: async ({ person }) => pageOf(await returned(person)) },
      async run(hand) {
        const csv = { name: 'calls.csv', mimeType: 'text/csv', buffer: Buffer.from('call,result\n1,not in service\n') };
        await hand.page.getByText('Choose files').waitFor();
        await hand.give(hand.page.locator('input[type="file"]'), csv);
        await hand.press(buttonOf(hand, 'Attach 1 file'));
        await hand.page.getByText('Text, 29 bytes, added').waitFor();
        await looksRight(hand.page);
        const [download] = await Promise.all([
          hand.page.waitForEvent('download'),
          buttonOf(hand, 'Download calls.csv').click(),
        ]);
        expect(await readFile(await download.path())).toEqual(csv.buffer);
      },
    },
    {
      ...{ name: 'disputes a lead', most: 5, at: async ({ person }) => pageOf(await deliver(person)) },
      async run(hand) {
        await hand.press(buttonOf(hand, 'File a dispute'));
        const form = hand.page.getByRole('form', { name: 'File a dispute' });
        await hand.choose(form.getByRole('radio').first());
        await hand.type(form.getByLabel('Detail'), 'The person says that the form was never filled in.');
        await hand.type(form.getByLabel('Evidence URL'), 'https://evidence.example.com/call.mp3');
        await hand.press(form.getByRole('button', { name: 'File dispute' }));
        await hand.page.getByRole('heading', { name: 'Dispute: submitted' }).waitFor();
      },
    },
    {
      ...{ name: 'lists the credits of today', most: 3, at: '' },
      async run(hand, { person }) {
        const credit = {
          type: 'credit',
          buyerKey: 'summit',
          amountCents: 4500,
          description: `Return of ${person}`,
        } as const;
        await market.database.tx((tx) => postTransfers(tx, [{ ...credit, businessKey: newUuid() }], new Date()));
        await followMenuBy(hand, 'Billing');
        const charges = hand.page.getByRole('table', { name: 'Ledger entries' }).getByRole('cell', { name: 'Charge' });
        await charges.first().waitFor();
        await hand.pick(hand.page.getByRole('combobox', { name: 'Type' }), 'Credit');
        await charges.first().waitFor({ state: 'detached' });
        await hand.press(buttonOf(hand, 'Today'));
        await hand.page.waitForURL(/type=credit&from=.*&to=/);
        await rowOf(hand, `Return of ${person}`).waitFor();
        await hand.page.getByText(/ credited$/).waitFor();
        await looksRight(hand.page);
      },
    },
    {
      ...{ name: 'exports 7 days as CSV', most: 4, at: '' },
      async run(hand, { person }) {
        const { deliveryRef } = await deliver(person);
        await followMenuBy(hand, 'Deliveries');
        await hand.press(buttonOf(hand, '7 days'));
        await hand.page.waitForURL(/from=/);
        const [download] = await Promise.all([
          hand.page.waitForEvent('download'),
          hand.press(buttonOf(hand, /^Export all fields/)),
        ]);
        const rows = parse(await readFile(await download.path(), 'utf8'), { columns: true }) as Record<
          string,
          string
        >[];
        expect(rows.map((one) => one['deliveryRef'])).toContain(deliveryRef);
      },
    },
    {
      ...{ name: 'saves a view of a list and opens it again', most: 7, at: '/deliveries?status=Confirmed' },
      async run(hand, { person }) {
        await saveAndOpenView(hand, `Confirmed ${person}`, 'Remove filter Status: Confirmed');
      },
    },
    {
      ...{ name: 'is refused a webhook at a private address', most: 3, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Settings');
        await hand.type(hand.page.getByLabel('Webhook URL'), 'https://10.0.0.7/leads');
        const form = hand.page.getByRole('form', { name: 'Webhook settings' });
        await hand.press(form.getByRole('button', { name: 'Save' }));
        await form
          .getByText(/private|not allowed|public/i)
          .first()
          .waitFor();
        expect((await summit.get('/portal/api/v1/buyer/account')).json.webhookUrl).toContain(receiver.origin);
      },
    },
    {
      ...{ name: 'pauses leads until tomorrow, and receives them again', most: 5, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Settings');
        await hand.press(buttonOf(hand, 'Pause'));
        await hand.press(answerOf(hand, 'Pause leads'));
        await hand.page.getByText('No new leads are sold to you.').waitFor();
        await hand.page.getByText('Paused by the account itself').first().waitFor();
        await hand.press(buttonOf(hand, 'Receive leads again'));
        await hand.press(answerOf(hand, 'Receive leads'));
        await hand.page.getByText('Leads that match your offers are sold to you.').waitFor();
      },
    },
    {
      ...{ name: 'limits its leads a day, tried first', most: 3, at: '' },
      async run(hand, { person }) {
        await hand.press(buttonOf(hand, 'Limits of West'));
        await hand.type(hand.page.getByLabel('Leads a day'), person.startsWith('Kim') ? '5000' : '6000');
        await hand.page.getByText(/^From .* the offer bought no leads\./).waitFor();
        await hand.press(answerOf(hand, 'Save limits'));
        await hand.page.getByText(/^Today: \d+ of [56],000$/).waitFor();
      },
    },
    {
      ...{ name: 'sends a test to its webhook', most: 1, at: '/settings' },
      async run(hand) {
        await hand.press(buttonOf(hand, 'Send test'));
        await hand.page.getByText('Your endpoint accepted the test').waitFor();
      },
    },
    {
      ...{ name: 'switches email on and tests it', most: 6, at: '' },
      async run(hand, { person }) {
        await followMenuBy(hand, 'Settings');
        const form = hand.page.getByRole('form', { name: 'Email settings' });
        await hand.type(form.getByLabel('Email address'), `${person.replaceAll(/\W/g, '.')}@summit.example`);
        await hand.press(form.getByRole('button', { name: 'Save' }));
        await hand.press(buttonOf(hand, 'Use email'));
        await hand.press(answerOf(hand, 'Use channel'));
        await buttonOf(hand, 'Stop using email').waitFor();
        await hand.press(buttonOf(hand, 'Send a test email'));
        await hand.page.getByText('The test was accepted').waitFor();
        const back = { channels: ['webhook'], seen: ['webhook', 'email'] };
        expect((await summit.send('PUT', '/portal/api/buyer/channels', back)).status).toBe(200);
      },
    },
    {
      ...{ name: 'sets up Google Sheets and tests it', most: 6, at: '/settings' },
      async run(hand) {
        const rows = google.rows.length;
        await hand.press(hand.page.getByRole('link', { name: 'Set up step by step' }));
        const form = hand.page.getByRole('form', { name: 'Spreadsheet' });
        const address = `https://docs.google.com/spreadsheets/d/${google.spreadsheetId}/edit#gid=0`;
        await hand.type(form.getByLabel('Spreadsheet link or id'), address);
        await hand.press(form.getByRole('button', { name: 'Save' }));
        await hand.press(buttonOf(hand, 'Use Google Sheets'));
        await hand.press(answerOf(hand, 'Use channel'));
        await hand.page.getByText('Access works. Leads are added to the first sheet, “Leads”.').waitFor();
        await hand.press(buttonOf(hand, 'Add a test row'));
        await hand.page.getByText('The test was accepted').waitFor();
        expect(google.rows.length).toBeGreaterThan(rows);
        const back = { channels: ['webhook'], seen: ['webhook', 'sheets'] };
        expect((await summit.send('PUT', '/portal/api/buyer/channels', back)).status).toBe(200);
        const cleared = await summit.send('PATCH', '/portal/api/v1/buyer/account', { sheetsSpreadsheetId: null });
        expect(cleared.status).toBe(200);
      },
    },
    {
      ...{ name: 'downloads an invoice as PDF', most: 2, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Billing');
        const [download] = await Promise.all([
          hand.page.waitForEvent('download'),
          hand.press(buttonOf(hand, /^Download INV-.* as PDF$/)),
        ]);
        expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
      },
    },
    {
      ...{ name: 'creates a token', most: 4, at: '' },
      async run(hand, { person }) {
        await followMenuBy(hand, 'Access');
        await hand.press(buttonOf(hand, 'Create a token'));
        const dialog = hand.page.getByRole('dialog');
        await hand.type(dialog.getByLabel('Label'), person);
        await hand.press(answerOf(hand, 'Issue token'));
        await dialog.getByText(/^lmb_\w{30}/).waitFor();
        await answerOf(hand, 'I have stored it').press('Enter');
        await rowOf(hand, person).getByText('active').waitFor();
      },
    },
    {
      ...{ name: 'revokes a token', most: 3, at: '' },
      async run(hand) {
        const token = await market.buyerToken('summit');
        await followMenuBy(hand, 'Access');
        await hand.press(buttonOf(hand, new RegExp(`^Revoke .*${token.slice(-4)}$`)));
        await hand.press(answerOf(hand, 'Revoke token'));
        await rowOf(hand, token.slice(-4)).getByText('revoked').waitFor();
      },
    },
    {
      ...{ name: 'reads its audit log', most: 1, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Audit log');
        await hand.page.getByRole('table').getByRole('row').nth(1).waitFor();
      },
    },
  ];

  testTasks(tasks, {
    who: 'a partner',
    browser: () => browser,
    url: () => market.url,
    base: '/portal',
    signIn: async (page) => signInToPortal(page, await market.buyerToken('summit')),
  });
});

/** Summit may switch its email channel on. */
function taskMarketYaml(receiver: Receiver): string {
  const editable =
    'editableFields: [notificationEmail, ccEmails, webhookUrl, phone, webhookSecret, channels, sheetsSpreadsheetId]';
  return betaMarketYaml(receiver).replace(
    'channels: [webhook],',
    `channels: [webhook], ${editable}, returnPolicy: { monthlyCaps: { leads: 100 } },`,
  );
}

/** An invoice of the month before, issued with a clock of its own: browsers drop the cookies of sessions in their past. */
async function invoiceLastMonth({ database }: TestMarketplace): Promise<void> {
  const now = new Date();
  const clock = handClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1, 12)).toISOString());
  const bill = async (): Promise<void> =>
    scheduledJobs(database, clock)
      .find(({ name }) => name === 'bill')
      ?.run();
  const charge = { businessKey: newUuid(), type: 'charge', buyerKey: 'summit', amountCents: 4500 } as const;
  await bill();
  await database.tx((tx) => postTransfers(tx, [{ ...charge, description: 'Lead Sale' }], clock.now()));
  clock.set(now.toISOString());
  await bill();
}

function pageOf({ deliveryId }: { readonly deliveryId: string }): string {
  return `/deliveries/${deliveryId}`;
}
