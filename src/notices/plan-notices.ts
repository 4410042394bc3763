// Gives raised notices a message per channel of their recipient, or adds them to the digest of the day (contract 12.3, decision 063).
import { newUuid, type NoticeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { emailsFor } from './billing-emails.rules.ts';
import { insertChannels, insertSends, lockRaised, setPlanned } from './notice-plan.sql.ts';
import { readRecipient, type RecipientKey } from './notice-settings.ts';
import { type PlannedSend, planOf } from './plan-notice.rules.ts';

const AT_ONCE = 200;

type Part = RecipientKey & PlannedSend & { readonly noticeId: NoticeId };

/** Returns how many notices were planned, at most 200: call it until it returns 0. */
export async function planNotices(tx: Tx, now: Date): Promise<number> {
  const raised = await tx.query(lockRaised, { limit: AT_ONCE });
  if (raised.length === 0) return 0;
  const parts: Part[] = [];
  const states = new Map<NoticeId, string>();
  for (const group of Map.groupBy(raised, nameOf).values()) {
    const [{ recipientKind, recipientKey } = { recipientKind: 'operator', recipientKey: '' } as const] = group;
    const recipient = await readRecipient(tx, { recipientKind, recipientKey });
    for (const { noticeId, kind } of group) {
      const plan = planOf(kind, { ...recipient, emails: emailsFor([kind], recipient) }, now);
      states.set(noticeId, plan.state);
      if (plan.state !== 'planned') continue;
      parts.push(...plan.sends.map((send) => ({ ...send, noticeId, recipientKind, recipientKey })));
    }
  }
  await writeParts(tx, parts);
  await tx.query(setPlanned, { noticeIds: [...states.keys()], states: [...states.values()] });
  return raised.length;
}

async function writeParts(tx: Tx, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  const single = parts.filter(({ isDigest }) => !isDigest).map((part) => ({ ...part, sendId: newUuid() }));
  const digests = new Map(
    parts.filter(({ isDigest }) => isDigest).map((part) => [digestOf(part), { ...part, sendId: newUuid() }]),
  );
  const sends = [...single, ...digests.values()];
  const written = await tx.query(insertSends, {
    sendIds: sends.map(({ sendId }) => sendId),
    recipientKinds: sends.map(({ recipientKind }) => recipientKind),
    recipientKeys: sends.map(({ recipientKey }) => recipientKey),
    channels: sends.map(({ channel }) => channel),
    digests: sends.map(({ isDigest }) => isDigest),
    dueTimes: sends.map(({ dueAt }) => dueAt),
  });
  // A digest may have been there before, under another id.
  const digestIds = new Map<string, NoticeId>(
    written.flatMap((row) => (row.isDigest ? [[digestOf(row), row.sendId] as const] : [])),
  );
  const carried = [
    ...single,
    ...parts.flatMap((part) => {
      const sendId = part.isDigest ? digestIds.get(digestOf(part)) : undefined;
      return sendId === undefined ? [] : [{ ...part, sendId }];
    }),
  ];
  await tx.query(insertChannels, {
    noticeIds: carried.map(({ noticeId }) => noticeId),
    channels: carried.map(({ channel }) => channel),
    sendIds: carried.map(({ sendId }) => sendId),
  });
}

function nameOf({ recipientKind, recipientKey }: RecipientKey): string {
  return `${recipientKind} ${recipientKey}`;
}

function digestOf(part: RecipientKey & { readonly channel: string; readonly dueAt: Date }): string {
  return `${nameOf(part)} ${part.channel} ${part.dueAt.toISOString()}`;
}
