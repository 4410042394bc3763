// A partner's custom webhook at the console and in the operator's API: preview, test and named secrets (contract 13.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { call } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

const value = 'crm-T0ken-value';
let crm: Receiver;
let market: TestMarketplace;
let anna: SignedIn;
beforeAll(async () => {
  crm = await startReceiver({ respond: ({ headers }) => ({ status: 200, body: String(headers['authorization']) }) });
  market = await startTestMarketplace({
    allowTargets: [crm.origin],
    yaml: `
partners:
  - key: summit
    settings: { webhookUrl: "${crm.origin}/in" }
    webhook:
      format: custom
      headers: { Authorization: "Bearer {{ secret.crm_token }}" }
      body: { type: json, template: '{ "name": "{{ lead.fullName }}" }' }
  - key: valley
`,
  });
  anna = await market.signedIn.operator('anna');
});
afterAll(async () => {
  await market.close();
  await crm.close();
});

const preview = (key: string, webhook?: object) =>
  anna.send('POST', `/console/api/partners/${key}/webhook/preview`, webhook === undefined ? {} : { webhook });

describe('A custom webhook at the console', () => {
  it('is previewed as saved, with secrets as dots and without sending anything', async () => {
    const { status, json } = await preview('summit');
    expect([status, json]).toEqual([
      200,
      {
        request: {
          ...{ method: 'POST', url: `${crm.origin}/in`, body: '{"name":"Jordan Rivera"}' },
          headers: { 'content-type': 'application/json', authorization: 'Bearer ••••' },
        },
        ...{ error: null, faults: [] },
      },
    ]);
    expect(crm.requests).toEqual([]);
  });

  it('is previewed before it is saved, and its errors have line and column', async () => {
    const stated = {
      format: 'custom',
      body: { type: 'text', template: 'a\n{{ lead.fone }}' },
      query: { q: '{{ lead.state }}' },
    };
    expect((await preview('summit', stated)).json).toEqual({
      ...{ request: null, error: null },
      faults: [
        {
          path: 'webhook.body.template',
          message: 'there is no "lead.fone" (did you mean lead.phone?)',
          line: 2,
          column: 4,
        },
      ],
    });
    const mended = { ...stated, body: { type: 'text', template: '{{ lead.phone }}' } };
    expect((await preview('valley', mended)).json).toMatchObject({
      request: { url: 'https://partner.example/leads?q=CA', body: '+15555550123' },
    });
  });

  it.each([
    [{ format: 'custom', body: { type: 'yaml', template: 'x' } }],
    [{ format: 5 }],
    [{ format: 'custom', headers: { a: 5 } }],
    [{ format: 'custom', response: { rules: [{}] } }],
    [{ format: 'custom', response: { rules: 'x' }, method: null, query: [], ['__proto__x']: 1 }],
  ])('has faults for %j', async (webhook) => {
    const { status, json } = await preview('summit', webhook);
    expect([status, json.request, json.faults.length]).toEqual([200, null, 1]);
  });

  it('has nothing to preview in the standard format, nor of a partner that does not exist', async () => {
    expect((await preview('valley')).json).toEqual({ request: null, error: null, faults: [] });
    expect((await preview('nobody')).status).toBe(404);
  });

  it('is tested once its secret is set; no response has the value', async () => {
    const test = () => anna.send('POST', '/console/api/partners/summit/webhook/test', { target: 'webhook' });
    expect((await test()).json).toMatchObject({ delivered: false, error: 'The secret crm_token is not set.' });
    const set = await anna.send('POST', '/console/api/partners/summit/secrets', { name: 'crm_token', value });
    expect([set.status, set.json]).toEqual([200, { name: 'crm_token', isNew: true }]);
    const tested = await test();
    expect(tested.json).toMatchObject({ delivered: true, responseCode: 200, responseSnippet: 'Bearer ••••' });
    expect(crm.requests).toMatchObject([{ headers: { authorization: `Bearer ${value}` } }]);
    const listed = await anna.get('/console/api/partners/summit/secrets');
    expect(listed.json.data).toMatchObject([{ name: 'crm_token', isReadable: true }]);
    for (const { text } of [set, tested, listed, await preview('summit')]) expect(text).not.toContain(value);
  });

  it.each([
    [{ name: 'Bad', value }, 'name'],
    [{ name: 'ok', value: 'abc' }, 'value'],
    [{ name: 'ok', value: 'a\nbcd' }, 'value'],
  ])('has no secret %j', async (secret, field) => {
    const { status, json } = await anna.send('POST', '/console/api/partners/summit/secrets', secret);
    expect([status, json.errors?.[0]?.field]).toEqual([422, field]);
  });

  it('has secrets of its own partner only, which can be removed', async () => {
    expect((await anna.get('/console/api/partners/valley/secrets')).json.data).toEqual([]);
    const remove = (key: string) => anna.send('POST', `/console/api/partners/${key}/secrets/crm_token/remove`);
    expect((await remove('valley')).status).toBe(404);
    expect((await remove('summit')).json).toEqual({ name: 'crm_token' });
    expect((await remove('summit')).status).toBe(404);
    expect((await anna.send('POST', '/console/api/partners/nobody/secrets', { name: 'ok', value })).status).toBe(404);
  });
});

describe('A custom webhook in the operator’s API', () => {
  it('is previewed by a token that may read, and changed by one that may configure', async () => {
    const send = async (scope: 'read' | 'configure', path: string, body: object) => {
      const token = await market.operatorToken([scope]);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return call(`${market.url}/api/v1/operator/partners/summit/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
    };
    expect((await send('read', 'webhook/preview', {})).json).toMatchObject({ request: { method: 'POST' } });
    expect((await send('read', 'secrets', { name: 'crm_token', value })).status).toBe(403);
    expect((await send('configure', 'secrets', { name: 'crm_token', value })).json).toEqual({
      name: 'crm_token',
      isNew: true,
    });
  });
});
