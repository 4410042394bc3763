// An operator's tasks at the console in a real browser by keyboard alone: partner, offer, lead, claims, failures, ledger, erasure.
import { TOTP } from 'otpauth';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { newTotpSecret } from '../../src/sessions/one-time-code.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { sampleLead } from '../contract/market.ts';
import { getAsBuyer, postAsBuyer, postLead } from '../support/api-client.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { activate, arrowTo, choose, followMenu, pick, tabTo, write } from '../support/browser/keyboard.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { OPERATOR_PASSWORD, type SignedIn } from '../support/signed-in.ts';

const yaml = `
marketplace: { currency: USD, retrySeconds: [0] }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved }
partners:
  - key: harbor
    name: Harbor Financial
    channels: []
    offers:
      - { key: harbor-west, name: California, eventType: Lead Sale, payout: 30.00, filters: { states: [CA] } }
      - { key: harbor-east, name: New York, eventType: Lead Sale, payout: 60.00, filters: { states: [NY] } }
`;

const CASEY = { full_name: 'Casey Morgan', email: 'casey.morgan@example.com', phone: '+15552345678', state: 'CA' };
const ROBIN = { full_name: 'Robin Lee', state: 'CA' };
/** A state that only the new offer accepts. */
const SAM = { full_name: 'Sam Porter', state: 'NV' };

describe.skipIf(hasNoChromium())('the operator console in a browser', () => {
  let market: TestMarketplace;
  let browser: Browser;
  let receiver: Receiver;
  let visitor: Visitor;
  let page: Page;
  let behind: SignedIn;
  let supplierKey: string;
  let token = '';
  let isDown = false;
  let leadsPosted = 0;
  let isBroken = false;

  beforeAll(async () => {
    receiver = await startReceiver({ respond: () => ({ status: isDown ? 500 : 200 }) });
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml, allowTargets: [receiver.origin] }),
      startChromium(),
    ]);
    supplierKey = await market.supplierKey('acme-media');
    behind = await market.signedIn.operator('dana');
    // Leads sold before the new partner exists, for the dry run.
    await post({ full_name: 'Alex Before', state: 'CA' });
    await post({ full_name: 'Kim Before', state: 'CA' });
    await eventually('both are sold', async () => {
      const { json } = await behind.get('/console/api/leads?state=routed');
      return json.data.length === 2;
    });
    visitor = await visit(browser, market.url);
    page = visitor.page;
  });
  // Each part continues where the previous one ended.
  beforeEach(({ skip }) => skip(isBroken, 'an earlier part of the story failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await receiver?.close();
  });

  async function post(person: Readonly<Record<string, unknown>>): Promise<void> {
    leadsPosted += 1;
    const { status } = await postLead(market.url, supplierKey, sampleLead(leadsPosted, person));
    expect(status).toBe(202);
  }

  const link = (name: string | RegExp): Locator => page.locator('#main').getByRole('link', { name, exact: true });
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
  const see = (where: Page | Locator, text: string | RegExp): Promise<void> => where.getByText(text).first().waitFor();
  const row = (...texts: readonly string[]): Locator =>
    texts.reduce((rows, text) => rows.filter({ hasText: text }), page.locator('#main').getByRole('row'));

  /** Waits until the heading has the focus: the page is loaded, and its shortcuts are active. */
  const arrive = (title: string | RegExp): Promise<void> =>
    page.locator('h1:focus').filter({ hasText: title }).waitFor();

  async function go(label: string): Promise<void> {
    await followMenu(page, label);
    await arrive(label);
  }

  /** Waits for a dialog with the focus on its confirming button. */
  const isAsked = (title: string | RegExp, action: string): Promise<void> =>
    dialog(title).getByRole('button', { name: action, exact: true }).and(page.locator(':focus')).waitFor();

  async function confirm(title: string | RegExp, action: string): Promise<void> {
    await isAsked(title, action);
    await page.keyboard.press('Enter');
    await dialog(title).waitFor({ state: 'detached' });
  }

  /** Types into the field that has the focus, replacing its text, and presses Enter. */
  async function enter(at: Locator, text: string): Promise<void> {
    await at.and(at.page().locator(':focus')).waitFor();
    await at.page().keyboard.press('ControlOrMeta+a');
    await at.page().keyboard.type(text);
    await at.page().keyboard.press('Enter');
  }

  async function signInWrongAndRight(on: Page, name: string): Promise<void> {
    await on.goto('/console');
    await on.getByLabel('Name').and(on.locator(':focus')).waitFor();
    await on.keyboard.type(name);
    await on.keyboard.press('Tab');
    await enter(on.getByLabel('Password'), 'a wrong password');
    await see(on.getByRole('alert'), 'The name, password or code is wrong.');
    expect(await on.getByLabel('One-time code').count()).toBe(0);
    await enter(on.getByLabel('Password'), OPERATOR_PASSWORD);
  }

  async function isThere(path: string): Promise<boolean> {
    return (await behind.get(`/console/api/${path}`)).status === 200;
  }

  /** Reference and id of the person's confirmed delivery. */
  async function deliveryOf(person: { readonly full_name: string }): Promise<{ ref: string; id: string }> {
    return eventually(`${person.full_name} is delivered`, async () => {
      const { json } = await getAsBuyer(market.url, token, '/api/v1/buyer/leads');
      const found = (json.data as Array<Record<string, unknown>>).find(
        ({ status, ...delivery }) => status === 'Confirmed' && JSON.stringify(delivery).includes(person.full_name),
      );
      return found === undefined ? null : { ref: String(found['deliveryRef']), id: String(found['deliveryId']) };
    });
  }

  it('asks for a one-time code after the right password only', async () => {
    const secret = newTotpSecret();
    const passwordHash = await hashPassword(OPERATOR_PASSWORD);
    const input = { name: 'kim', passwordHash, totpSecret: secret, actor: commandLineActor };
    expect((await market.database.tx((tx) => addOperator(tx, input, new Date()))).ok).toBe(true);
    const kim = await visit(browser, market.url);
    await signInWrongAndRight(kim.page, 'kim');
    await enter(kim.page.getByLabel('One-time code'), new TOTP({ secret }).generate());
    await kim.page.getByRole('button', { name: 'kim: account and theme' }).waitFor();
    expect(kim.faults()).toEqual([]);
    await kim.context.close();
  });

  it('signs in after a wrong password', async () => {
    await signInWrongAndRight(page, 'dana');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    // A marker that a page load would remove: everything below happens without one.
    await page.evaluate(() => Object.assign(globalThis, { isTheSameDocument: true }));
    expect(visitor.faults()).toEqual([]);
  });

  it('shows that no problems were found, but not during an outage', async () => {
    await go('Health');
    await see(page, /No problems found\. The last lead arrived/);
    await visitor.context.setOffline(true);
    const banner = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
    await banner.waitFor();
    await see(page, /Last known at/);
    expect(await page.getByText('No problems found').count()).toBe(0);
    await visitor.context.setOffline(false);
    await banner.waitFor({ state: 'detached' });
    await see(page, /No problems found/);
    expect(visitor.faults().filter((fault) => !fault.includes('net::ERR_'))).toEqual([]);
  });

  it('creates a partner after a review of the change', async () => {
    await go('Partners');
    await activate(page, link('New partner'));
    await arrive('New partner');
    await write(page, field('Key'), 'summit');
    await write(page, field('Name'), 'Summit Debt Relief');
    await pick(page, page.getByRole('combobox', { name: 'Channels' }), 'Webhook');
    await write(page, field('Webhook URL'), `${receiver.origin}/leads`);
    await write(page, field('Credit limit'), '10000');
    await write(page, field('Monthly cap for returned leads'), '20');
    await activate(page, button('Review change'));
    const review = dialog('Review change');
    await see(review, 'Partner summit is new');
    await see(review, `${receiver.origin}/leads`);
    expect(await isThere('partners/summit')).toBe(false);
    await confirm('Review change', 'Apply');
    await arrive('Summit Debt Relief');
    expect(await isThere('partners/summit')).toBe(true);
    expect(visitor.faults()).toEqual([]);
  });

  it('dry-runs a new offer on recent leads, shows the difference in money, and applies it', async () => {
    await activate(page, link('New offer'));
    await arrive('New offer');
    await write(page, field('Key'), 'summit-west');
    await write(page, field('Name'), 'West');
    await write(page, field('Price'), '45');
    const states = page.getByRole('combobox', { name: 'States', exact: true });
    for (const state of ['CA California', 'NV Nevada']) {
      await tabTo(page, states);
      await page.keyboard.type(state.slice(0, 2));
      await pick(page, states, state);
    }
    await see(
      page,
      'About 2 leads a week match these filters. Without a buyer, or sold for less than $45.00: about 2.',
    );
    await activate(page, button('Review change'));
    const review = dialog('Review change');
    await see(review, 'Offer summit-west is new');
    await see(review, '$45.00');
    await see(review, 'CA, NV');
    await isAsked('Review change', 'Apply');
    await tabTo(page, button('Dry run on the last 7 days'), { backwards: true });
    await page.keyboard.press('Enter');
    await arrive('Dry run');
    await see(page, '$60.00 before, $90.00 with the change');
    await row('summit-west', '+$90.00').waitFor();
    await row('harbor-west', '−$60.00').waitFor();
    expect(await isThere('offers/summit-west')).toBe(false);
    await activate(page, button('Review and apply'));
    await confirm('Review change', 'Apply');
    await arrive('West');
    expect(await isThere('offers/summit-west')).toBe(true);
    expect(visitor.faults()).toEqual([]);
  });

  it('issues a token and shows it once', async () => {
    await activate(page, link('Summit Debt Relief'));
    await arrive('Summit Debt Relief');
    await tabTo(page, page.getByRole('tab', { name: 'Offers' }));
    await arrowTo(page, page.getByRole('tab', { name: 'Access' }), 'ArrowRight');
    await activate(page, button('Issue a token'));
    await enter(field('Label'), 'CRM import');
    const issue = dialog('Issue a token');
    await see(issue, 'This is the token. Store it now: it is never shown again.');
    token = await issue.getByText(/^lmb_/).innerText();
    await activate(page, button('I have stored it'));
    await issue.waitFor({ state: 'detached' });
    await row('CRM import', token.slice(-4), 'valid').waitFor();
    expect(await page.content()).not.toContain(token);
    expect((await getAsBuyer(market.url, token, '/api/v1/buyer/leads')).status).toBe(200);
    expect(visitor.faults()).toEqual([]);
  });

  it('shows a new lead live', async () => {
    await go('Leads');
    await row('Kim Before', 'Harbor Financial', '$30.00').waitFor();
    await post(CASEY);
    await row('Casey Morgan', 'Acme Media', 'Sold', 'Summit Debt Relief', '$45.00').waitFor();
    expect(visitor.faults()).toEqual([]);
  });

  it('traces a lead: the winning offer, why others lost, the delivery and the money', async () => {
    await activate(page, link('Casey Morgan'));
    await arrive('Casey Morgan');
    await page.getByRole('heading', { name: 'Decided: sold' }).waitFor();
    await page.getByRole('heading', { name: 'Another partner’s offer came first' }).waitFor();
    await see(page, 'Summit Debt Relief: West');
    await choose(page, page.getByRole('radio', { name: 'Table' }));
    await row('West', 'Summit Debt Relief', '$45.00', 'Won').waitFor();
    await row('California', 'Harbor Financial', '$30.00', 'Choice').waitFor();
    await row('New York', '$60.00', 'State not wanted', 'CA; wanted NY').waitFor();
    const { ref } = await deliveryOf(CASEY);
    const delivery = page.getByRole('listitem').filter({
      has: page.getByRole('heading', { name: `Delivery ${ref} to Summit Debt Relief` }),
    });
    await see(delivery, 'Confirmed');
    await see(delivery, 'succeeded');
    await see(delivery, /response 200/);
    await row('Charge', 'summit', '-$45.00').waitFor();
    expect(receiver.requests.filter(({ body }) => body.includes('Casey Morgan'))).toHaveLength(1);
    expect(visitor.faults()).toEqual([]);
  });

  it('approves one return and denies another by shortcuts', async () => {
    await post(ROBIN);
    const [casey, robin] = [await deliveryOf(CASEY), await deliveryOf(ROBIN)];
    await go('Claims');
    await see(page, 'No claims to decide');
    for (const { id } of [casey, robin]) {
      const body = { deliveryId: id, reason: 'invalid_phone', proof: 'The line is dead.' };
      expect((await postAsBuyer(market.url, token, '/api/v1/buyer/returns', { body })).status).toBe(201);
    }
    await link(`Return of ${robin.ref}`).waitFor();
    await activate(page, link(`Return of ${casey.ref}`));
    await arrive(casey.ref);
    await page.keyboard.press('j');
    await arrive(robin.ref);
    await page.keyboard.press('k');
    await arrive(casey.ref);
    await see(page, 'The line is dead.');
    await page.keyboard.press('a');
    await see(dialog(`Approve the return of ${casey.ref}?`), '$45.00 is credited to Summit Debt Relief at once.');
    await confirm(`Approve the return of ${casey.ref}?`, 'Approve');
    await arrive(robin.ref);
    await see(page, `${casey.ref} approved: $45.00 credited, new balance -$45.00.`);
    await eventually('the partner was notified', () => receiver.requests.some(({ body }) => body.includes('approved')));
    // From here on the partner's endpoint responds 500.
    isDown = true;
    await page.keyboard.press('d');
    await page.getByLabel('Note to the partner').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('We reached the person at this number.');
    await page.keyboard.press('Control+Enter');
    await confirm(`Deny the return of ${robin.ref}?`, 'Deny');
    await see(page, `${robin.ref} denied.`);
    await see(page, 'No other claims are waiting.');
    expect(visitor.faults()).toEqual([]);
  });

  it('sends a failed delivery again', async () => {
    await post(SAM);
    // The page opens the tab that has something, the dead letters first.
    await page.getByRole('img', { name: '1 failure', exact: true }).waitFor();
    await go('Failures');
    await row('Send return.reviewed', 'summit', 'HTTP 500').waitFor();
    await tabTo(page, page.getByRole('tab', { name: 'Dead letters' }));
    await arrowTo(page, page.getByRole('tab', { name: 'Failed deliveries' }), 'ArrowRight');
    await row('LS-', 'Summit Debt Relief', 'HTTP 500', 'failed').waitFor();
    isDown = false;
    await activate(page, button(/^Send again: LS-/));
    await confirm(/^Send LS-.* again$/, 'Send again');
    // The delivery leaves the list when it is queued again; once accepted, it is sold and charged like any other.
    await row('LS-', 'Summit Debt Relief', 'HTTP 500').waitFor({ state: 'detached' });
    const tries = () => receiver.requests.filter(({ body }) => body.includes('Sam Porter')).length;
    await eventually('it was sent a second time', () => tries() === 2);
    expect(visitor.faults()).toEqual([]);
  });

  it('retries a dead letter', async () => {
    await tabTo(page, page.getByRole('tab', { name: 'Failed deliveries' }), { backwards: true });
    await arrowTo(page, page.getByRole('tab', { name: 'Dead letters' }), 'ArrowLeft');
    await activate(page, button(/^Retry: /));
    await confirm('Retry this dead letter', 'Retry');
    await see(page, 'No dead letters');
    await eventually('the partner was notified', () => receiver.requests.at(-1)?.body.includes('denied') === true);
    expect(visitor.faults()).toEqual([]);
  });

  it('shows charges and credit in the ledger', async () => {
    await go('Ledger');
    await activate(page, link('Summit Debt Relief'));
    await arrive('Ledger of Summit Debt Relief');
    await row('credit', '+$45.00').waitFor();
    expect(await row('charge', '-$45.00').count()).toBe(3);
    expect(await page.getByRole('table', { name: 'Account entries' }).locator('tbody tr').count()).toBe(4);
    expect(visitor.faults()).toEqual([]);
  });

  it('erases a person found by email, and shows no personal data on the lead', async () => {
    await go('Personal data');
    await choose(page, page.getByRole('radio', { name: 'Email address' }));
    await write(page, field('Email address'), CASEY.email);
    await page.keyboard.press('Enter');
    await see(page, 'Found 1 lead of this person.');
    await write(page, page.getByLabel(/^Type “erase” to erase the personal data/), 'erase');
    await page.keyboard.press('Enter');
    await see(page, 'Personal data erased from 1 lead');
    await go('Leads');
    await activate(page, link('Erased'));
    await arrive('Erased lead');
    await see(page, /Personal data erased on /);
    const text = await page.content();
    for (const secret of ['Casey', 'casey', '2345678', '234-5678']) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
    expect(visitor.faults()).toEqual([]);
  });

  it('lists all changes in the audit log', async () => {
    await go('Audit log');
    const done = [
      ['Partner created', 'summit'],
      ['Offer created', 'summit-west'],
      ['Token issued', 'label: CRM import'],
      ['Return approved', 'submitted → approved'],
      ['Return denied', 'submitted → denied'],
      ['Delivery redelivery requested', 'of summit'],
      ['Job retried', 'send-message'],
      ['Lead erased', 'of acme-media'],
      ['Session opened', 'ses_'],
    ] as const;
    for (const [action, about] of done) await row('dana', action, about).first().waitFor();
    // Actions of partners are included under their name.
    expect(await row('summit', 'partner', 'Return filed').count()).toBe(2);
    expect(await page.locator('#main').innerText()).not.toContain('casey');
    expect(visitor.faults()).toEqual([]);
  });

  it('signs out and removes the session cookie', async () => {
    expect(await page.evaluate(() => 'isTheSameDocument' in globalThis)).toBe(true);
    const cookies = await visitor.context.cookies();
    await tabTo(page, button('dana: account and theme'), { backwards: true });
    await page.keyboard.press('Enter');
    await arrowTo(page, page.getByRole('menuitem', { name: 'Sign out' }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').waitFor();
    expect(cookies).toHaveLength(1);
    expect(await visitor.context.cookies()).toEqual([]);
    expect(visitor.faults()).toEqual([]);
  });
});
