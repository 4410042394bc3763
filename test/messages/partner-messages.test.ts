// Messages to partners: results of claims by webhook, which are in their logs, and notices by email (contract 4.11, 5.1).
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';

import { type DeliveryId, newUuid } from '../../src/base/ids.ts';
import type { NewMessage } from '../../src/messages/message.ts';
import type { Mail } from '../../src/platform/outbound/mail/mail.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import {
  closeAll,
  expectRepetition,
  facts,
  idOf,
  inTurn,
  type MessageMarket,
  openMarket,
  receive,
  SECOND,
} from './message-market.ts';

afterEach(closeAll);

type Partner = { readonly channels?: string; readonly url?: string; readonly mail?: string };

const partnerYaml = ({ channels = 'webhook', url, mail }: Partner): string => `
partners:
  - key: summit
    name: Summit Law
    timeZone: America/Denver
    channels: [${channels}]
    settings:
      webhookUrl: ${url === undefined ? 'null' : `"${url}"`}
      ${mail === undefined ? '' : `notificationEmail: ${mail}\n      ccEmails: [desk@summit.example]`}
`;

const review = (deliveryId: DeliveryId | null): NewMessage => ({
  ownerKind: 'buyer',
  ownerKey: 'summit',
  channel: 'webhook',
  type: 'return.reviewed',
  data: { returnId: 'ret_1', status: 'Approved' },
  deliveryId,
});

const attempts = ({ database }: MessageMarket): Promise<Record<string, unknown>[]> =>
  select(
    database,
    `SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey", channel, target, attempt, state, response_code AS code,
            response_snippet AS snippet, error, is_test AS "isTest", at, next_attempt_at AS "nextAt"
     FROM attempt ORDER BY attempt_id`,
  );

describe('A message about a claim', () => {
  it('is signed with the partner’s secret, and each attempt is in the log of its delivery', async () => {
    const receiver = await receive(inTurn({ status: 500, body: 'later' }, { status: 200, body: 'thanks' }));
    const market = await openMarket({
      yaml: partnerYaml({ url: `${receiver.origin}/in?key=7` }),
      receivers: [receiver],
    });
    market.start();
    const deliveryId = newUuid();
    const began = market.clock.now();
    await market.notify(review(deliveryId));
    const [message] = await market.onceAtRest(1, 1);
    market.pass(10 * SECOND);
    await market.onceEmpty();
    expectRepetition(receiver.requests, 2);
    const summit = new Webhook(await market.secretOf('summit'));
    for (const { body, headers } of receiver.requests) {
      expect(summit.verify(body, headers as Record<string, string>)).toEqual({
        type: 'return.reviewed',
        timestamp: began.toISOString(),
        data: { returnId: 'ret_1', status: 'Approved' },
      });
    }
    const about = { deliveryId, buyerKey: 'summit', channel: 'webhook', target: `${receiver.origin}/…`, isTest: false };
    expect(await attempts(market)).toEqual([
      { ...about, ...logged(1, 'failed', 500, 'later'), at: began, nextAt: message?.dueAt },
      { ...about, ...logged(2, 'succeeded', 200, 'thanks'), at: market.clock.now(), nextAt: null },
    ]);
  });

  it('is in no log if it is about no delivery', async () => {
    const receiver = await receive();
    const market = await openMarket({ yaml: partnerYaml({ url: receiver.origin }), receivers: [receiver] });
    market.start();
    await market.notify(review(null));
    await market.onceEmpty();
    expect(receiver.requests).toHaveLength(1);
    expect(await attempts(market)).toEqual([]);
  });

  it('is logged as interrupted and sent again if its worker dies', async () => {
    const receiver = await receive(() => (receiver.requests.length === 1 ? 'hang' : { status: 200 }));
    const market = await openMarket({ yaml: partnerYaml({ url: receiver.origin }), receivers: [receiver] });
    market.start();
    await market.notify(review(newUuid()));
    await eventually('the first sending is under way', () => receiver.requests.length === 1);
    market.pass(41 * SECOND);
    await market.onceEmpty();
    expectRepetition(receiver.requests, 2);
    expect(await attempts(market)).toMatchObject([
      { attempt: 1, state: 'failed', error: 'interrupted' },
      { attempt: 2, state: 'succeeded', code: 200 },
    ]);
  });

  it('reports the endpoint as gone after a 410, and becomes a dead letter', async () => {
    const receiver = await receive(() => ({ status: 410 }));
    const market = await openMarket({ yaml: partnerYaml({ url: `${receiver.origin}/in` }), receivers: [receiver] });
    market.start();
    await market.notify(review(newUuid()));
    await market.onceEmpty();
    await eventually('it is reported', () => market.gone.length > 0);
    expect(market.gone).toEqual([{ buyerKey: 'summit', webhookUrl: `${receiver.origin}/in` }]);
    expect(await market.dead()).toMatchObject([{ name: 'send-message', attempts: 1, error: 'HTTP 410' }]);
    expect(await attempts(market)).toMatchObject([{ state: 'exhausted', code: 410 }]);
  });

  it.each([
    { says: 'takes no webhooks', partner: { channels: 'email', mail: 'leads@summit.example' }, disable: false },
    { says: 'has an endpoint that is disabled', partner: {}, disable: true },
  ])('is dropped if the partner $says', async ({ partner, disable }) => {
    const receiver = await receive();
    const yaml = partnerYaml({ url: receiver.origin, ...partner });
    const market = await openMarket({ yaml, receivers: [receiver] });
    if (disable) await select(market.database, 'UPDATE buyer SET endpoint_disabled_at = $1', [market.clock.now()]);
    await market.notify(review(newUuid()));
    market.start();
    await market.onceEmpty();
    expect([receiver.requests, await attempts(market), await market.dead(), market.faults]).toEqual([[], [], [], []]);
  });
});

const logged = (attempt: number, state: string, code: number, snippet: string) => ({
  ...{ attempt, state, code, snippet },
  error: null,
});

const notice: NewMessage = {
  ownerKind: 'buyer',
  ownerKey: 'summit',
  channel: 'email',
  type: 'endpoint.disabled',
  data: { webhookUrl: 'https://summit.example/…', reason: 'gone', since: '2026-11-20T18:00:00.000Z', waiting: 3 },
  deliveryId: null,
};

const failing = (responseCode: number): SendOutcome => ({
  ...{ kind: 'not_taken', why: 'later', receipt: 'no', retryAfterSeconds: 0 },
  ...facts(responseCode),
});

describe('A notice by email', () => {
  const yaml = partnerYaml({ mail: 'leads@summit.example' });

  it('goes to the partner’s address and CC addresses, with the same id and text on every attempt', async () => {
    const outcomes = [failing(451)];
    const market = await openMarket({ yaml, mail: () => outcomes.pop() ?? { kind: 'taken', ...facts(250) } });
    market.start();
    await market.notify(notice);
    await market.onceAtRest(1, 1);
    market.pass(10 * SECOND);
    await market.onceEmpty();
    const [first, second] = market.mails as [Mail, Mail];
    expect(market.mails).toHaveLength(2);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ to: 'leads@summit.example', cc: ['desk@summit.example'], calendar: null });
    expect(first.id).toMatch(/^evt_/);
    expect(first.subject).not.toBe('');
    expect(first.text).toContain('https://summit.example/');
    expect(first.html).toContain('https://summit.example/');
    expect(market.faults).toEqual([]);
  });

  it('loses no attempt if the mailer defers it', async () => {
    const until: Date[] = [];
    const market = await openMarket({
      yaml,
      mail: () => {
        if (until.length > 0) return { kind: 'taken', ...facts(250) };
        until.push(new Date(market.clock.now().getTime() + 60 * SECOND));
        return { kind: 'deferred', until: until[0] as Date };
      },
    });
    market.start();
    await market.notify(notice);
    const [message] = await eventually('it is put off', async () => {
      const waiting = await market.waiting();
      return market.mails.length === 1 && waiting.every(({ isLeased }) => !isLeased) ? waiting : null;
    });
    expect(message).toMatchObject({ attempts: 0, steps: 0, dueAt: until[0] });
    market.pass(60 * SECOND);
    await market.onceEmpty();
    expect(market.mails).toHaveLength(2);
  });

  it('is dropped if the partner has no address', async () => {
    const market = await openMarket({ yaml: partnerYaml({ url: 'https://summit.example/in' }) });
    market.start();
    await market.notify(notice);
    await market.onceEmpty();
    expect([market.mails, await market.dead(), market.faults]).toEqual([[], [], []]);
  });

  it('fails for good without delaying others if its type has no text', async () => {
    const market = await openMarket({ yaml, settings: { retrySeconds: [0, 0] } });
    market.start();
    await market.notify({ ...notice, type: 'return.reviewed' }, notice);
    await market.onceEmpty();
    expect(await market.dead()).toMatchObject([{ attempts: 2, error: 'The message could not be made.' }]);
    expect(market.mails).toHaveLength(1);
    expect(market.faults).toHaveLength(2);
    expect(idOf(undefined)).toBe('undefined');
  });
});
