// E-mail: one mail for each lead, to the notification address and with copies to the others (contract 5.3).
import type { Mailer } from '../../platform/outbound/mail/mail.ts';
import { notTried, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryChannel, Parcel, Recipient } from './channel.ts';
import { leadMail } from './lead-mail.rules.ts';

/** `currency` answers the marketplace's code, which may change; without it amounts are shown bare. */
export function createEmailChannel(mailer: Mailer, currency: () => string = () => ''): DeliveryChannel {
  const sendOne = async (recipient: Recipient, parcel: Parcel): Promise<SendOutcome> => {
    const { notificationEmail, ccEmails } = recipient.settings;
    if (notificationEmail === null) return notTried('No notification e-mail is set.');
    const mail = leadMail(recipient, parcel, currency());
    return await mailer.send({ id: parcel.id, to: notificationEmail, cc: ccEmails, ...mail });
  };
  return {
    name: 'email',
    parcelsPerCall: 1,
    send: (recipient, parcels) => Promise.all(parcels.map((parcel) => sendOne(recipient, parcel))),
  };
}
