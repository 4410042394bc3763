import { afterAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { usualReturnPolicy } from '../support/offers.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import type { Resolve } from '../../src/platform/outbound/resolve-name.ts';
import { type TestDelivery, sendTestDelivery } from '../../src/deliveries/test-delivery/run-test-delivery.ts';
import { testParcel } from '../../src/deliveries/test-delivery/test-lead.rules.ts';
import { createWebhookChannel } from '../../src/deliveries/channels/webhook.channel.ts';

const NOW = new Date('2026-11-20T17:03:12.418Z');

const URL_OF_NAME = 'https://crm.summit.example/in';

/** The addresses of the name when the URL is checked, and when the socket opens. */
const atCheck: Resolve = async () => ['203.0.114.7'];

const atSocket: Resolve = async () => ['127.0.0.1'];

const client = createGuardedClient({ allowTargets: [], resolve: atSocket });

afterAll(() => client.close());

function testTo(webhookUrl: string): TestDelivery {
  const attemptId = newUuid();
  const settings = {
    ...{ notificationEmail: null, ccEmails: [], webhookUrl, phone: null, smsNumber: null },
    ...{ sheetsWebhookUrl: null, sheetsSpreadsheetId: null },
  };
  return {
    attemptId,
    channel: 'webhook',
    target: webhookUrl,
    recipient: {
      ...{ buyerKey: 'summit', name: 'Summit', timeZone: 'UTC', settings },
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      custom: null,
      ownColumns: [],
    },
    parcel: testParcel(attemptId, { policy: usualReturnPolicy, timeZone: 'UTC', vertical: null, now: NOW }),
  };
}

describe('A test delivery to a private address', () => {
  const sender = createWebhookChannel({ client, openSecrets: () => new Map() });

  it.each([
    ['is blocked if the name resolves to a private address at once', atSocket],
    ['is blocked if the name resolves to a private address only when the socket opens', atCheck],
  ])('%s', async (_, resolve) => {
    const result = await sendTestDelivery(testTo(URL_OF_NAME), { sender, allowTargets: [], resolve }, NOW);
    expect(result).toEqual({
      ...{ delivered: false, rule: null, responseCode: null, responseSnippet: null, latencyMs: expect.any(Number) },
      ...{ error: 'The URL points to an address that is not public.', blocked: expect.stringMatching(/not public/) },
    });
  });
});

describe('A test delivery to an unknown host', () => {
  it('reports an unresolvable name as a failed test, not as a blocked one', async () => {
    const nowhere: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const other = createGuardedClient({ allowTargets: [], resolve: nowhere });
    const way = {
      sender: createWebhookChannel({ client: other, openSecrets: () => new Map() }),
      allowTargets: [],
      resolve: nowhere,
    };
    const result = await sendTestDelivery(testTo(URL_OF_NAME), way, NOW);
    await other.close();
    expect(result).toMatchObject({ delivered: false, blocked: null, error: 'The host name could not be resolved.' });
  });
});
