// The legacy Sheets channel: the webhook's message to a script behind a sheet, and which responses count as success.
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';

import type { Parcel } from '../../src/deliveries/channels/channel.ts';
import { createSheetsScriptChannel } from '../../src/deliveries/channels/sheets-script.channel.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import type { HttpOutcome } from '../../src/platform/outbound/http-outcome.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { exampleSecret, parcel, recipient } from '../support/parcels.ts';
import { type Receiver, type Reply, startReceiver } from '../support/receiver.ts';

const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function script(reply: Reply = { status: 200 }): Promise<Receiver> {
  const receiver = await startReceiver({ respond: () => reply });
  cleanups.push(() => receiver.close());
  return receiver;
}

async function send(
  url: string | null,
  { what = parcel(), allowed = true }: { what?: Parcel; allowed?: boolean } = {},
): Promise<SendOutcome | undefined> {
  const client = createGuardedClient({ allowTargets: allowed && url !== null ? [new URL(url).origin] : [] });
  cleanups.push(() => client.close());
  const [outcome] = await createSheetsScriptChannel(client).send(
    recipient({ sheetsWebhookUrl: url }),
    [what],
    new Date(),
  );
  return outcome;
}

describe('A Sheets script', () => {
  it('gets the same signed message as a webhook', async () => {
    const receiver = await script({ status: 200, body: 'done' });
    const what = parcel();
    expect(await send(`${receiver.origin}/macros/s/x/exec?k=1`, { what })).toMatchObject({
      kind: 'taken',
      responseSnippet: 'done',
    });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/macros/s/x/exec?k=1' });
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(exampleSecret).verify(request?.body ?? '', headers)).toEqual({
      type: 'lead.delivered',
      timestamp: what.occurredAt.toISOString(),
      data: what.delivery,
    });
    expect(headers['webhook-id']).toBe(what.id);
  });

  it('gets the fields of the lead’s vertical in the message', async () => {
    const receiver = await script();
    const what = parcel();
    const fields = { bill: 180.5, owner: false, zip: '01234' };
    await send(receiver.origin, {
      what: { ...what, delivery: { ...what.delivery, lead: { ...what.delivery.lead, fields } } },
    });
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ data: { lead: { fields } } });
  });

  it('can recognize a test', async () => {
    const receiver = await script();
    await send(receiver.origin, { what: parcel({ isTest: true }) });
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ type: 'lead.test', data: { test: true } });
  });

  it('has not accepted the lead if it redirects and is not Google’s', async () => {
    const elsewhere = await script();
    for (const location of ['https://script.googleusercontent.com/macros/echo', `${elsewhere.origin}/in`, '/in']) {
      const receiver = await script({ status: 302, headers: { location } });
      expect(await send(receiver.origin)).toMatchObject({
        kind: 'not_taken',
        why: 'later',
        receipt: 'unknown',
        responseCode: 302,
      });
      expect(receiver.requests).toHaveLength(1);
    }
    expect(elsewhere.connections).toBe(0);
  });

  it('has accepted the lead if it is Google’s and redirects to its output', async () => {
    // The one address that loopback cannot serve: the pair is allowed on port 443 only.
    const response: HttpOutcome = {
      ...{ kind: 'response', status: 302, snippet: 'Moved', latencyMs: 7, retryAfter: null },
      location: 'https://script.googleusercontent.com/macros/echo?user_content_key=x',
    };
    const none = () => Promise.reject(new Error('nobody should ask'));
    const client = { post: () => Promise.resolve(response), get: none, request: none, close: none };
    const google = recipient({ sheetsWebhookUrl: 'https://script.google.com/macros/s/x/exec' });
    expect(await createSheetsScriptChannel(client).send(google, [parcel()], new Date())).toEqual([
      { kind: 'taken', responseCode: 302, responseSnippet: 'Moved', latencyMs: 7, error: null },
    ]);
  });

  it.each([
    [400, 'refused', 'no'],
    [429, 'later', 'no'],
    [500, 'later', 'unknown'],
  ])('that responds %d: %s, with receipt %s', async (status, why, receipt) => {
    const receiver = await script({ status });
    expect(await send(receiver.origin)).toMatchObject({ kind: 'not_taken', why, receipt });
  });

  it.each([
    ['<!DOCTYPE html><html><head><title>Error</title></head><body>x</body></html>', 'Error', 'unknown'],
    [`<html><head><title>Error</title></head><body>${'x'.repeat(100_000)}</body></html>`, 'Error', 'unknown'],
    ['{"ok":false,"error":"Sheet is full"}', 'Sheet is full', 'no'],
  ])('has not accepted the lead if it responds 200 and %.40j', async (body, error, receipt) => {
    const receiver = await script({ status: 200, body });
    expect(await send(receiver.origin)).toMatchObject({
      ...{ kind: 'not_taken', why: 'later', receipt, error, responseCode: 200, retryAfterSeconds: 0 },
      responseSnippet: body.slice(0, 1024),
    });
  });

  it.each(['{"ok":true}', '', 'x'.repeat(100_000)])(
    'has accepted the lead if it responds 200 and %.40j',
    async (body) => {
      const receiver = await script({ status: 200, body });
      expect(await send(receiver.origin)).toMatchObject({ kind: 'taken', responseCode: 200, error: null });
    },
  );

  it('is subject to the target rules', async () => {
    const receiver = await script();
    expect(await send(receiver.origin, { allowed: false })).toMatchObject({
      kind: 'not_taken',
      why: 'later',
      receipt: 'no',
    });
    expect(receiver.connections).toBe(0);
  });

  it('is not tried without a URL', async () => {
    expect(await send(null)).toMatchObject({ kind: 'not_taken', receipt: 'no', error: 'No script URL is set.' });
  });
});
