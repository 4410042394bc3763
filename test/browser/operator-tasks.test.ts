// Each task of an operator at the console, by keyboard and some by pointer, in at most the steps (clicks, fields and keys) that its row allows.
import { TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { newUuid } from '../../src/base/ids.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { newTotpSecret } from '../../src/sessions/one-time-code.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { sampleLead } from '../contract/market.ts';
import { postAsBuyer, postLead } from '../support/api-client.ts';
import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium } from '../support/browser/chromium.ts';
import { signInToConsole } from '../support/browser/people.ts';
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
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { OPERATOR_PASSWORD, type SignedIn } from '../support/signed-in.ts';
import { traceOf } from '../support/trace.ts';

describe.skipIf(hasNoChromium())('the tasks of an operator', () => {
  let market: TestMarketplace;
  let browser: Browser;
  let receiver: Receiver;
  let behind: SignedIn;
  let supplierKey: string;
  let token: string;
  let serial = 0;
  /** People whose leads the endpoint does not accept. */
  const rejected = new Set<string>();

  beforeAll(async () => {
    receiver = await startReceiver({
      respond: ({ body }) => ({ status: [...rejected].some((name) => body.includes(name)) ? 500 : 200 }),
    });
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml: yamlFor(receiver.origin), allowTargets: [receiver.origin] }),
      startChromium(),
    ]);
    [supplierKey, token, behind] = await Promise.all([
      market.supplierKey('acme-media'),
      market.buyerToken('harbor'),
      market.signedIn.operator('dana'),
    ]);
    await sell('Alex Before');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await receiver?.close();
  });

  type Delivery = { readonly deliveryId: string; readonly deliveryRef: string };
  type Sold = Delivery & { readonly phone: string };

  /** Posts a lead of California, and waits until its delivery has this status. */
  async function sell(fullName: string, status = 'Confirmed'): Promise<Sold> {
    serial += 1;
    const posted = await postLead(market.url, supplierKey, sampleLead(serial, { full_name: fullName, state: 'CA' }));
    expect(posted.status).toBe(202);
    const delivery = await eventually(`${fullName} is ${status}`, async () => {
      const { deliveries } = await traceOf(market.database, posted.json.lead_id);
      return deliveries.find((one) => one.status === status) ?? null;
    });
    return { ...delivery, phone: `+1555${2_000_000 + serial}` };
  }

  async function claim({ deliveryId }: Delivery): Promise<string> {
    const body = { deliveryId, reason: 'invalid_phone', proof: 'The line is dead.' };
    const { status, json } = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', { body });
    expect(status).toBe(201);
    return json.returnId as string;
  }

  const tasks: readonly Task[] = [
    {
      ...{ name: 'signs in with a one-time code', most: 6, at: null },
      async run(hand, { person }) {
        const secret = newTotpSecret();
        const name = person.toLowerCase().replaceAll(' ', '-');
        const passwordHash = await hashPassword(OPERATOR_PASSWORD);
        const input = { name, passwordHash, totpSecret: secret, actor: commandLineActor };
        expect((await market.database.tx((tx) => addOperator(tx, input, new Date()))).ok).toBe(true);
        await hand.page.goto('/console');
        await hand.type(hand.page.getByLabel('Name'), name);
        await hand.type(hand.page.getByLabel('Password'), OPERATOR_PASSWORD);
        await hand.press(buttonOf(hand, 'Sign in'));
        await hand.type(hand.page.getByLabel('One-time code'), new TOTP({ secret }).generate());
        await hand.press(buttonOf(hand, 'Sign in'));
        await headingOf(hand, 'Overview');
      },
    },
    {
      ...{ name: 'finds a lead by phone', most: 2, at: '' },
      async run(hand, { person }) {
        const { phone } = await sell(person);
        await followMenuBy(hand, 'Leads');
        await hand.type(hand.page.locator('#main').getByLabel('Search', { exact: true }), phone);
        await hand.page.getByText('1 lead found.').waitFor();
        await rowOf(hand, person).waitFor();
      },
    },
    {
      ...{ name: 'sees unsold leads by US state', most: 3, at: '' },
      async run(hand, { person }) {
        const lead = sampleLead(++serial, { full_name: person, state: 'ND' });
        const posted = await postLead(market.url, supplierKey, lead);
        await eventually('the lead is unsold', async () => {
          const { json } = await behind.get(`/console/api/leads/${posted.json.lead_id}`);
          return json.lead.state === 'no_buyer' ? json : null;
        });
        await followMenuBy(hand, 'Where and when');
        await hand.pick(hand.page.getByLabel('Figure'), 'Unsold share');
        await rowOf(hand, 'North Dakota', '100%').waitFor();
        await hand.press(hand.page.locator('#main').getByRole('link', { name: 'North Dakota' }));
        await headingOf(hand, 'Reports');
        await rowOf(hand, 'Acme Media').waitFor();
      },
    },
    {
      ...{ name: 'adds a supplier with a mapping from a sample', most: 6, at: '/suppliers/new' },
      async run(hand, { person }) {
        const key = person.toLowerCase().replaceAll(' ', '-');
        const sample = {
          ...{ fname: 'Ann', lname: 'Lee', mobile: '(555) 555-0123', mail: 'ann@example.com' },
          ...{ province: 'california', total_debt: '$12,345', ts: 1_763_658_191 },
        };
        await hand.type(hand.page.getByLabel('Key', { exact: true }), key);
        await hand.type(hand.page.getByLabel('Name', { exact: true }), person);
        await hand.type(hand.page.getByLabel('Sample'), JSON.stringify(sample));
        await hand.press(buttonOf(hand, 'Suggest a mapping'));
        await hand.page.getByText('A lead like this would get the score').waitFor();
        await rowOf(hand, 'phone', '+15555550123').waitFor();
        await hand.press(buttonOf(hand, 'Review change'));
        await hand.press(answerOf(hand, 'Apply'));
        await headingOf(hand, person);
        const { json } = await behind.get(`/console/api/suppliers/${key}`);
        expect(Object.keys(json.supplier.fieldMapping)).toHaveLength(7);
      },
    },
    {
      ...{ name: 'finds a lead from any page', most: 3, at: '/ledger' },
      async run(hand, { person }) {
        const { phone } = await sell(person);
        const field = hand.page.getByRole('combobox', { name: /^Search leads/ });
        const option = hand.page.getByRole('option', { name: person });
        await hand.key('Control+k');
        // The menu's pages come before any text.
        await hand.page.getByRole('option', { name: 'Ledger' }).waitFor();
        await field.fill('ledg');
        await hand.page.getByRole('option', { name: 'Ledger', selected: true }).waitFor();
        await hand.type(field, phone);
        await option.and(hand.page.locator('[aria-selected="true"]')).waitFor();
        await hand.key('Enter');
        await headingOf(hand, person);
        await hand.page.locator('#main').getByText(person).first().waitFor();
        await hand.page.keyboard.press('Control+k');
        await hand.page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: person }).click();
        await field.waitFor({ state: 'detached' });
      },
    },
    {
      ...{ name: 'saves a view of a list and opens it again', most: 7, at: '/leads?state=routed&sort=received' },
      async run(hand, { person }) {
        await saveAndOpenView(hand, `Sold ${person}`, 'Remove filter Status: Sold');
        await hand.page.waitForURL(/sort=received/);
      },
    },
    {
      ...{ name: 'sees why a partner did not get a lead', most: 2, at: '/leads' },
      async run(hand, { person }) {
        await sell(person);
        await hand.press(hand.page.getByRole('link', { name: person, exact: true }));
        await hand.choose(hand.page.getByRole('radio', { name: 'Table' }));
        await rowOf(hand, 'New York', 'State not wanted', 'CA; wanted NY').waitFor();
      },
    },
    {
      ...{ name: 'changes a price after a simulation', most: 7, at: '/partners' },
      async run(hand) {
        const price = String(40 + (serial += 1));
        await hand.press(hand.page.locator('#main').getByRole('link', { name: 'Harbor Financial', exact: true }));
        const offers = hand.page.getByRole('table', { name: /^Offers/ });
        await hand.press(offers.getByRole('link', { name: 'California', exact: true }));
        await hand.type(hand.page.getByRole('textbox', { name: 'Price', exact: true }), price);
        await hand.press(buttonOf(hand, 'Review change'));
        await hand.press(answerOf(hand, 'Dry run on the last 7 days'));
        await headingOf(hand, 'Dry run');
        await hand.page
          .getByText(/before, .* with the change/)
          .first()
          .waitFor();
        await hand.press(buttonOf(hand, 'Review and apply'));
        await hand.press(answerOf(hand, 'Apply'));
        await headingOf(hand, 'California');
        const { json } = await behind.get('/console/api/offers/harbor-west');
        expect(JSON.stringify(json)).toContain(`"payout":${price}`);
      },
    },
    {
      ...{ name: 'tries an example in a dry run', most: 1, at: '/simulation' },
      async run(hand) {
        await hand.press(buttonOf(hand, /^Cap .* at \d+ a day$/));
        await headingOf(hand, 'Dry run');
        await hand.page
          .getByText(/before, .* with the change/)
          .first()
          .waitFor();
      },
    },
    {
      ...{ name: 'pauses a partner', most: 3, at: '/partners/idle' },
      async run(hand) {
        await hand.press(buttonOf(hand, 'Change status'));
        await hand.press(hand.page.getByRole('menuitem', { name: 'Pause' }));
        await hand.press(answerOf(hand, 'Pause'));
        await hand.page.getByText('Idle is paused now.').waitFor();
        await behind.send('POST', '/console/api/partners/idle/status', { status: 'active' });
      },
    },
    {
      ...{ name: 'approves a claim', most: 3, at: '/claims' },
      async run(hand, { person }) {
        const sold = await sell(person);
        await claim(sold);
        await hand.press(hand.page.getByRole('link', { name: `Return of ${sold.deliveryRef}` }));
        await headingOf(hand, new RegExp(sold.deliveryRef));
        await hand.key('a');
        // The dialog is visible a moment before the focus is in it.
        await answerOf(hand, 'Approve').and(hand.page.locator(':focus')).waitFor();
        await hand.key('Enter');
        await hand.page.getByText(`${sold.deliveryRef} approved`).first().waitFor();
      },
    },
    {
      ...{ name: 'adds a partner with an offer and a token', most: 18, at: '' },
      async run(hand, { person }) {
        const key = person.toLowerCase().replaceAll(' ', '-');
        const { page } = hand;
        const apply = async (heading: string): Promise<void> => {
          await hand.press(buttonOf(hand, 'Review change'));
          await hand.press(answerOf(hand, 'Apply'));
          await headingOf(hand, heading);
        };
        await followMenuBy(hand, 'Partners');
        await hand.press(page.getByRole('link', { name: 'New partner' }));
        await hand.type(page.getByRole('textbox', { name: 'Key', exact: true }), key);
        await hand.type(page.getByRole('textbox', { name: 'Name', exact: true }), person);
        await apply(person);
        await hand.press(page.locator('#main').getByRole('link', { name: 'New offer' }));
        await hand.type(page.getByRole('textbox', { name: 'Key', exact: true }), `${key}-all`);
        await hand.type(page.getByRole('textbox', { name: 'Name', exact: true }), `All for ${person}`);
        // It has no credit, so it buys nothing of what the other tasks sell.
        await hand.type(page.getByRole('textbox', { name: 'Price', exact: true }), '45');
        await apply(`All for ${person}`);
        await hand.press(page.locator('#main').getByRole('link', { name: person, exact: true }));
        await headingOf(hand, person);
        await hand.press(page.getByRole('tab', { name: 'Access' }));
        await hand.press(buttonOf(hand, 'Issue a token'));
        await hand.type(page.getByRole('dialog').getByLabel('Label'), 'first');
        await hand.press(answerOf(hand, 'Issue token'));
        await page.getByRole('dialog').getByText(/^lmb_/).waitFor();
      },
    },
    {
      ...{ name: 'denies a claim with a note', most: 5, at: '/claims' },
      async run(hand, { person }) {
        const sold = await sell(person);
        await claim(sold);
        await hand.press(hand.page.getByRole('link', { name: `Return of ${sold.deliveryRef}` }));
        await headingOf(hand, new RegExp(sold.deliveryRef));
        await hand.key('d');
        await hand.page.getByLabel('Note to the partner').and(hand.page.locator(':focus')).waitFor();
        await hand.type(hand.page.getByLabel('Note to the partner'), 'We reached the person at this number.');
        await hand.press(buttonOf(hand, 'Deny'));
        await hand.press(answerOf(hand, 'Deny'));
        await hand.page.getByText(`${sold.deliveryRef} denied`).first().waitFor();
      },
    },
    {
      ...{ name: 'approves selected claims together', most: 4, at: '/claims' },
      async run(hand, { person }) {
        const [one, other] = [await sell(person), await sell(`${person} Twin`)];
        const reviews = [];
        for (const sold of [one, other]) reviews.push(await behind.get(`/console/api/claims/${await claim(sold)}`));
        const sum = reviews.reduce((total, { json }) => total + (json.payout as number), 0);
        for (const { deliveryRef } of [one, other]) await hand.choose(rowOf(hand, deliveryRef).getByRole('checkbox'));
        await hand.press(buttonOf(hand, 'Approve selected'));
        const form = hand.page.getByRole('form', { name: 'Approve 2 claims' });
        await form.getByText(`$${sum}.00 is credited to Harbor Financial at once.`).waitFor();
        await answerOf(hand, 'Approve').and(hand.page.locator(':focus')).waitFor();
        await looksRight(hand.page);
        await hand.press(answerOf(hand, 'Approve'));
        await hand.page.getByText(`2 claims approved, $${sum}.00 credited.`).waitFor();
        await form.waitFor({ state: 'detached' });
        for (const { deliveryRef } of [one, other]) await rowOf(hand, deliveryRef).waitFor({ state: 'detached' });
      },
    },
    {
      ...{ name: 'denies selected claims with a ready-made note', most: 6, at: '/claims' },
      async run(hand, { person }) {
        const [one, other] = [await sell(person), await sell(`${person} Twin`)];
        const ids = [await claim(one), await claim(other)];
        for (const { deliveryRef } of [one, other]) await hand.choose(rowOf(hand, deliveryRef).getByRole('checkbox'));
        await hand.press(buttonOf(hand, 'Deny selected'));
        const dialog = hand.page.getByRole('dialog');
        await dialog.getByText('No credit. Harbor Financial is notified at once, with your note.').waitFor();
        // A colleague is faster with one of them.
        const colleague = await market.signedIn.operator('grace');
        expect((await colleague.send('POST', `/console/api/claims/${ids[1]}/approve`, {})).status).toBe(200);
        const note = 'The phone number is valid, and the call was answered.';
        await hand.pick(dialog.getByLabel('Ready-made note'), note);
        await hand.press(answerOf(hand, 'Deny'));
        await dialog.getByText('1 claim denied. 1 claim could not be denied.').waitFor();
        await dialog.getByText(`Return of ${other.deliveryRef} · Harbor Financial`).waitFor();
        await dialog.getByText('The return is approved already, by grace.').waitFor();
        await looksRight(hand.page);
        await hand.press(answerOf(hand, 'Back to claims'));
        await dialog.waitFor({ state: 'detached' });
        await hand.page.locator('h1:focus').waitFor();
        const { json } = await behind.get(`/console/api/claims/${ids[0]}`);
        expect(json).toMatchObject({ status: 'denied', decision: { by: 'dana', note } });
        await hand.page.goto(`/console/claims/${ids[1]}`);
        const timeline = sectionOf(hand, 'Timeline').getByRole('listitem');
        await timeline.first().filter({ hasText: 'Filed' }).waitFor();
        await timeline.filter({ hasText: 'By Harbor Financial, with an access token' }).waitFor();
        await timeline.filter({ hasText: 'Approved' }).filter({ hasText: 'By grace' }).waitFor();
        await timeline.last().filter({ hasText: 'to Harbor Financial as txn_' }).waitFor();
        await looksRight(hand.page);
      },
    },
    {
      ...{ name: 'looks for dead letters', most: 1, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Failures');
        // With a dead letter the tab has their number.
        await hand.page.getByRole('tab', { name: 'Dead letters', exact: true }).waitFor();
        await hand.page.getByRole('tab', { selected: true }).waitFor();
      },
    },
    {
      ...{ name: 'sends a failed delivery again', most: 4, at: '' },
      async run(hand, { person }) {
        rejected.add(person);
        const { deliveryRef } = await sell(person, 'Failed');
        rejected.delete(person);
        await followMenuBy(hand, 'Failures');
        await hand.press(hand.page.getByRole('tab', { name: 'Failed deliveries' }));
        await hand.press(buttonOf(hand, `Send again: ${deliveryRef}`));
        await hand.press(answerOf(hand, 'Send again'));
        await rowOf(hand, deliveryRef).waitFor({ state: 'detached' });
      },
    },
    {
      ...{ name: 'reads a response and replays the deliveries of a day', most: 9, at: '' },
      async run(hand, { person }) {
        rejected.add(person);
        const { deliveryRef } = await sell(person, 'Failed');
        rejected.delete(person);
        await followMenuBy(hand, 'Messages');
        const row = rowOf(hand, deliveryRef, '500').first();
        await hand.press(row.getByRole('rowheader').getByRole('link'));
        await headingOf(hand, 'Message');
        await hand.page.getByText('The partner’s server is busy or failing.').waitFor();
        await hand.page.getByRole('region', { name: 'the request' }).getByText(person).waitFor();
        await hand.press(hand.page.getByRole('link', { name: 'Replay deliveries' }));
        await headingOf(hand, 'Replay');
        await hand.press(buttonOf(hand, 'Today'));
        await hand.page.getByText(/messages? will be sent again/).waitFor();
        await hand.press(hand.page.getByRole('button', { name: /^Replay \d+ messages?$/ }));
        await hand.press(answerOf(hand, 'Start replay'));
        await hand.page.getByRole('dialog').waitFor({ state: 'detached' });
        await scheduledJobs(market.database, systemClock)
          .find(({ name }) => name === 'run-replays')
          ?.run();
        await rowOf(hand, 'Harbor Financial', 'done').first().waitFor();
        await eventually('the delivery was taken', async () => {
          const { rows } = await market.database.pool.query<{ status: string }>(
            'SELECT status FROM delivery WHERE ref_number = $1',
            [deliveryRef.slice('LS-'.length)],
          );
          return rows[0]?.status === 'Confirmed';
        });
      },
    },
    {
      ...{ name: 'recounts the ledger', most: 2, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Ledger');
        await hand.press(buttonOf(hand, 'Recount'));
        await hand.page.getByText('The ledger is correct').waitFor();
      },
    },
    {
      ...{ name: 'issues the invoices of last month', most: 5, at: '' },
      async run(hand, { person }) {
        const now = new Date();
        const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
        // An invoice is issued once.
        const buyerKey = person.startsWith('Kim') ? 'harbor' : 'idle';
        const charge = { businessKey: newUuid(), type: 'charge', buyerKey, amountCents: 4500 } as const;
        await market.database.tx((tx) => postTransfers(tx, [{ ...charge, description: 'Lead Sale' }], at));
        await followMenuBy(hand, 'Invoices');
        await hand.press(buttonOf(hand, 'Preview'));
        await hand.page.getByText(/^1 invoice would be issued to \d+ partners?: \$45\.00 total/).waitFor();
        await hand.press(buttonOf(hand, 'Issue 1 invoice …'));
        await hand.press(answerOf(hand, 'Issue 1 invoice'));
        await hand.page.getByText(/^1 invoice issued: \$45\.00 total/).waitFor();
        const issued = hand.page.getByRole('table', { name: 'Result of the run' }).getByRole('row');
        await hand.press(issued.filter({ hasNotText: 'existed already' }).getByRole('link', { name: /^INV-/ }));
        await hand.page.getByText('$45.00').first().waitFor();
      },
    },
    {
      ...{ name: 'erases a person by phone', most: 6, at: '' },
      async run(hand, { person }) {
        const { phone } = await sell(person);
        await followMenuBy(hand, 'Personal data');
        await hand.choose(hand.page.getByRole('radio', { name: 'Phone number' }));
        await hand.type(
          hand.page.getByRole('textbox', { name: 'Phone number' }),
          phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'),
        );
        await hand.press(buttonOf(hand, 'Find'));
        await hand.page.getByText('Found 1 lead of this person.').waitFor();
        await hand.type(hand.page.getByLabel(/^Type “erase” to erase the personal data/), 'erase');
        await hand.press(buttonOf(hand, 'Erase 1 lead'));
        await hand.page.getByText('Personal data erased from 1 lead').first().waitFor();
      },
    },
    {
      ...{ name: 'reads the audit log of one actor', most: 3, at: '' },
      async run(hand) {
        await followMenuBy(hand, 'Audit log');
        await rowOf(hand, 'dana').first().waitFor();
      },
    },
    {
      ...{ name: 'invites the first user of a partner', most: 6, at: '/partners/harbor' },
      async run(hand, { person }) {
        const email = `${person.toLowerCase().replaceAll(' ', '.')}@harbor.example`;
        await hand.press(hand.page.getByRole('tab', { name: 'Users' }));
        await hand.press(buttonOf(hand, 'Invite a user'));
        const dialog = hand.page.getByRole('dialog');
        await hand.type(dialog.getByLabel('Name'), person);
        await hand.type(dialog.getByLabel('Email'), email);
        await hand.choose(dialog.getByRole('checkbox', { name: 'Settings' }));
        await hand.press(answerOf(hand, 'Send invitation'));
        await rowOf(hand, email, 'change settings').waitFor();
        await hand.page.getByRole('tabpanel').getByText('No users yet').waitFor();
      },
    },
    {
      ...{ name: 'invites an operator with a role', most: 6, at: '' },
      async run(hand, { person }) {
        await followMenuBy(hand, 'Operators');
        await hand.press(buttonOf(hand, 'Invite an operator'));
        const dialog = hand.page.getByRole('dialog');
        const name = person.toLowerCase().replaceAll(' ', '.');
        await hand.type(dialog.getByLabel('Name'), name);
        await hand.type(dialog.getByLabel('Email'), `${name}@example.com`);
        await hand.pick(dialog.getByLabel('Role'), 'support');
        await hand.press(answerOf(hand, 'Send invitation'));
        await rowOf(hand, name).first().waitFor();
      },
    },
  ];

  testTasks(tasks, {
    who: 'an operator',
    browser: () => browser,
    url: () => market.url,
    base: '/console',
    signIn: (page) => signInToConsole(page, 'dana'),
  });
});

const yamlFor = (origin: string): string => `
marketplace: { currency: USD, retrySeconds: [0], breaker: { failures: 1000 } }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved, rateLimit: { perSecond: 1000, burst: 1000 } }
partners:
  - key: harbor
    name: Harbor Financial
    channels: [webhook]
    settings: { webhookUrl: "${origin}/harbor" }
    rateLimit: { perSecond: 1000, burst: 1000 }
    returnPolicy: { monthlyCaps: { leads: 50, bookings: 0 } }
    offers:
      - { key: harbor-west, name: California, eventType: Lead Sale, payout: 30.00, filters: { states: [CA] } }
      - { key: harbor-east, name: New York, eventType: Lead Sale, payout: 60.00, filters: { states: [NY] } }
  - { key: idle, name: Idle, channels: [] }
`;
