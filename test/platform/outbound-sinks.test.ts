// Every place from which a URL of a partner or a supplier is sent to, and every place where one is saved: none leads inside, and URLs
// that are only data are never asked for (contract 5.7).
import { afterEach, describe, expect, it } from 'vitest';

import { checkSetting } from '../../src/buyers/check-setting.rules.ts';
import { createSheetsScriptChannel } from '../../src/deliveries/channels/sheets-script.channel.ts';
import { createWebhookChannel } from '../../src/deliveries/channels/webhook.channel.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { startMessenger } from '../../src/messages/send-messages.job.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import { notTried } from '../../src/platform/outbound/send-outcome.ts';
import { createWakeups } from '../../src/platform/queue/wakeups.ts';
import { ipv4Spellings, ipv6Carriers, ipv6Spellings, samplesOf, specialBlocks } from '../support/blocked-addresses.ts';
import { getAsBuyer, postAsBuyer } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { parcel, recipient } from '../support/parcels.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function opened<Closable extends { close(): Promise<void> }>(resource: Closable): Closable {
  open.push(() => resource.close());
  return resource;
}

const portOf = ({ origin }: Receiver): string => new URL(origin).port;

/** What would reach a listener on loopback if it were let out. */
function waysInside(port: string): string[] {
  return [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.0.0.1.',
      '127。0。0。1',
      '①②⑦.⓪.⓪.①',
      '%31%32%37.0.0.1',
    ],
    ...[
      '0',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::7f00:1]',
      'localhost',
      'localhost.',
      'LOCALHOST',
      'a.localhost',
    ],
  ].map((place) => (place.includes('/') ? place : `https://${place}:${port}/`));
}

const hostile: readonly string[] = [
  ...waysInside('8443'),
  ...specialBlocks.flatMap(samplesOf).map((address) => `https://${address.includes(':') ? `[${address}]` : address}/`),
  ...['127.0.0.1', '169.254.169.254', '10.0.0.1', '192.168.1.1', '168.63.129.16'].flatMap((address) =>
    [...ipv4Spellings(address), ...ipv6Carriers(address)].map((host) => `https://${host}/`),
  ),
  ...['::1', 'fd00:ec2::254', 'fe80::1'].flatMap(ipv6Spellings).map((host) => `https://${host}/`),
  'http://crm.summit.example/',
  'ftp://crm.summit.example/',
  'https:crm.summit.example',
  'https://user:pass@crm.summit.example/',
  'https://@crm.summit.example/',
  'https://crm.summit.example@127.0.0.1/',
  String.raw`https:\\crm.summit.example`,
  String.raw`https://crm.summit.example\@127.0.0.1/`,
  'https://crm.summit.example/a b',
  'https://crm.summit.example/\u0000',
  'https://crm.\tsummit.example/',
  'https://crm.summit.example:80/',
  'https://crm.summit.example:22/',
  'https://intranet/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://metadata.google.internal./',
  'https://x.onion/',
];

describe('A URL to a private address is not saved', () => {
  it('by a marketplace file, for a partner’s webhook, its script or a supplier’s callback', () => {
    const file = {
      suppliers: hostile.map((url, index) => ({ key: `s${index}`, callback: { url, events: ['lead.routed'] } })),
      partners: hostile.map((url, index) => ({
        key: `p${index}`,
        settings: { webhookUrl: url, sheetsWebhookUrl: url },
      })),
    };
    const parsed = parseFile(JSON.stringify(file), { allowTargets: [] });
    const errors = parsed.ok ? [] : parsed.errors;
    // Whatever the reason: text with NUL in it is refused for that already.
    expect(new Set(errors.map(({ path }) => path))).toEqual(
      new Set(
        hostile.flatMap((_, index) => [
          `suppliers[${index}].callback.url`,
          `partners[${index}].settings.webhookUrl`,
          `partners[${index}].settings.sheetsWebhookUrl`,
        ]),
      ),
    );
  });

  it.each(['webhookUrl', 'sheetsWebhookUrl'] as const)('by a partner as its %s', (field) => {
    for (const url of hostile) {
      expect(checkSetting(field, url, { allowTargets: [] }), url).toMatchObject({ code: 'webhook_url_blocked' });
    }
  });
});

describe('A stored URL to a private address is not sent to', () => {
  it('by the channels', async () => {
    const [forbidden, behindTls] = [opened(await startReceiver()), opened(await startReceiver({ tls: true }))];
    const client = opened(createGuardedClient({ allowTargets: [] }));
    for (const url of [...hostile, ...waysInside(portOf(forbidden)), ...waysInside(portOf(behindTls))]) {
      for (const channel of [
        createWebhookChannel({ client, openSecrets: () => new Map() }),
        createSheetsScriptChannel(client),
      ]) {
        const outcomes = await channel.send(
          recipient({ webhookUrl: url, sheetsWebhookUrl: url }),
          [parcel()],
          new Date(),
        );
        expect(outcomes, url).toMatchObject([{ kind: 'not_taken', why: 'later', receipt: 'no', responseCode: null }]);
      }
    }
    expect([forbidden.connections, behindTls.connections]).toEqual([0, 0]);
  });

  // Own marketplace: partners whose endpoints are all inside.
  it('as a delivery, whose lead goes to the next offer', async () => {
    const [forbidden, behindTls] = [opened(await startReceiver()), opened(await startReceiver({ tls: true }))];
    const urls = [forbidden, behindTls].flatMap((receiver) => waysInside(portOf(receiver)).slice(0, 5));
    const market = opened(await startTestMarketplace({ yaml: marketplaceYaml(urls.length), clock: CLOCK }));
    for (const [index, url] of urls.entries()) {
      await select(market.database, 'UPDATE buyer SET webhook_url = $2 WHERE buyer_key = $1', [`p${index}`, url]);
    }
    const seen = await sellOne(market);
    expect(seen.attempts).toHaveLength(urls.length);
    for (const attempt of seen.attempts) {
      expect(attempt).toMatchObject({ state: 'exhausted', responseCode: null, error: expect.stringContaining('URL') });
      expect(JSON.stringify(attempt['error'])).not.toMatch(/127|localhost/);
    }
    expect(seen.deliveries.at(-1)).toMatchObject({ partner: 'harbor', status: 'Confirmed' });
    expect([forbidden.connections, behindTls.connections]).toEqual([0, 0]);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('as a supplier’s callback', async () => {
    const [forbidden, behindTls] = [opened(await startReceiver()), opened(await startReceiver({ tls: true }))];
    const urls = [forbidden, behindTls].flatMap((receiver) => waysInside(portOf(receiver)));
    const yaml = `
suppliers:
${urls.map((_, index) => `  - { key: s${index}, callback: { url: "https://told.example/", events: [lead.routed] } }`).join('\n')}
`;
    const market = opened(await startTestMarketplace({ yaml, role: 'api', clock: CLOCK }));
    for (const [index, url] of urls.entries()) {
      await select(
        market.database,
        `UPDATE supplier SET callback = jsonb_set(callback, '{url}', to_jsonb($2::text)) WHERE supplier_key = $1`,
        [`s${index}`, url],
      );
    }
    await select(
      market.database,
      `INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, occurred_at, due_at)
       SELECT gen_random_uuid(), 'supplier', supplier_key, 'webhook', 'lead.routed', '{}', $1::timestamptz, $1 FROM supplier`,
      [CLOCK.now()],
    );
    startCarrying(market);
    const failed = await eventually('each was tried once', async () => {
      const rows = await select<{ error: string }>(
        market.database,
        'SELECT last_error AS error FROM message_job WHERE attempts = 1 AND last_error IS NOT NULL',
      );
      return rows.length === urls.length ? rows : null;
    });
    for (const { error } of failed) expect(error).toMatch(/^The (URL|host)/);
    expect([forbidden.connections, behindTls.connections]).toEqual([0, 0]);
  });
});

describe('A URL that is only data', () => {
  it('is never requested, even with an exempt origin', async () => {
    const [bait, secureBait, receiver] = [
      opened(await startReceiver()),
      opened(await startReceiver({ tls: true })),
      opened(await startReceiver()),
    ];
    const market = opened(
      await startTestMarketplace({
        yaml: `
suppliers: [{ key: acme, status: approved, callback: { url: "${receiver.origin}/told", events: [lead.routed] } }]
partners:
  - key: harbor
    channels: [webhook]
    settings: { webhookUrl: "${receiver.origin}/leads" }
    billing: { mode: postpaid, creditLimit: 1000 }
    offers: [{ key: harbor-offer, eventType: Lead Sale, payout: 40 }]
`,
        clock: CLOCK,
        allowTargets: [bait.origin, secureBait.origin, receiver.origin],
      }),
    );
    const seen = await sellOne(market, {
      source_form_url: `${bait.origin}/form?utm_source=x`,
      trustedform_cert_url: `${bait.origin}/cert`,
      landing_page: `${bait.origin}/landing`,
    });
    expect(seen.deliveries).toMatchObject([{ partner: 'harbor', status: 'Confirmed' }]);
    expect(receiver.requests.find(({ path }) => path === '/leads')?.body).toContain(`${bait.origin}/form`);
    const token = await market.buyerToken('harbor');
    const dispute = {
      deliveryId: seen.deliveries[0]?.['deliveryId'],
      reason: 'invalid_phone',
      detail: 'Nobody has ever had that number.',
      evidenceUrl: `${secureBait.origin}/evidence.wav`,
    };
    expect((await postAsBuyer(market.url, token, '/api/v1/buyer/disputes', { body: dispute })).status).toBe(201);
    const lead = await getAsBuyer(market.url, token, '/api/v1/buyer/leads');
    expect(lead.text).toContain(`${bait.origin}/form`);
    expect([bait.connections, secureBait.connections]).toEqual([0, 0]);
  });
});

const CLOCK = { now: () => new Date('2026-11-20T18:00:00.000Z') };

/** One lead, once it is sold. */
async function sellOne(market: TestMarketplace, more: Readonly<Record<string, unknown>> = {}) {
  const supplier = opened(connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 1 }));
  const { status, json } = await supplier.post(leadBody(1, more));
  expect(status).toBe(202);
  return eventually('the lead is sold', async () => {
    const seen = await traceOf(market.database, json.lead_id);
    return seen.deliveries.at(-1)?.['status'] === 'Confirmed' ? seen : null;
  });
}

/** Partners in the order in which they are asked, all with one attempt, and one behind them that reads the API only. */
const marketplaceYaml = (partners: number): string => `
marketplace: { retrySeconds: [0] }
suppliers: [{ key: acme, status: approved }]
partners:
${Array.from(
  { length: partners },
  (_, index) => `
  - key: p${index}
    channels: [webhook]
    settings: { webhookUrl: "https://crm.summit.example/" }
    billing: { mode: postpaid, creditLimit: 1000 }
    offers: [{ key: o${index}, eventType: Lead Sale, payout: ${90 - index} }]`,
).join('')}
  - key: harbor
    billing: { mode: postpaid, creditLimit: 1000 }
    offers: [{ key: harbor-offer, eventType: Lead Sale, payout: 1 }]
`;

function startCarrying({ database }: TestMarketplace): void {
  const onFault = (error: unknown): void => expect.fail(String(error));
  const wakeups = opened(createWakeups({ database, acrossProcesses: false, onFault }));
  const client = opened(createGuardedClient({ allowTargets: [] }));
  const messenger = startMessenger({
    ...{ database, clock: CLOCK, wakeups, client, onFault },
    mailer: { send: async () => notTried('There is no mail here.') },
    settings: () => defaultSettings,
    onGone: async () => undefined,
  });
  open.push(() => messenger.stop());
}
