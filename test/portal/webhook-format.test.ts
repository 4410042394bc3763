// A partner reads the format of its webhook in the portal, and changes it where the operator allows it (contract 13.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PATH = '/portal/api/buyer/webhook-format';
const YAML = `
partners:
  - key: summit
    name: Summit
    channels: [webhook]
    settings: { webhookUrl: https://crm.summit.example/leads }
    editableFields: [webhookUrl, webhookFormat]
  - key: harbor
    name: Harbor
    channels: [webhook]
    webhook: { format: custom, headers: { Zone: west, Accept: text/plain }, body: { type: text, template: 'Phone {{ lead.phone }}' } }
  - key: valley
    name: Valley
    channels: [webhook]
    editableFields: [webhookFormat]
    webhook: { format: custom, response: { rules: [{ when: {}, outcome: accepted, price: { json: price } }] } }
    offers: [{ key: valley-west, eventType: Lead Sale, payout: 45, price: answered, priceMin: 10 }]
`;

const custom = (template: string) => ({ format: 'custom', body: { type: 'json', template } });

let market: TestMarketplace;
let summit: SignedIn;
let harbor: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: YAML });
  summit = await market.signedIn.buyer('summit');
  harbor = await market.signedIn.buyer('harbor');
});
afterAll(() => market.close());

const put = (who: SignedIn, body: object) => who.send('PUT', PATH, body);

describe('The format of a webhook in the portal', () => {
  it('is shown, and refuses a change that the operator does not allow', async () => {
    const { json } = await harbor.get(PATH);
    expect(json).toMatchObject({
      isEditable: false,
      format: { body: { type: 'text' }, headers: { Accept: 'text/plain' } },
    });
    const refused = await put(harbor, { format: null, version: json.version });
    expect([refused.status, refused.json.code]).toEqual([403, 'setting_not_editable']);
    expect((await harbor.get(PATH)).json.format).not.toBeNull();
  });

  it('is changed where the operator allows it, recorded with its author, and stays when the file is applied again', async () => {
    const { json: before } = await summit.get(PATH);
    expect(before).toMatchObject({ isEditable: true, format: null });
    const changed = await put(summit, { format: custom('{"phone":"{{ lead.phone }}"}'), version: before.version });
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
    expect(changed.json).toMatchObject({
      format: { method: 'POST', body: { template: '{"phone":"{{ lead.phone }}"}' } },
    });
    const events = await select(
      market.database,
      `SELECT action, actor_type, buyer_key FROM audit_event WHERE action = 'partner.updated'`,
    );
    expect(events).toEqual([{ action: 'partner.updated', actor_type: 'buyer', buyer_key: 'summit' }]);
    await market.apply(YAML);
    expect((await summit.get(PATH)).json.format).toEqual(changed.json.format);
    // Another statement in the file replaces it.
    await market.apply(
      YAML.replace(
        'editableFields: [webhookUrl',
        "webhook: { format: custom, body: { type: text, template: 'Hello' } }\n    editableFields: [webhookUrl",
      ),
    );
    expect((await summit.get(PATH)).json.format).toMatchObject({ body: { type: 'text', template: 'Hello' } });
  });

  it('names the place of an error in a template, and changes nothing', async () => {
    const { json: before } = await summit.get(PATH);
    const wrong = await put(summit, { format: custom('{\n  "phone": "{{ lead.fone }}"\n}'), version: before.version });
    expect(wrong.status).toBe(422);
    expect(wrong.json.errors).toEqual([
      {
        field: 'body.template',
        code: 'invalid',
        message: expect.stringMatching(/there is no "lead\.fone".*\(at line 2, column 16 of the text\)$/) as string,
      },
    ]);
    for (const format of [
      { format: 'custom', body: 7 },
      { format: 'odd' },
      { format: 'custom', unknown: 1 },
      { method: 'DELETE' },
    ]) {
      expect((await put(summit, { format, version: before.version })).status).toBe(422);
    }
    expect((await summit.get(PATH)).json).toEqual(before);
  });

  it('stays one that names prices while an offer leaves them to the partner', async () => {
    const valley = await market.signedIn.buyer('valley');
    const { json: before } = await valley.get(PATH);
    for (const [format, needs] of [
      [null, 'a custom format'],
      [custom('{}'), 'a rule in the format'],
    ] as const) {
      const refused = await put(valley, { format, version: before.version });
      expect([refused.status, refused.json.errors]).toEqual([
        422,
        [
          {
            ...{ field: '', code: 'invalid' },
            message: expect.stringMatching(`^the offer "valley-west" has the price "answered", which needs ${needs}`),
          },
        ],
      ]);
    }
    expect((await valley.get(PATH)).json).toEqual(before);
  });

  it('does not overwrite a change that was made since it was read', async () => {
    const { json: before } = await summit.get(PATH);
    const first = await put(summit, { format: custom('{"a":1}'), version: before.version });
    expect(first.status).toBe(200);
    const second = await put(summit, { format: null, version: before.version });
    expect([second.status, second.json.code]).toEqual([409, 'configuration_changed']);
    expect((await summit.get(PATH)).json.format).toMatchObject({ body: { template: '{"a":1}' } });
  });
});
