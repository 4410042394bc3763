// The email channel: one mail for each lead, to the notification address, with copies to the CC addresses (contract 5.3).
import type { Mailer } from '../../platform/outbound/mail/mail.ts';
import { notTried, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import type { DeliveryChannel, Parcel, Recipient } from './channel.ts';
import { leadMail, type MailSender } from './lead-mail.rules.ts';

/** `sender` returns the marketplace's settings, which may change. */
export function createEmailChannel(mailer: Mailer, sender: () => MailSender): DeliveryChannel {
  const sendOne = async (recipient: Recipient, parcel: Parcel): Promise<SendOutcome> => {
    const { notificationEmail, ccEmails } = recipient.settings;
    if (notificationEmail === null) return notTried('No notification email is set.');
    const mail = leadMail(recipient, parcel, sender());
    return await mailer.send({ id: parcel.id, to: notificationEmail, cc: ccEmails, ...mail });
  };
  return {
    name: 'email',
    parcelsPerCall: 1,
    send: (recipient, parcels) => Promise.all(parcels.map((parcel) => sendOne(recipient, parcel))),
  };
}
