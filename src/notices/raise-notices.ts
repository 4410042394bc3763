// Records notices in the transaction of the fact that they are about; a sender chooses their channels and sends them later (contract 12.3,
// decision 063).
import { newUuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { NewNotice, NoticeRecipient } from './notice.ts';
import { insertNotices } from './notice.sql.ts';

/**
 * Changes nothing for an occurrence that the recipient already has a notice about, so a repeated transaction raises it once. Reads no
 * settings: a kind that its recipient has switched off is recorded as well, and not sent. Not for transactions in a partner's role.
 */
export async function raiseNotices(tx: Tx, notices: readonly NewNotice[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  const recipients = notices.map(({ recipient }) => storedRecipient(recipient));
  await tx.query(insertNotices, {
    noticeIds: notices.map(() => newUuid()),
    kinds: notices.map(({ kind }) => kind),
    recipientKinds: recipients.map(({ recipientKind }) => recipientKind),
    recipientKeys: recipients.map(({ recipientKey }) => recipientKey),
    occurrences: notices.map(({ occurrence }) => occurrence),
    data: notices.map(({ data }) => JSON.stringify(data)),
    attachmentKinds: notices.map(({ attachment }) => Object.keys(attachment ?? {})[0] ?? null),
    attachmentIds: notices.map(
      ({ attachment }) => attachment?.invoice ?? attachment?.statement ?? attachment?.receipt ?? null,
    ),
    now,
  });
}

function storedRecipient(recipient: NoticeRecipient): { recipientKind: string; recipientKey: string } {
  if (recipient === 'operator') return { recipientKind: 'operator', recipientKey: '' };
  return recipient.partner === undefined
    ? { recipientKind: 'supplier', recipientKey: recipient.supplier }
    : { recipientKind: 'buyer', recipientKey: recipient.partner };
}
