// Notices at the console and in the portal: lists, sending again, tests, and what partners and suppliers choose (contract 12.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noOrigin } from '../../src/audit/audit-event.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { addUser } from '../../src/users/portal-users.ts';
import { raiseNotices } from '../../src/notices/raise-notices.ts';
import { registerNoticesCommands } from '../../src/notices/notices.cli.ts';
import { call } from '../support/api-client.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

let market: TestMarketplace;
let [summit, harbor, acme, ada]: SignedIn[] = [];

beforeAll(async () => {
  market = await startTestMarketplace({
    yaml: `
marketplace: { notices: { emails: [ops@desk.example] } }
suppliers: [{ key: acme, status: approved }]
partners:
  - { key: summit, timeZone: America/Denver, settings: { notificationEmail: leads@summit.example } }
  - { key: harbor }
`,
  });
  const { signedIn } = market;
  [summit, harbor, acme, ada] = await Promise.all([
    signedIn.buyer('summit'),
    signedIn.buyer('harbor'),
    signedIn.supplier('acme'),
    signedIn.operator('ada'),
  ]);
  await market.database.tx((tx) =>
    raiseNotices(
      tx,
      [
        {
          ...{ kind: 'funds.low', recipient: { partner: 'summit' }, occurrence: 'a' },
          data: { available: 42.5, threshold: 100 },
        },
        {
          ...{ kind: 'endpoint.failing', recipient: { supplier: 'acme' }, occurrence: 'a' },
          data: { channel: 'webhook', since: '2026-11-24T12:00:00Z', error: 'HTTP 500' },
        },
      ],
      new Date(),
    ),
  );
});
afterAll(() => market.close());

const who = (user: SignedIn | undefined): SignedIn => {
  if (user === undefined) throw new Error('nobody is signed in');
  return user;
};
const run = (...argv: string[]) =>
  captureCommand(argv, (program, out) =>
    registerNoticesCommands(program.command('notices'), contextOf(market.database, { now: () => new Date() }, out)),
  );

describe('The list of notices', () => {
  it('has what was sent, to whom and why, for operators; and its own for a partner and a supplier', async () => {
    const json = await eventually('one is sent', async () => {
      const { json: list } = await who(ada).get('/console/api/notices');
      return list.data.some(({ sends }: { sends: Array<{ state: string }> }) => sends[0]?.state === 'sent')
        ? list
        : null;
    });
    expect(json).toMatchObject({
      data: [
        { kind: 'endpoint.failing', recipientKind: 'supplier', recipientKey: 'acme', state: 'no_channel', sends: [] },
        {
          ...{ kind: 'funds.low', recipientKind: 'partner', recipientKey: 'summit', state: 'planned' },
          title: 'Your funds are down to $42.50',
          sends: [{ channel: 'email', state: 'sent', isDigest: false, attempts: 1, error: null }],
        },
      ],
      next: null,
    });
    const kinds = async (user: SignedIn | undefined, path: string): Promise<string[]> =>
      (await who(user).get(path)).json.data.map(({ kind }: { kind: string }) => kind);
    expect(await kinds(summit, '/portal/api/buyer/notices')).toEqual(['funds.low']);
    expect(await kinds(harbor, '/portal/api/buyer/notices')).toEqual([]);
    expect(await kinds(acme, '/portal/api/supplier/notices')).toEqual(['endpoint.failing']);
    expect(await kinds(ada, '/console/api/notices?recipient=partner')).toEqual(['funds.low']);
    expect(await kinds(ada, '/console/api/notices?state=no_channel')).toEqual(['endpoint.failing']);
    expect((await run('notices', 'list', '--partner', 'summit')).stdout).toContain('email sent');
  });

  it('sends one again, under its own id', async () => {
    const { json } = await who(ada).get('/console/api/notices?kind=funds.low');
    const mails = () => select(market.database, 'SELECT DISTINCT message_id FROM kept_mail ORDER BY 1');
    const before = await mails();
    const { status } = await who(ada).send('POST', `/console/api/notices/${json.data[0].id}/resend`, {});
    expect(status).toBe(200);
    await eventually('it is sent twice', async () => {
      const { json: list } = await who(ada).get('/console/api/notices?kind=funds.low');
      return list.data[0].sends[0].attempts === 2 && list.data[0].sends[0].state === 'sent';
    });
    expect(await mails()).toEqual(before);
    expect((await who(ada).send('POST', '/console/api/notices/ntc_unknown/resend', {})).status).toBe(404);
  });

  it('sends a test to each channel of the operators', async () => {
    expect((await who(ada).send('POST', '/console/api/notices/test', {})).status).toBe(200);
    expect((await run('notices', 'test')).exitCode).toBe(0);
    await eventually('both are sent', async () => {
      const { json } = await who(ada).get('/console/api/notices?kind=test&state=sent');
      return json.data.length === 2;
    });
  });
});

describe('What a partner or supplier chooses', () => {
  const SETTINGS = '/portal/api/buyer/notices/settings';

  it('is kept, in the audit log without its URLs, and followed', async () => {
    const { json } = await who(summit).get(SETTINGS);
    expect(json).toMatchObject({ accountEmails: ['leads@summit.example'], timeZone: 'America/Denver' });
    const chosen = { ...json.settings, off: ['funds.low'], chatUrl: 'https://chat.summit.example/hook/secret' };
    const saved = await who(summit).send('POST', SETTINGS, chosen);
    expect([saved.status, saved.json.settings]).toEqual([200, chosen]);
    expect((await who(harbor).get(SETTINGS)).json.settings).toEqual(json.settings);
    const [event] = await select<{ changes: unknown }>(
      market.database,
      `SELECT changes FROM audit_event WHERE action = 'notices.changed' AND buyer_key = 'summit'`,
    );
    expect(JSON.stringify(event)).not.toContain('secret');
    await market.database.tx((tx) =>
      raiseNotices(
        tx,
        [
          {
            ...{ kind: 'funds.low', recipient: { partner: 'summit' }, occurrence: 'b' },
            data: { available: 1, threshold: 100 },
          },
        ],
        new Date(),
      ),
    );
    await eventually('it is off', async () => {
      const list = await who(summit).get('/portal/api/buyer/notices?state=off');
      return list.json.data.length === 1;
    });
  });

  it('is shown to users who may not change it without what follows the host of an address', async () => {
    const email = 'reader@summit.example';
    const password = 'correct horse battery staple';
    const user = {
      kind: 'buyer',
      ownerKey: 'summit',
      email,
      name: 'Reader',
      roles: ['view'],
      origin: noOrigin,
    } as const;
    const passwordHash = await hashPassword(password);
    await market.database.tx((tx) => addUser(tx, { ...user, passwordHash }, new Date()));
    const headers = { 'sec-fetch-site': 'same-origin' };
    const path = `${market.url}/portal/api/session/password`;
    const response = await call(path, { method: 'POST', headers, body: { email, password } });
    const reader = asBrowser(market.url, response.headers.get('set-cookie')?.split(';', 1)[0] ?? '');
    const whole = (await who(summit).get(SETTINGS)).json;
    expect(whole.settings.chatUrl).toBe('https://chat.summit.example/hook/secret');
    expect((await reader.get(SETTINGS)).json).toEqual({
      ...whole,
      settings: { ...whole.settings, chatUrl: 'https://chat.summit.example/…cret' },
    });
  });

  it.each([
    ['an address that is none', { emails: ['desk'] }, 'emails.0'],
    ['a private target', { webhookUrl: 'https://10.0.0.1/in' }, 'webhookUrl'],
    ['a target without TLS', { chatUrl: 'http://chat.summit.example/' }, 'chatUrl'],
    ['a zone that is none', { timeZone: 'Mars/Base' }, 'timeZone'],
    ['a time that is none', { quietHours: { from: '25:00', to: '07:00' } }, 'quietHours.from'],
    ['an unknown kind', { off: ['claim.due'] }, 'off.0'],
    ['a negative amount', { thresholds: { fundsBelow: -1 } }, 'thresholds.fundsBelow'],
    ['a share above 100', { thresholds: { budgetLeftPercent: 101 } }, 'thresholds.budgetLeftPercent'],
    ['a text for a list', { emails: 'desk@summit.example' }, 'emails'],
    ['an unknown member', { sms: true }, ''],
  ])('is refused with %s, which names the member', async (_, change, field) => {
    const { status, json } = await who(summit).send('POST', SETTINGS, change);
    expect([status, json.errors?.[0]?.field]).toEqual([422, field]);
  });

  it('is the supplier’s own: kinds of partners are none of its', async () => {
    const path = '/portal/api/supplier/notices/settings';
    const { json } = await who(acme).get(path);
    const chosen = { ...json.settings, emails: ['desk@acme.example'] };
    expect((await who(acme).send('POST', path, chosen)).json.settings).toEqual(chosen);
    expect((await who(acme).send('POST', path, { off: ['invoice.issued'] })).status).toBe(422);
  });
});
