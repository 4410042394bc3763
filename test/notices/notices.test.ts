// Notices: raised once per occurrence, sent through every channel, held back at night, gathered by day, and repeated (contract 12.3).
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { showSigningSecret } from '../../src/credentials/signing-secrets.ts';
import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import type { NewNotice } from '../../src/notices/notice.ts';
import { raiseNotices } from '../../src/notices/raise-notices.ts';
import { eventually } from '../support/eventually.ts';
import { select } from '../support/ledger-faults.ts';
import { startReceiver } from '../support/receiver.ts';
import { closeAll, storeNoticeMarket, refused, taken } from './notice-market.ts';

afterEach(closeAll);

const HOUR = 3_600_000;
const SECOND = 1000;

const marketYaml = (notices: string): string => `
marketplace: { name: Lead Desk, notices: ${notices} }
suppliers: [{ key: acme, status: approved }]
partners:
  - { key: summit, name: Summit Law, timeZone: America/Denver, channels: [email],
      settings: { notificationEmail: leads@summit.example, ccEmails: [desk@summit.example] } }
  - { key: harbor, channels: [] }
`;

const silent = (day: string): NewNotice => ({
  kind: 'supplier.silent',
  recipient: 'operator',
  occurrence: `supplier.silent:acme:${day}`,
  data: { supplier: 'acme', usual: 40, hours: 6, since: '2026-11-24T06:00:00Z' },
});
const lowFunds = (partner: string): NewNotice => ({
  kind: 'funds.low',
  recipient: { partner },
  occurrence: 'funds.low:1',
  data: { available: 42.5, threshold: 100 },
});

describe('A notice', () => {
  it('goes once through every channel of the operators, however often and by however many it is raised', async () => {
    const receiver = await startReceiver({ respond: () => ({ status: 200 }) });
    const market = await storeNoticeMarket({
      yaml: marketYaml(
        `{ emails: [ops@desk.example], webhookUrl: "${receiver.origin}/hook", chatUrl: "${receiver.origin}/chat" }`,
      ),
      receivers: [receiver],
      at: new Date().toISOString(),
    });
    market.start();
    market.start();
    await Promise.all([market.raise(silent('a')), market.raise(silent('a')), market.raise(silent('a'), silent('a'))]);
    await market.once(3, 'sent');
    await market.raise(silent('a'));
    expect(await market.sends()).toHaveLength(3);
    expect(market.mails).toMatchObject([
      { to: 'ops@desk.example', subject: 'acme has submitted nothing for 6 hours', attachments: [] },
    ]);
    const chat = receiver.requests.find(({ path }) => path === '/chat');
    expect(JSON.parse(chat?.body ?? '')).toEqual({
      text: expect.stringMatching(/^acme has submitted nothing/) as string,
    });
    const hook = receiver.requests.find(({ path }) => path === '/hook');
    const { secret } = await market.database.tx((tx) =>
      showSigningSecret(
        tx,
        { owner: { kind: 'operator', key: 'operator' }, actor: commandLineActor, origin: noOrigin, isOwn: false },
        market.clock.now(),
      ),
    );
    expect(new Webhook(secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>)).toEqual({
      type: 'supplier.silent',
      timestamp: market.clock.now().toISOString(),
      data: { supplier: 'acme', usual: 40, hours: 6, since: '2026-11-24T06:00:00Z' },
    });
    expect([receiver.requests.length, market.faults]).toEqual([2, []]);
  });

  it('goes to the address of a partner, with the document attached, and to no other partner', async () => {
    const market = await storeNoticeMarket({ yaml: marketYaml('{}') });
    market.start();
    const invoice: NewNotice = {
      kind: 'invoice.issued',
      recipient: { partner: 'summit' },
      occurrence: 'invoice.issued:1',
      data: {
        number: 'INV-2026-000001',
        month: '2026-10',
        total: 90,
        amountDue: 90,
        dueAt: '2026-11-30T00:00:00Z',
        currency: 'USD',
      },
      attachment: { invoice: newUuid() },
    };
    await market.raise(invoice, lowFunds('harbor'));
    await market.once(1, 'sent');
    expect(market.mails).toMatchObject([
      {
        to: 'leads@summit.example',
        cc: ['desk@summit.example'],
        subject: 'Invoice INV-2026-000001 for 2026-10',
        attachments: [{ filename: 'a.pdf' }],
      },
    ]);
    await eventually('harbor has no channel', async () => {
      const states = await select<{ key: string; state: string }>(
        market.database,
        `SELECT recipient_key AS key, state FROM notice ORDER BY 1`,
      );
      return states[0]?.state === 'no_channel' && states[1]?.state === 'planned';
    });
  });

  it('is rolled back with its fact', async () => {
    const market = await storeNoticeMarket({ yaml: marketYaml('{ emails: [ops@desk.example] }') });
    market.start();
    const failing = market.database.tx(async (tx) => {
      await raiseNotices(tx, [silent('a')], market.clock.now());
      throw new Error('the fact did not happen');
    });
    await expect(failing).rejects.toThrow('the fact did not happen');
    await market.raise(silent('b'));
    await market.once(1, 'sent');
    expect(market.mails).toHaveLength(1);
  });

  it('is held back in quiet hours and comes after them; what is urgent comes at once', async () => {
    const market = await storeNoticeMarket({
      yaml: marketYaml(
        '{ emails: [ops@desk.example], timeZone: America/Denver, quietHours: { from: "20:00", to: "07:00" } }',
      ),
      at: '2026-11-24T05:00:00Z',
    });
    market.start();
    const gone = { process: 'p', role: 'worker', lastSeenAt: '2026-11-24T04:50:00Z' };
    await market.raise(silent('a'), {
      kind: 'process.gone',
      recipient: 'operator',
      occurrence: 'process.gone:p',
      data: gone,
    });
    const [held] = await market.once(1, 'sent');
    expect(held).toMatchObject({ kind: 'supplier.silent', state: 'waiting', dueAt: new Date('2026-11-24T14:00:00Z') });
    market.pass(8.9 * HOUR);
    expect(await market.once(1, 'sent')).toHaveLength(2);
    market.pass(0.2 * HOUR);
    await market.once(2, 'sent');
    expect(market.mails).toHaveLength(2);
  });

  it('joins the digest of the day: one message with all of them', async () => {
    const market = await storeNoticeMarket({
      yaml: marketYaml('{ emails: [ops@desk.example], digest: [supplier.silent] }'),
    });
    market.start();
    await market.raise(silent('a'));
    await market.once(1, 'waiting');
    await market.raise(silent('b'), silent('c'));
    await market.once(3, 'waiting');
    market.pass(20 * HOUR);
    await market.once(3, 'sent');
    expect(market.mails.map(({ subject }) => subject)).toEqual(['3 notices']);
    await market.raise(silent('d'));
    await market.once(1, 'waiting');
    expect(market.mails).toHaveLength(1);
  });

  it('is repeated with growing pauses under one id while the mail server refuses, and is sent once', async () => {
    const outcomes = [
      refused('later', 'The mail server takes no mail at the moment.'),
      refused('refused', 'The mail server refused the recipient.'),
      refused('refused', 'The mail server refused the recipient.'),
      refused('refused', 'The mail server refused the recipient.'),
    ];
    const market = await storeNoticeMarket({
      yaml: marketYaml('{ emails: [ops@desk.example] }'),
      mail: () => outcomes.shift() ?? taken,
    });
    market.start();
    await market.raise(silent('a'));
    for (const [attempts, wait] of [
      [1, 36],
      [2, 144],
      [3, 720],
      [4, 2160],
    ] as const) {
      const [send] = await eventually(`attempt ${attempts} has failed`, async () => {
        const sends = await market.sends();
        return sends[0]?.attempts === attempts && sends[0].error !== null && market.mails.length === attempts
          ? sends
          : null;
      });
      expect(send).toMatchObject({ state: 'waiting', error: expect.stringMatching(/^The mail server/) as string });
      await eventually('it waits', async () => {
        const [row] = await select<{ free: boolean }>(
          market.database,
          'SELECT lease_id IS NULL AS free FROM notice_send',
        );
        return row?.free === true;
      });
      market.pass(wait * SECOND);
    }
    await market.once(1, 'sent');
    expect(new Set(market.mails.map(({ id }) => id)).size).toBe(1);
    expect([market.mails.length, market.faults]).toEqual([5, []]);
  });
});
