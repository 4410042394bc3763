// A partner switches its delivery channels on and off and tests them, within what the operator allows (contract 6.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { sampleLead } from '../contract/market.ts';
import { eventually } from '../support/eventually.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PATH = '/portal/api/buyer/channels';
const YAML = `
suppliers: [{ key: acme-media, name: Acme, status: approved }]
partners:
  - key: summit
    name: Summit
    settings: { notificationEmail: leads@summit.example, sheetsWebhookUrl: https://script.google.com/macros/s/abc/exec }
    editableFields: [notificationEmail, sheetsWebhookUrl, smsNumber, channels]
    betaTools: []
    offers: [{ key: summit-west, eventType: Lead Sale, payout: 45 }]
  - key: harbor
    name: Harbor
    channels: [webhook]
    settings: { webhookUrl: https://crm.harbor.example/leads, notificationEmail: leads@harbor.example }
    editableFields: [notificationEmail, smsNumber]
`;

let market: TestMarketplace;
let summit: SignedIn;
let harbor: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: YAML });
  [summit, harbor] = [await market.signedIn.buyer('summit'), await market.signedIn.buyer('harbor')];
});
afterAll(() => market.close());

const namesOf = async (who: SignedIn): Promise<string[]> =>
  ((await who.get(PATH)).json.channels as Array<{ name: string }>).map(({ name }) => name);
const change = (who: SignedIn, channels: unknown, seen: unknown) => who.send('PUT', PATH, { channels, seen });
const test = (who: SignedIn, channel: unknown) => who.send('POST', `${PATH}/test`, { channel });

describe('The delivery channels of a partner', () => {
  it('are switched where the operator allows it, carry the next lead, and stay when the file is applied again', async () => {
    expect((await summit.get(PATH)).json).toMatchObject({ channels: [], own: ['email', 'sms', 'sheets_script'] });
    const changed = await change(summit, ['email'], []);
    expect([changed.status, changed.json.channels]).toEqual([
      200,
      [{ name: 'email', isPrimary: true, setting: 'notificationEmail', isSet: true, trouble: null }],
    ]);
    const key = await market.supplierKey('acme-media');
    expect((await postLead(market.url, key, sampleLead(1))).status).toBe(202);
    const [attempt] = await eventually('the lead was mailed', async () => {
      const rows = await select(market.database, `SELECT channel, state FROM attempt WHERE NOT is_test`);
      return rows.length === 0 ? null : rows;
    });
    expect(attempt).toEqual({ channel: 'email', state: 'succeeded' });
    const events = await select(
      market.database,
      `SELECT actor_type, target, changes FROM audit_event WHERE action = 'partner.updated'`,
    );
    expect(events).toEqual([
      { actor_type: 'buyer', target: 'summit', changes: { channels: { from: [], to: ['email'] } } },
    ]);
    await market.apply(YAML);
    expect(await namesOf(summit)).toEqual(['email']);
    // Another statement in the file replaces them.
    await market.apply(YAML.replace('    name: Summit\n', '    name: Summit\n    channels: [sheets_script]\n'));
    expect(await namesOf(summit)).toEqual(['sheets_script']);
    await market.apply(YAML);
    expect(await namesOf(summit)).toEqual([]);
  });

  it('stay as they are without the permission, without a target, and after a change in between', async () => {
    const refused = await change(harbor, ['webhook', 'email'], ['webhook']);
    expect([refused.status, refused.json.code]).toEqual([403, 'setting_not_editable']);
    const foreign = await change(summit, ['webhook'], []);
    expect([foreign.status, foreign.json.code]).toEqual([403, 'setting_not_editable']);
    const untargeted = await change(summit, ['sms'], []);
    expect([untargeted.status, untargeted.json.errors]).toEqual([
      422,
      [{ field: 'smsNumber', code: 'missing', message: 'must be set first' }],
    ]);
    const late = await change(summit, ['email'], ['sheets_script']);
    expect([late.status, late.json.code]).toEqual([409, 'configuration_changed']);
    for (const body of [{}, { channels: ['fax'], seen: [] }, { channels: ['email', 'email'], seen: [] }, []]) {
      expect((await summit.send('PUT', PATH, body)).status).toBeGreaterThan(399);
    }
    expect([await namesOf(summit), await namesOf(harbor)]).toEqual([[], ['webhook']]);
  });

  it('are tested with a sample lead before they are switched on, and the test is in the log of attempts', async () => {
    const sent = await test(summit, 'email');
    expect([sent.status, sent.json]).toEqual([
      200,
      { channel: 'email', delivered: true, sentTo: 'l…@summit.example', responseCode: 250, error: null },
    ]);
    const mails = await select(market.database, `SELECT channel, state, target FROM attempt WHERE is_test`);
    expect(mails).toEqual([{ channel: 'email', state: 'succeeded', target: 'l…@summit.example' }]);
    const untargeted = await test(summit, 'sms');
    expect([untargeted.status, untargeted.json.errors]).toMatchObject([422, [{ field: 'smsNumber', code: 'missing' }]]);
    for (const [who, channel] of [
      [summit, 'sheets'],
      [harbor, 'email'],
    ] as const) {
      expect((await test(who, channel)).json.code).toBe('setting_not_editable');
    }
    for (const channel of ['webhook', 7]) expect((await test(summit, channel)).status).toBe(422);
    expect(await select(market.database, `SELECT 1 FROM attempt WHERE is_test`)).toHaveLength(1);
  });
});
