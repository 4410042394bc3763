// The SMS channel: a text over real HTTP to a provider that speaks Twilio's REST API.
import { afterEach, describe, expect, it } from 'vitest';

import type { Parcel } from '../../src/deliveries/channels/channel.ts';
import { createSmsChannel } from '../../src/deliveries/channels/sms.channel.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { createSmsSender, type SmsOptions } from '../../src/platform/outbound/sms.ts';
import { booking, parcel, recipient } from '../support/parcels.ts';
import { type Receiver, type Reply, startReceiver } from '../support/receiver.ts';

const NOW = new Date('2026-11-20T17:03:12.418Z');
const ACCOUNT = 'AC00000000000000000000000000000001';
const TOKEN = 'token-of-the-provider';
const NUMBER = '+15555550199';

const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function provider(reply: Reply): Promise<Receiver> {
  const receiver = await startReceiver({ respond: () => reply });
  cleanups.push(() => receiver.close());
  return receiver;
}

function send(
  apiUrl: string,
  what: Parcel = parcel(),
  { smsNumber = NUMBER, ...more }: Partial<SmsOptions> & { smsNumber?: string | null } = {},
): Promise<readonly SendOutcome[]> {
  const sender = createSmsSender({ apiUrl, account: ACCOUNT, token: TOKEN, from: '+15555550100', ...more });
  cleanups.push(() => sender.close());
  return createSmsChannel(sender).send(recipient({ smsNumber }), [what], NOW);
}

const accepted: Reply = {
  status: 201,
  body: JSON.stringify({
    sid: 'SM0123456789abcdef0123456789abcdef',
    status: 'queued',
    to: NUMBER,
    body: 'Jordan Rivera',
  }),
};

describe('An SMS of a lead', () => {
  it('is one form post to the account’s messages, with its credentials', async () => {
    const receiver = await provider(accepted);
    await send(receiver.origin);
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json` });
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${btoa(`${ACCOUNT}:${TOKEN}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: NUMBER,
      From: '+15555550100',
      Body: 'LS-100042 Lead Sale: Jordan Rivera +15555550123',
    });
  });

  it('shows a booking’s time in the partner’s zone, and marks a test', async () => {
    const receiver = await provider(accepted);
    await send(receiver.origin, booking);
    await send(receiver.origin, parcel({ isTest: true }));
    expect(receiver.requests.map(({ body }) => new URLSearchParams(body).get('Body'))).toEqual([
      'CA-100041 Calendar Assigned: Dana Whitfield +15555550147, Mon Nov 23, 9:30 AM PST',
      '[TEST] LS-100042 Lead Sale: Jordan Rivera +15555550123',
    ]);
  });

  it('is posted below the path of the configured URL', async () => {
    const receiver = await provider(accepted);
    await send(`${receiver.origin}/sms/`);
    expect(receiver.requests[0]?.path).toBe(`/sms/2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
  });

  it('leaves only the provider’s id in the log when it was accepted', async () => {
    const receiver = await provider(accepted);
    expect(await send(receiver.origin)).toEqual([
      {
        kind: 'taken',
        responseCode: 201,
        responseSnippet: 'SM0123456789abcdef0123456789abcdef queued',
        latencyMs: expect.any(Number) as number,
        error: null,
      },
    ]);
  });

  it.each(['', '[]', '<html>', '{"sid":"+15555550199","status":"sent to +15555550199"}'])(
    'that is taken with %j is taken',
    async (body) => {
      const receiver = await provider({ status: 200, body });
      expect(await send(receiver.origin)).toMatchObject([{ kind: 'taken', responseSnippet: null }]);
    },
  );

  it('leaves the reason without the number in the log when it was rejected', async () => {
    const message = `The 'To' number ${NUMBER} (+1 (555) 555-0199, 5555550199) is not a valid phone number.`;
    const receiver = await provider({ status: 400, body: JSON.stringify({ code: 21_211, message, status: 400 }) });
    expect(await send(receiver.origin)).toMatchObject([
      {
        ...{ kind: 'not_taken', why: 'refused', receipt: 'no', responseCode: 400, responseSnippet: null },
        error: "The SMS provider answered 400: The 'To' number … (…, …) is not a valid phone number. (21211)",
      },
    ]);
  });

  it.each([
    [401, 'refused', 'no'],
    [404, 'refused', 'no'],
    [408, 'later', 'no'],
    [410, 'refused', 'no'],
    [302, 'later', 'unknown'],
    [500, 'later', 'unknown'],
    [503, 'later', 'unknown'],
  ])('that gets a %d: %s, with receipt %s', async (status, why, receipt) => {
    const receiver = await provider({ status, body: 'no JSON' });
    expect(await send(receiver.origin)).toMatchObject([
      { kind: 'not_taken', why, receipt, responseCode: status, error: `The SMS provider answered ${status}` },
    ]);
  });

  it('is retried when the provider says after a rate limit', async () => {
    const receiver = await provider({ status: 429, headers: { 'retry-after': '12' }, body: '{"code":20429}' });
    expect(await send(receiver.origin)).toMatchObject([
      {
        kind: 'not_taken',
        why: 'later',
        receipt: 'no',
        retryAfterSeconds: 12,
        error: 'The SMS provider answered 429 (20429)',
      },
    ]);
  });

  it('may have arrived if the response was lost, and has not without a connection', async () => {
    const receiver = await provider('reset');
    expect(await send(receiver.origin)).toMatchObject([{ kind: 'not_taken', why: 'later', receipt: 'unknown' }]);
    await receiver.close();
    expect(await send(receiver.origin)).toMatchObject([{ kind: 'not_taken', why: 'later', receipt: 'no' }]);
  });

  it('is not tried if a setting is missing, which the outcome names', async () => {
    const receiver = await provider(accepted);
    const unset = { kind: 'not_taken', why: 'later', receipt: 'no', responseCode: null } as const;
    expect(await send(receiver.origin, parcel(), { account: null })).toMatchObject([
      { ...unset, error: 'SMS is not set up: SMS_ACCOUNT missing.' },
    ]);
    expect(await send(receiver.origin, parcel(), { account: null, token: null, from: null })).toMatchObject([
      { ...unset, error: 'SMS is not set up: SMS_ACCOUNT, SMS_TOKEN, SMS_FROM missing.' },
    ]);
    expect(await send(receiver.origin, parcel(), { smsNumber: null })).toMatchObject([
      { ...unset, error: 'No SMS number is set.' },
    ]);
    expect(receiver.connections).toBe(0);
  });

  it('leaves no number, name or credential in an outcome', async () => {
    const echo = JSON.stringify({
      message: `${NUMBER} +1-555-555-0123 Basic`,
      code: NUMBER,
      to: NUMBER,
      body: 'Jordan Rivera',
    });
    for (const status of [200, 400, 429, 500]) {
      const receiver = await provider({ status, body: echo });
      const said = JSON.stringify(await send(receiver.origin));
      for (const text of [NUMBER, '5555550199', '555-0123', 'Jordan', TOKEN, ACCOUNT]) expect(said).not.toContain(text);
    }
  });
});
