// A partner tries the format of its own webhook out in the portal: preview, test, the latest responses, and the names of secrets
// (contract 13.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

const FORMAT = '/portal/api/buyer/webhook-format';
const TEST = '/portal/api/buyer/test-delivery';
const value = 'crm-T0ken-value';

let crm: Receiver;
let market: TestMarketplace;
let summit: SignedIn;
let harbor: SignedIn;

beforeAll(async () => {
  crm = await startReceiver({
    respond: ({ headers }) => ({ status: 200, body: `{"outcome":"no","heard":"${String(headers['authorization'])}"}` }),
  });
  const webhook = `
    channels: [webhook]
    settings: { webhookUrl: "${crm.origin}/in" }
    betaTools: [test-delivery]
    webhook:
      format: custom
      method: PUT
      headers: { Authorization: "Bearer {{ secret.crm_token }}" }
      query: { state: "{{ lead.state }}" }
      body: { type: text, template: "name {{ lead.fullName }}" }
      response:
        rules:
          - { when: { json: { path: outcome, equals: ok } }, outcome: accepted }
          - { when: { json: { path: outcome, equals: no } }, outcome: rejected, reason: { text: 'Not now' } }`;
  market = await startTestMarketplace({
    allowTargets: [crm.origin],
    yaml: `partners:\n  - key: summit\n    editableFields: [webhookFormat]${webhook}\n  - key: harbor${webhook}\n  - key: valley\n    betaTools: [test-delivery]\n`,
  });
  const anna = await market.signedIn.operator('anna');
  await anna.send('POST', '/console/api/partners/summit/secrets', { name: 'crm_token', value });
  summit = await market.signedIn.buyer('summit');
  harbor = await market.signedIn.buyer('harbor');
});
afterAll(async () => {
  await market.close();
  await crm.close();
});

const SAVED = {
  method: 'PUT',
  url: expect.stringMatching(/\/in\?state=CA$/) as string,
  body: 'name Jordan Rivera',
};

describe('A partner that tries its own format', () => {
  it('previews the saved one, and one that it may change, before it is saved', async () => {
    for (const who of [summit, harbor]) {
      const { json } = await who.send('POST', `${FORMAT}/preview`, {});
      const headers = { 'content-type': 'text/plain; charset=utf-8', authorization: 'Bearer ••••' };
      expect(json).toEqual({ request: { ...SAVED, headers }, error: null, faults: [] });
    }
    const webhook = { format: 'custom', body: { type: 'text', template: 'a\n{{ lead.fone }}' } };
    const wrong = await summit.send('POST', `${FORMAT}/preview`, { webhook });
    expect(wrong.json).toMatchObject({
      request: null,
      faults: [{ path: 'webhook.body.template', line: 2, column: 4 }],
    });
    const refused = await harbor.send('POST', `${FORMAT}/preview`, { webhook });
    expect([refused.status, refused.json.code]).toEqual([403, 'setting_not_editable']);
    expect(crm.requests).toEqual([]);
  });

  it('sees the names of its own secrets, without values', async () => {
    const { json, text } = await summit.get(`${FORMAT}/secrets`);
    expect(json.data).toMatchObject([{ name: 'crm_token', isReadable: true }]);
    expect(text).not.toContain(value);
    expect((await harbor.get(`${FORMAT}/secrets`)).json).toEqual({ data: [] });
  });

  it('sends a test and sees the request with dots, the response, and the rule that read it', async () => {
    const previewed = await summit.send('POST', TEST, { target: 'preview' });
    expect(previewed.json).toMatchObject({ target: 'preview', error: null, request: { ...SAVED, isSigned: false } });
    const { json, text } = await summit.send('POST', TEST, { target: 'webhook' });
    expect(json).toMatchObject({
      ...{ target: 'webhook', delivered: false, responseCode: 200, rule: 1 },
      error: 'Rejected by the partner: Not now',
      responseSnippet: '{"outcome":"no","heard":"Bearer ••••"}',
      request: { ...SAVED, isSigned: false },
    });
    const sent = json.request.headers as ReadonlyArray<{ name: string; value: string }>;
    expect(sent).toContainEqual({ name: 'authorization', value: 'Bearer ••••' });
    expect(text).not.toContain(value);
    expect(crm.requests).toMatchObject([
      { method: 'PUT', body: SAVED.body, headers: { authorization: `Bearer ${value}` } },
    ]);
    const { json: latest } = await summit.get(`${FORMAT}/responses`);
    expect(latest.data).toMatchObject([{ test: true, rule: 1, isCurrent: true, responseCode: 200 }]);
    expect(latest.data[0]).not.toHaveProperty('leadId');
    expect((await harbor.get(`${FORMAT}/responses`)).json).toEqual({ data: [] });
  });

  it('sees why no request can be made', async () => {
    const test = await harbor.send('POST', TEST, { target: 'webhook' });
    expect(test.json).toMatchObject({
      ...{ delivered: false, responseCode: null, rule: null, error: 'The secret crm_token is not set.' },
      request: { isSigned: false },
    });
  });

  it('has a signed preview in the standard format', async () => {
    const valley = await market.signedIn.buyer('valley');
    const { json } = await valley.send('POST', TEST, { target: 'preview' });
    expect(json).toMatchObject({ error: null, request: { method: 'POST', url: null, isSigned: true } });
    expect((await valley.send('POST', `${FORMAT}/preview`, {})).json).toEqual({
      ...{ request: null, error: null, faults: [] },
    });
  });
});
