// Makes a test delivery to a partner's webhook, and writes down that its attempt begins (contract 6.14).
import { strict as assert } from 'node:assert';

import { newUuid, type AttemptId } from '../../base/ids.ts';
import { maskedTargetOf } from '../../buyers/channel-target.rules.ts';
import { readBuyer } from '../../buyers/read-buyer.ts';
import { readSigningSecrets } from '../../credentials/read-signing-secrets.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Parcel, Recipient } from '../channels/channel.ts';
import { insertTestAttempt } from './test-delivery.sql.ts';
import { testParcel } from './test-lead.rules.ts';

export type TestDelivery = {
  readonly attemptId: AttemptId;
  readonly recipient: Recipient;
  readonly parcel: Parcel;
  /** Null where the partner has set none: there is nothing to send to, and no attempt was begun. */
  readonly webhookUrl: string | null;
};

/** With `toSend` false nothing is written. Whether the endpoint is disabled makes no difference: this is how one finds out. */
export async function beginTestDelivery(
  tx: Tx,
  { buyerKey, toSend }: { buyerKey: string; toSend: boolean },
  now: Date,
): Promise<TestDelivery> {
  const buyer = await readBuyer(tx, buyerKey);
  assert(buyer !== null, 'an authenticated partner is not in the database');
  const { name, timeZone, returnPolicy: policy, settings } = buyer;
  const { webhookUrl } = settings;
  const attemptId = newUuid();
  const isSent = toSend && webhookUrl !== null;
  const secrets = isSent ? await readSigningSecrets(tx, { kind: 'buyer', key: buyerKey }, now) : null;
  if (isSent)
    await tx.query(insertTestAttempt, { attemptId, buyerKey, target: maskedTargetOf('webhook', settings), now });
  const ownSecrets =
    secrets === null ? [] : [secrets.secret, ...(secrets.previous === null ? [] : [secrets.previous.secret])];
  return {
    attemptId,
    recipient: { buyerKey, name, timeZone, settings, secrets: ownSecrets },
    parcel: testParcel(attemptId, { policy, timeZone, now }),
    webhookUrl,
  };
}
