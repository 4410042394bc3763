// A supplier's tasks at the portal in a real browser by keyboard alone: rejections, specification, test lead, secret.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSupplierMarket, type SupplierMarket } from '../portal/supplier-market.ts';
import { closeWindows, hasNoChromium, startChromium, visit, type Visitor } from '../support/browser/chromium.ts';
import { activate, arrowTo, choose, followMenu, tabTo, write } from '../support/browser/keyboard.ts';
import { signInToConsole } from '../support/browser/people.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

/** A lead in this supplier's own shape. */
const OWN_SHAPE = {
  id: 'BF-1',
  contact: { name: 'Jordan Rivera', mail: 'jordan.rivera@example.com' },
  Mobile: '(512) 555-0147',
  address: { region: 'California' },
  amountOwed: '$24,500',
};
const NO_CONTACT = { ...OWN_SHAPE, id: 'BF-2', contact: { name: 'Jordan Rivera' }, Mobile: '' };
const BAD_PHONE = { ...OWN_SHAPE, id: 'BF-3', Mobile: '555' };

describe.skipIf(hasNoChromium())('the supplier portal in a browser', () => {
  let market: SupplierMarket;
  let sibling: TestMarketplace;
  let browser: Browser;

  beforeAll(async () => {
    [market, browser] = await Promise.all([startSupplierMarket(), startChromium()]);
    const allowTargets = [market.receiver.origin];
    sibling = await startTestMarketplace({
      yaml: market.yaml,
      allowTargets,
      role: 'api',
      on: market.market.testDatabase,
    });
    await market.post('brightform', OWN_SHAPE);
    await market.post('brightform', NO_CONTACT);
    await market.post('brightform', BAD_PHONE);
    await market.post('brightform', { ...BAD_PHONE, id: 'BF-4', notes: 'so it went on '.repeat(1500) });
    await market.decided();
  });
  afterAll(async () => {
    await closeWindows();
    await sibling?.close();
    await market?.close();
  });

  const arrive = async (credential: string, url = market.market.url): Promise<Visitor> => {
    const visitor = await visit(browser, url);
    const { page } = visitor;
    await page.goto('/portal');
    await write(page, page.getByLabel('Access token or supplier key'), credential);
    await page.keyboard.press('Enter');
    await heading(page, 'Overview');
    return visitor;
  };
  /** Closes the browser's context and returns the errors in it. */
  const leave = async ({ context, faults }: Visitor): Promise<string[]> => {
    await context.close();
    return faults();
  };

  it('shows why leads were rejected with the remedy, and one rejected submission', async () => {
    const visitor = await arrive(market.keys.brightform);
    const { page } = visitor;
    const refused = page.getByRole('table', { name: 'Submissions rejected by the checks, by reason' });
    const contact = refused.getByRole('row').filter({ hasText: 'email or phone required' });
    await contact.getByText('Both email and phone were empty.').waitFor();
    await contact.getByText('What to do: Send email, phone, or both.').waitFor();
    const phone = refused.getByRole('row').filter({ hasText: 'phone invalid' });
    await phone.getByText(/^What to do: .+Omit the field if you have no value\.$/).waitFor();
    await activate(page, phone.getByRole('link', { name: '2', exact: true }));

    await heading(page, 'Submissions');
    const list = page.getByRole('table', { name: 'Submissions', exact: true });
    await list.getByText('BF-3').waitFor();
    expect(await list.getByRole('row').count()).toBe(3);
    expect([...new URL(page.url()).searchParams]).toEqual([
      ['state', 'invalid'],
      ['reason', 'phone invalid'],
      // The days of the figure.
      ['from', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
      ['to', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
    ]);
    await activate(page, list.getByRole('row').filter({ hasText: 'BF-3' }).getByRole('link'));

    await heading(page, 'Submission');
    await page.getByRole('heading', { level: 3, name: 'phone invalid' }).waitFor();
    const reading = page.getByRole('table', { name: 'Fields and how they were read' });
    const cells = reading.getByRole('row').filter({ hasText: 'phone invalid' });
    await cells.getByText('Mobile', { exact: true }).waitFor();
    await cells.getByText('"555"', { exact: true }).waitFor();
    expect(JSON.parse(await textOf(page, 'the response body'))).toMatchObject({
      accepted: false,
      reason: 'phone invalid',
    });
    // Back keeps the chosen reason.
    await page.goBack();
    await list.getByText('BF-4').waitFor();
    await activate(page, page.getByRole('button', { name: /^Remove filter Reason: / }));
    await list.getByText('BF-2').waitFor();
    expect(await leave(visitor)).toEqual([]);
  });

  it('shows the stored part of a long body to the supplier and to the operator', async () => {
    const visitor = await arrive(market.keys.brightform);
    const { page } = visitor;
    const supplier = await market.market.signedIn.supplier('brightform');
    const { json } = await supplier.get('/portal/api/supplier/submissions', { 'x-search': 'BF-4' });
    const leadId = String(json.data[0].leadId);
    await page.goto(`/portal/supply/submissions/${leadId}`);
    await heading(page, 'Submission');
    await page.getByText(/^The first 8 KiB of 20\.\d KiB: bodies of rejected leads are not stored whole\./).waitFor();
    expect(await textOf(page, 'the body as received')).toContain('so it went on');
    expect(await page.getByRole('link', { name: 'Post again as a test' }).count()).toBe(0);
    expect(await leave(visitor)).toEqual([]);

    await market.market.signedIn.operator('dana');
    const operator = await visit(browser, market.market.url);
    await signInToConsole(operator.page, 'dana', `/console/leads/${leadId}`);
    await operator.page.getByRole('button', { name: 'As received' }).click();
    await operator.page
      .getByText(/^The first 8 KiB of 20\.\d KiB: bodies of rejected leads are not stored whole\.$/)
      .waitFor();
    expect(await leave(operator)).toEqual([]);
  });

  it('shows the specification with the supplier’s own field names and a sample in each language', async () => {
    const visitor = await arrive(market.keys.brightform);
    const { page } = visitor;
    await followMenu(page, 'Posting specification');
    await heading(page, 'Posting specification');
    const fields = page.getByRole('table', { name: 'Fields of a lead' });
    const name = fields.getByRole('row').filter({ hasText: 'contact.name' });
    await name.getByText('full_name', { exact: true }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^source is "brightform"$/ })
      .waitFor();
    const tabs = page.getByRole('tablist', { name: 'Code that posts the example' });
    for (const [index, language] of ['curl', 'Node', 'Python', 'PHP'].entries()) {
      const tab = tabs.getByRole('tab', { name: new RegExp(`^${language}`) });
      if (index === 0) await tabTo(page, tab);
      else await arrowTo(page, tab, 'ArrowRight');
      const label = `Code that posts the example, in ${(await tab.textContent()) ?? ''}`;
      const code = await textOf(page, label);
      expect([language, code.includes('/api/v1/ingest'), code.includes('amountOwed')]).toEqual([language, true, true]);
    }
    expect(await leave(visitor)).toEqual([]);
  });

  it('posts a test lead, corrects it, and shows the response and the simulated decision', async () => {
    const visitor = await arrive(market.keys.brightform);
    const { page } = visitor;
    await followMenu(page, 'Test lead');
    await heading(page, 'Test lead');
    await write(page, page.getByLabel('Email', { exact: true }), 'somebody.new@example.com');
    await write(page, page.getByLabel('Phone', { exact: true }), '555');
    const post = page.getByRole('button', { name: 'Post test lead' });
    await activate(page, post);
    await page.getByText('Rejected: a real lead would get the same response.').waitFor();
    await page.getByText(/^phone invalid\. /).waitFor();
    await write(page, page.getByLabel('Phone', { exact: true }), '+15125550148');
    await activate(page, post);
    await page.getByText('Accepted: a real lead would be routed now.').waitFor();
    expect(JSON.parse(await textOf(page, 'the response body'))).toMatchObject({ accepted: true });
    const decision = section(page, 'Simulated decision');
    await decision.getByText('Sold', { exact: true }).waitFor();
    await decision.getByText(/would have been sold/).waitFor();
    await decision.getByText(/^Score \d+ of 100\.$/).waitFor();

    // And in the supplier's own shape.
    await choose(page, page.getByRole('radio', { name: 'JSON in your shape' }));
    const body = page.getByLabel('Body', { exact: true });
    await body.waitFor();
    await write(page, body, JSON.stringify({ ...OWN_SHAPE, id: 'BF-5', address: { region: 'Texas' } }));
    await activate(page, post);
    await decision.getByText('No Buyer', { exact: true }).waitFor();
    await decision.getByText(/^What to do: Send the fields that buyers filter on/).waitFor();
    expect(await leave(visitor)).toEqual([]);
  });

  it('shows and hides the signing secret of callbacks', async () => {
    const visitor = await arrive(market.keys.brightform);
    const { page } = visitor;
    await followMenu(page, 'Access');
    const own = section(page, 'Signing secret');
    await activate(page, own.getByRole('button', { name: 'Show secret' }));
    await own.getByText(/^whsec_\S+$/).waitFor();
    await activate(page, own.getByRole('button', { name: 'Hide secret' }));
    await own.getByText(/^whsec_/).waitFor({ state: 'detached' });
    expect(await leave(visitor)).toEqual([]);
  });

  it('shows a submission live that was posted to another process of the service', async () => {
    const visitor = await arrive(market.keys['acme-media'], sibling.url);
    const { page } = visitor;
    await followMenu(page, 'Submissions');
    await page.getByText('No submissions yet').waitFor();
    await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
    await market.post('acme-media', leadBody(900));
    const row = page.getByRole('row').filter({ hasText: 'lead-900' });
    await row.getByText('Sold').waitFor();
    expect(await leave(visitor)).toEqual([]);
  });
});

async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

function section(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
}

async function textOf(page: Page, label: string): Promise<string> {
  return (await page.getByRole('region', { name: label, exact: true }).textContent()) ?? '';
}
