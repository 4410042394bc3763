// An operator gives a partner's webhook a format of its own by keyboard: preset, an error in the template, difference, and rules (contract 13.6).
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { looksRight } from '../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../support/browser/chromium.ts';
import { activate, choose, pick, tabTo, write } from '../support/browser/keyboard.ts';
import { signInToConsole } from '../support/browser/people.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const YAML = `
partners:
  - key: summit
    name: Summit
    channels: [webhook]
    settings: { webhookUrl: "ORIGIN/leads" }
`;

describe.skipIf(hasNoChromium())('the format of a webhook in a browser', () => {
  let market: TestMarketplace;
  let browser: Browser;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver({
      respond: () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"status":"rejected","message":"Outside of our area"}',
      }),
    });
    const yaml = YAML.replace('ORIGIN', receiver.origin);
    [market, browser] = await Promise.all([
      startTestMarketplace({ yaml, allowTargets: [receiver.origin] }),
      startChromium(),
    ]);
    await market.signedIn.operator('dana');
  });
  afterAll(async () => {
    await closeWindows();
    await market?.close();
    await receiver?.close();
  });

  it('starts from a preset, shows the place of an error, and is applied after its difference was seen', async () => {
    const visitor = await visit(browser, market.url);
    const { page } = visitor;
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    await signInToConsole(page, 'dana', '/console/partners/summit?tab=webhook');
    await page.getByText('A signed JSON message by Standard Webhooks').waitFor();
    await choose(page, page.getByRole('radio', { name: 'Custom', exact: true }));
    await pick(page, page.getByRole('combobox', { name: 'Start from a preset' }), 'JSON with a token');
    await page.getByText('Fill in: key and name of the partner').waitFor();
    expect(await page.getByRole('group', { name: /^Rule \d$/ }).count()).toBe(5);
    await looksRight(page);

    const template = page.getByRole('textbox', { name: 'Template', exact: true }).last();
    await write(page, template, '{\n  "phone": "{{ lead.fone }}"\n}');
    await activate(page, button('Review change'));
    await page
      .getByText(/there is no "lead\.fone".*\(at line 2, column 16 of the text\)/)
      .first()
      .waitFor();
    await looksRight(page);
    await activate(page, button('Go to line 2, column 16'));
    expect(
      await template.evaluate((area: HTMLTextAreaElement) => [document.activeElement === area, area.selectionStart]),
    ).toEqual([true, 2 + 15]);

    await write(page, template, '{\n  "phone": "{{ lead.phone }}"\n}');
    await activate(page, button('Remove rule 1'));
    await activate(page, button('Move rule 4 up'));
    await tabTo(page, button('Review change'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1. status 200, 201, 202 and json path status equals duplicate').waitFor();
    await dialog.getByText('"phone": "{{ lead.phone }}"').waitFor();
    await dialog.getByRole('button', { name: 'Apply', exact: true }).press('Enter');
    await page.getByText('Change applied.').waitFor();

    await page.reload();
    await page.getByRole('group', { name: 'Rule 4', exact: true }).waitFor();
    expect(await page.getByRole('group', { name: /^Rule \d$/ }).count()).toBe(4);

    const secrets = page.getByRole('form', { name: 'Set a secret' });
    await write(page, secrets.getByLabel('Name'), 'api_token');
    await write(page, secrets.getByLabel('Value', { exact: true }), 'token-9876');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Secrets' }).getByText('api_token').waitFor();
    await activate(page, button('Preview request'));
    await page.getByRole('region', { name: 'the previewed request' }).getByText('authorization: Bearer ••••').waitFor();
    expect(receiver.requests).toEqual([]);
    await activate(page, button('Send test'));
    await page.getByText(/This response does not accept a lead\..*Outside of our area.* Rule 2 matched\./).waitFor();
    await looksRight(page);
    expect(receiver.requests[0]?.headers['authorization']).toBe('Bearer token-9876');
    expect(await page.content()).not.toContain('token-9876');
    expect(visitor.faults()).toEqual([]);
    await visitor.context.close();
  });
});
