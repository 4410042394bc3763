// What operators see of a custom webhook at work: the preview of a delivery, and the latest responses with the rules that read them
// (contract 13.3, 13.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { call } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

const value = 'crm-T0ken-value';
const yamlOf = (origin: string, reason: string) => `
suppliers:
  - { key: acme, status: approved }
partners:
  - key: summit
    channels: [webhook]
    settings: { webhookUrl: "${origin}/in" }
    webhook:
      format: custom
      headers: { Authorization: "Bearer {{ secret.crm_token }}" }
      body: { type: json, template: '{ "name": "{{ lead.fullName }}" }' }
      response:
        rules:
          - { when: { json: { path: no, exists: true } }, outcome: rejected, reason: { ${reason} } }
          - { when: { status: 2xx }, outcome: accepted }
    offers: [{ key: west, eventType: Lead Sale, payout: 45 }]
  - key: valley
`;

let crm: Receiver;
let market: TestMarketplace;
let anna: SignedIn;
let viewer: SignedIn;
let sold: { readonly deliveryId: string; readonly leadId: string };
let name: string;
/** What the partner's system says about the next request. */
let says: (body: string, token: string) => string = (body, token) => `{"taken":${body},"by":"${token}"}`;

beforeAll(async () => {
  crm = await startReceiver({
    respond: ({ headers, body }) => ({ status: 200, body: says(body, String(headers['authorization'])) }),
  });
  market = await startTestMarketplace({ allowTargets: [crm.origin], yaml: yamlOf(crm.origin, 'json: no') });
  anna = await market.signedIn.operator('anna');
  viewer = await market.signedIn.operator('vi', 'read-only');
  await anna.send('POST', '/console/api/partners/summit/secrets', { name: 'crm_token', value });
  sold = await sell(1, 'Confirmed');
  name = String(JSON.parse(crm.requests[0]?.body ?? '{}').name);
});
afterAll(async () => {
  await market.close();
  await crm.close();
});

async function sell(serial: number, status: string): Promise<{ deliveryId: string; leadId: string }> {
  const source = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 1 });
  const { json } = await source.post(leadBody(serial));
  await source.close();
  return eventually(`the delivery is ${status}`, async () => {
    const story = await anna.get(`/console/api/leads/${json.lead_id}`);
    const [delivery] = story.json.deliveries ?? [];
    return delivery?.status === status ? { deliveryId: delivery.deliveryId, leadId: json.lead_id } : null;
  });
}

const PATH = '/console/api/partners/summit/webhook';
const preview = (who: SignedIn, body: object, path = PATH) => who.send('POST', `${path}/preview-delivery`, body);
const responses = async (who: SignedIn = anna) => (await who.get(`${PATH}/responses`)).json.data;
const viewsOf = async (who: string) =>
  (
    await select<{ target: string }>(
      market.database,
      `SELECT target FROM audit_event WHERE action = 'person.viewed' AND actor_name = $1`,
      [who],
    )
  ).map(({ target }) => target);

describe('The preview of a delivery', () => {
  it('has the data of its lead, no secret, and is recorded as a read of the lead', async () => {
    const bea = await market.signedIn.operator('bea');
    const { status, json, text } = await preview(bea, { deliveryId: sold.deliveryId });
    expect([status, json]).toMatchObject([
      200,
      {
        request: { body: JSON.stringify({ name }), headers: { authorization: 'Bearer ••••' } },
        ...{ error: null, faults: [], leadId: sold.leadId },
      },
    ]);
    expect(text).not.toContain(value);
    expect(await viewsOf('bea')).toEqual([sold.leadId]);
    const webhook = { format: 'custom', body: { type: 'text', template: 'Dear {{ lead.fullName }}' } };
    expect((await preview(bea, { deliveryId: sold.deliveryId, webhook })).json.request.body).toBe(`Dear ${name}`);
  });

  it('is refused to operators who may not read personal data', async () => {
    expect((await preview(viewer, { deliveryId: sold.deliveryId })).status).toBe(403);
    const asToken = async (scope: 'read' | 'privacy') => {
      const token = await market.operatorToken([scope]);
      const path = '/api/v1/operator/partners/summit/webhook/preview-delivery';
      return call(market.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: { deliveryId: sold.deliveryId },
      });
    };
    expect([(await asToken('read')).status, (await asToken('privacy')).json.leadId]).toEqual([403, sold.leadId]);
  });

  it.each([
    ['a delivery of another partner', '/console/api/partners/valley/webhook', ''],
    ['a delivery that does not exist', PATH, 'dlv_01m7wyk0h2emp81qch4dvtyn6a'],
    ['what is no id', PATH, 'nonsense'],
    ['a partner that does not exist', '/console/api/partners/nobody/webhook', ''],
  ])('does not find %s', async (_, path, id) => {
    expect((await preview(anna, { deliveryId: id === '' ? sold.deliveryId : id }, path)).status).toBe(404);
  });
});

describe('The latest responses', () => {
  it('show the rule that read each, and no secret', async () => {
    expect(await responses()).toMatchObject([
      {
        ...{ deliveryId: sold.deliveryId, leadId: sold.leadId, test: false, state: 'succeeded', responseCode: 200 },
        ...{ rule: 1, isCurrent: true, error: null },
        responseSnippet: `{"taken":{"name":"${name}"},"by":"Bearer ••••"}`,
      },
    ]);
    expect(await viewsOf('anna')).toContain(sold.leadId);
  });

  it('include tests and rejections', async () => {
    says = () => `{"no":"We know ${name}"}`;
    await anna.send('POST', `${PATH}/test`, { target: 'webhook' });
    await sell(2, 'Failed');
    expect(await responses()).toMatchObject([
      { test: false, rule: 0, state: 'exhausted', error: `Rejected by the partner: We know ${name}` },
      { test: true, rule: 0, deliveryId: null, leadId: null, state: 'failed' },
      { test: false, rule: 1 },
    ]);
  });

  it('are masked for operators who may not read personal data', async () => {
    const shown = await responses(viewer);
    expect(shown).toHaveLength(3);
    expect(JSON.stringify(shown)).not.toContain(name);
    expect(shown[0]).toMatchObject({ rule: 0, responseCode: 200, responseSnippet: '•••', error: '•••' });
  });

  it('have no rule of the current format once the format has changed', async () => {
    await market.apply(yamlOf(crm.origin, "text: 'Not wanted'"));
    expect((await responses()).map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([
      false,
      false,
      false,
    ]);
    await anna.send('POST', `${PATH}/test`, { target: 'webhook' });
    expect((await responses())[0]).toMatchObject({ test: true, rule: 0, isCurrent: true });
    // Another change of the partner is none of its format.
    await market.apply(yamlOf(crm.origin, "text: 'Not wanted'").replace('key: summit', 'key: summit\n    name: Peak'));
    expect((await responses())[0]).toMatchObject({ isCurrent: true });
  });

  it('are none of a partner without any, nor of one that does not exist', async () => {
    expect((await anna.get('/console/api/partners/valley/webhook/responses')).json).toEqual({ data: [] });
    expect((await anna.get('/console/api/partners/nobody/webhook/responses')).status).toBe(404);
  });
});
