// The SMS channel: a short text to the partner's number for each lead (contract 5.4). The provider has no idempotency, so an attempt whose
// response was lost may deliver the text twice.
import type { SmsSender } from '../../platform/outbound/sms.ts';
import { notTried } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryChannel } from './channel.ts';
import { smsText } from './sms-text.rules.ts';

export function createSmsChannel(sender: SmsSender): DeliveryChannel {
  return {
    name: 'sms',
    parcelsPerCall: 1,
    async send({ settings: { smsNumber }, timeZone }, parcels, now) {
      if (smsNumber === null) return parcels.map(() => notTried('No SMS number is set.'));
      return Promise.all(parcels.map((parcel) => sender.send({ to: smsNumber, text: smsText(parcel, timeZone) }, now)));
    },
  };
}
