// The legacy Sheets channel: the webhook's message to a script behind a sheet, and which responses count as success.
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';

import type { Parcel } from '../../src/deliveries/channels/channel.ts';
import { createSheetsScriptChannel } from '../../src/deliveries/channels/sheets-script.channel.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { exampleSecret, parcel, recipient } from '../support/parcels.ts';
import { type Receiver, receiverTls, type Reply, startReceiver } from '../support/receiver.ts';

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

/** Two hosts that behave as those where Google runs scripts, and serves what they write. */
async function googleLike(reply: Reply, { isOutputAllowed = true } = {}) {
  const output = await startReceiver({ respond: () => reply, tls: true });
  cleanups.push(() => output.close());
  const hostOf = ({ origin }: Receiver): string => `crm.summit.example:${new URL(origin).port}`;
  const location = `https://${hostOf(output)}/macros/echo?key=abc`;
  const running = await startReceiver({
    respond: () => ({ status: 302, headers: { location }, body: 'Moved' }),
    tls: true,
  });
  cleanups.push(() => running.close());
  const hosts = { script: hostOf(running), output: hostOf(output) };
  const client = createGuardedClient({
    allowTargets: [`https://${hosts.script}`, ...(isOutputAllowed ? [`https://${hosts.output}`] : [])],
    resolve: async () => ['127.0.0.1'],
    tls: { ca: receiverTls.cert },
  });
  cleanups.push(() => client.close());
  const url = `https://${hosts.script}/macros/s/x/exec`;
  return {
    output,
    script: running,
    send: async () =>
      (
        await createSheetsScriptChannel(client, hosts).send(
          recipient({ sheetsWebhookUrl: url }),
          [parcel()],
          new Date(),
        )
      )[0],
  };
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

  it('at Google is read where it redirects to', async () => {
    const host = await googleLike({ status: 200, body: '{"result":"success","row":7}' });
    expect(await host.send()).toMatchObject({
      ...{ kind: 'taken', responseCode: 200, error: null, responseSnippet: '{"result":"success","row":7}' },
    });
    expect(host.output.requests).toMatchObject([{ method: 'GET', path: '/macros/echo?key=abc', body: '' }]);
    const headers = host.output.requests[0]?.headers ?? {};
    expect(Object.keys(headers).filter((name) => /webhook|auth|cookie|referer/.test(name))).toEqual([]);
    expect(host.script.requests).toHaveLength(1);
  });

  it.each([
    ['{"result":"error","error":{"message":"No sheet"}}', 'no', 'No sheet'],
    ['{"success":false}', 'no', 'The script reported an error.'],
    ['Error: Sheet is full', 'no', 'Error: Sheet is full'],
    ['<html><head><title>Page not found</title></head></html>', 'unknown', 'Page not found'],
    ['{"result":', 'unknown', 'The script’s response was broken JSON.'],
    ['x'.repeat(100_000), 'unknown', 'The script’s output was not received in full.'],
  ])('at Google that writes %.40j has not accepted the lead, with receipt %s', async (written, receipt, error) => {
    const host = await googleLike({ status: 200, body: written });
    expect(await host.send()).toMatchObject({ kind: 'not_taken', why: 'later', receipt, error, responseCode: 200 });
  });

  it('at Google may have accepted the lead if its output cannot be read', async () => {
    const elsewhere = await script();
    const replies: ReadonlyArray<readonly [Reply, number]> = [
      [{ status: 500, body: 'x' }, 500],
      [{ status: 404 }, 404],
      [{ status: 302, headers: { location: `${elsewhere.origin}/again` } }, 302],
      ['reset', 302],
    ];
    for (const [reply, responseCode] of replies) {
      const host = await googleLike(reply);
      const error = expect.stringMatching(/^The script’s output was not received: /) as string;
      expect(await host.send()).toMatchObject({
        kind: 'not_taken',
        why: 'later',
        receipt: 'unknown',
        responseCode,
        error,
      });
      expect(host.output.requests).toHaveLength(1);
    }
    expect(elsewhere.connections).toBe(0);
  });

  it('at Google is not read at an address that is not public', async () => {
    const host = await googleLike({ status: 200, body: 'done' }, { isOutputAllowed: false });
    expect(await host.send()).toMatchObject({ kind: 'not_taken', receipt: 'unknown', responseCode: 302 });
    expect([host.script.requests.length, host.output.connections]).toEqual([1, 0]);
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
