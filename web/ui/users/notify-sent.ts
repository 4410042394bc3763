// Tells what became of the email with a link.
import type { SentLink } from '../../../src/users/invitation.schema.ts';
import { notify, notifyFailureAs } from '../notify.tsx';
import { RequestError } from '../request.ts';

export function notifySent(email: string, { mail }: SentLink): void {
  if (mail.state === 'sent') notify(`Link sent to ${email}.`);
  else if (mail.state === 'kept') {
    notify(
      `There is no mail server: the email to ${email} was kept. The operator finds it with \`leadmarket mail list\`.`,
    );
  } else
    notifyFailureAs(`The email to ${email} was not sent`, new RequestError(0, { detail: mail.error ?? undefined }));
}
