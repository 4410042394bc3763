// The portal's settings: channels with their health, and test deliveries with their requests.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { recordResults } from '../../src/endpoints/record-results.ts';
import { readSigningSecrets, rotateSigningSecret } from '../../src/credentials/signing-secrets.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { problem, problemFacts } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, type ReceivedRequest, type Reply, startReceiver } from '../support/receiver.ts';
import type { SignedIn } from '../support/signed-in.ts';

const TEST = '/portal/api/buyer/test-delivery';
const CHANNELS = '/portal/api/buyer/channels';

let market: TestMarketplace;
let receiver: Receiver;
let summit: SignedIn;
let respond: (request: ReceivedRequest) => Reply;

beforeAll(async () => {
  receiver = await startReceiver({ respond: (request) => respond(request) });
  market = await startTestMarketplace({ yaml: betaMarketYaml(receiver), role: 'api', allowTargets: [receiver.origin] });
  summit = await market.signedIn.buyer('summit');
});
beforeEach(() => {
  respond = () => ({ status: 200, body: '{"ok":true}' });
  receiver.requests.length = 0;
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

describe('a test delivery from the portal', () => {
  it('previews the unsigned request and sends nothing', async () => {
    const { status, json } = await summit.send('POST', TEST, { target: 'preview' });
    expect([status, Object.keys(json)]).toEqual([200, ['target', 'test', 'billable', 'request', 'error']]);
    expect(json.request).toEqual({
      method: 'POST',
      url: `${receiver.origin}/summit?token=hidden-token`,
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'webhook-id', value: expect.stringMatching(/^att_/) },
        { name: 'webhook-timestamp', value: null },
        { name: 'webhook-signature', value: null },
      ],
      body: expect.any(String),
      isSigned: true,
    });
    expect(JSON.parse(json.request.body)).toMatchObject({ type: 'lead.test', data: { test: true } });
    expect(receiver.requests).toEqual([]);
  });

  it('shows the exact request, with both signatures after a rotation of the secret', async () => {
    const owner = { kind: 'buyer', key: 'summit' } as const;
    await market.database.tx((tx) => rotateSigningSecret(tx, { owner, actor: commandLineActor }, new Date()));
    const { status, json } = await summit.send('POST', TEST, { target: 'webhook' });
    expect([status, json]).toMatchObject([
      200,
      { target: 'webhook', test: true, billable: false, delivered: true, responseCode: 200, error: null },
    ]);
    const [sent] = receiver.requests;
    const shown = Object.fromEntries(
      json.request.headers.map(({ name, value }: Record<string, string>) => [name, value]),
    );
    expect(json.request.url).toBe(`${receiver.origin}${sent?.path}`);
    expect(sent?.body).toBe(json.request.body);
    expect(sent?.headers).toMatchObject(shown);
    expect(shown['webhook-id']).toBe(json.attemptId);
    expect(shown['webhook-signature'].split(' ')).toHaveLength(2);
    const secrets = await market.database.tx((tx) => readSigningSecrets(tx, owner, new Date()));
    for (const secret of [secrets?.secret, secrets?.previous?.secret]) {
      expect(() => new Webhook(secret ?? '').verify(json.request.body, shown)).not.toThrow();
    }
  });

  it('shows the response, and sends once for repeated requests with one key', async () => {
    respond = () => ({ status: 500, body: 'down for repairs' });
    const key = { 'idempotency-key': 'one-test' };
    const first = await summit.send('POST', TEST, { target: 'webhook' }, key);
    expect(first.json).toMatchObject({ delivered: false, responseCode: 500, responseSnippet: 'down for repairs' });
    const again = await summit.send('POST', TEST, { target: 'webhook' }, key);
    expect([again.text, receiver.requests.length]).toEqual([first.text, 1]);
  });

  it('is refused as in the API', async () => {
    const quiet = await market.signedIn.buyer('quiet');
    expect(problemFacts(await quiet.send('POST', TEST, { target: 'webhook' }))).toEqual(
      problem(409, 'webhook_not_configured'),
    );
    const preview = await quiet.send('POST', TEST, { target: 'preview' });
    expect([preview.status, preview.json.request.url]).toEqual([200, null]);
    const plain = await market.signedIn.buyer('plain');
    expect(problemFacts(await plain.send('POST', TEST, { target: 'preview' }))).toEqual(
      problem(403, 'beta_not_enabled'),
    );
    expect(problemFacts(await summit.send('POST', TEST, { target: 'email' }))).toEqual(
      problem(422, 'validation_failed', 'errors'),
    );
    const frozen = await market.signedIn.buyer('frozen');
    expect((await frozen.send('POST', TEST, { target: 'preview' })).json.code).toBe('partner_suspended');
    const supplier = await market.signedIn.supplier('acme-media');
    expect((await supplier.send('POST', TEST, { target: 'preview' })).status).toBe(401);
  });
});

describe('the channels in the portal', () => {
  it('are listed in configured order with their role and the end of the signing secret', async () => {
    await market.apply(`
marketplace: { name: Leads & Sons }
partners:
  - key: several
    timeZone: UTC
    channels: [webhook, email, sheets]
    settings: { webhookUrl: "${receiver.origin}/several", notificationEmail: leads@several.example }
`);
    const several = await market.signedIn.buyer('several');
    const { status, json } = await several.get(CHANNELS);
    const untroubled = { trouble: null };
    expect([status, json]).toEqual([
      200,
      {
        marketplaceName: 'Leads & Sons',
        channels: [
          { name: 'webhook', isPrimary: true, setting: 'webhookUrl', isSet: true, ...untroubled },
          { name: 'email', isPrimary: false, setting: 'notificationEmail', isSet: true, ...untroubled },
          { name: 'sheets', isPrimary: false, setting: 'sheetsSpreadsheetId', isSet: false, ...untroubled },
        ],
        own: [],
        pause: null,
        webhookDisabledAt: null,
        signing: { endsIn: (await market.secretOf('several')).slice(-6), previous: null },
      },
    ]);
    expect(JSON.stringify(json)).not.toContain('whsec_');
    expect((await (await market.signedIn.buyer('plain')).get(CHANNELS)).json.channels).toEqual([]);
  });

  it('show which one is failing, without other partners’ data', async () => {
    const at = new Date('2026-11-20T17:03:12.418Z');
    const failure = { ownerKind: 'buyer', ownerKey: 'harbor', channel: 'webhook', succeeded: false } as const;
    const results = [1, 2, 3].map(() => ({ ...failure, error: 'The connection was refused.' }));
    await market.database.tx((tx) => recordResults(tx, results, { failures: 3, probeSeconds: 30 }, at));
    const harbor = await market.signedIn.buyer('harbor');
    expect((await harbor.get(CHANNELS)).json.channels).toEqual([
      {
        name: 'webhook',
        isPrimary: true,
        setting: 'webhookUrl',
        isSet: true,
        trouble: {
          failures: 3,
          waitingSince: at.toISOString(),
          lastError: 'The connection was refused.',
          lastFailedAt: at.toISOString(),
        },
      },
    ]);
    expect((await summit.get(CHANNELS)).json.channels[0].trouble).toBeNull();
  });

  it('show since when a webhook is disabled', async () => {
    const at = new Date('2026-11-20T17:03:12.418Z');
    await market.database.pool.query(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'harbor'`, [at]);
    const harbor = await market.signedIn.buyer('harbor');
    expect((await harbor.get(CHANNELS)).json.webhookDisabledAt).toBe(at.toISOString());
  });
});
