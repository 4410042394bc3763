// Gives raised notices a message per channel of their recipient, or adds them to the digest of the day (contract 12.3, decision 063).
import { newUuid, type NoticeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { emailsFor } from './billing-emails.rules.ts';
import { type LeftOut, raiseLeftOut } from './left-out.ts';
import { insertChannels, insertSends, lockRaised, setPlanned } from './notice-plan.sql.ts';
import { readRecipient, type Recipient, type RecipientKey } from './notice-settings.ts';
import { type Plan, type PlannedSend, planOf } from './plan-notice.rules.ts';

const AT_ONCE = 200;

const ACCOUNT_OF = { buyer: 'partner', supplier: 'supplier', operator: 'marketplace' } as const;

type Part = RecipientKey & PlannedSend & { readonly noticeId: NoticeId };

/**
 * Returns how many notices were planned, at most 200: call it until `planned` is 0. Where what a recipient has chosen cannot be used, its
 * notices are due at once.
 */
export async function planNotices(
  tx: Tx,
  now: Date,
): Promise<{ readonly planned: number; readonly leftOut: readonly LeftOut[] }> {
  const raised = await tx.query(lockRaised, { limit: AT_ONCE });
  if (raised.length === 0) return { planned: 0, leftOut: [] };
  const parts: Part[] = [];
  const leftOut: LeftOut[] = [];
  const states = new Map<NoticeId, string>();
  for (const group of Map.groupBy(raised, nameOf).values()) {
    const [{ recipientKind, recipientKey } = { recipientKind: 'operator', recipientKey: '' } as const] = group;
    const recipient = { recipientKind, recipientKey };
    const { plans, error } = await planGroup(tx, { group, recipient }, now);
    if (error !== null) {
      leftOut.push({ account: ACCOUNT_OF[recipientKind], key: recipientKey, partner: null, work: 'notices', error });
    }
    for (const [noticeId, plan] of plans) {
      states.set(noticeId, plan.state);
      if (plan.state !== 'planned') continue;
      parts.push(...plan.sends.map((send) => ({ ...send, noticeId, recipientKind, recipientKey })));
    }
  }
  await writeParts(tx, parts);
  await tx.query(setPlanned, { noticeIds: [...states.keys()], states: [...states.values()] });
  await raiseLeftOut(tx, leftOut, now);
  return { planned: raised.length, leftOut };
}

type Group = { readonly group: ReadonlyArray<{ readonly noticeId: NoticeId; readonly kind: string }> };
type Plans = ReadonlyArray<readonly [NoticeId, Plan]>;

/** With the error where they cannot be planned as the recipient has chosen. */
async function planGroup(
  tx: Tx,
  { group, recipient }: Group & { readonly recipient: RecipientKey },
  now: Date,
): Promise<{ readonly plans: Plans; readonly error: unknown }> {
  try {
    return { plans: plansFor(group, await readRecipient(tx, recipient), now), error: null };
  } catch (error) {
    try {
      return { plans: plansFor(group, atOnce(await readRecipient(tx, recipient)), now), error };
    } catch {
      const plain = await readRecipient(tx, recipient, { withoutChoice: true });
      return { plans: plansFor(group, atOnce(plain), now), error };
    }
  }
}

function atOnce(recipient: Recipient): Recipient {
  return { ...recipient, quietHours: null, digest: [] };
}

function plansFor(group: Group['group'], recipient: Recipient, now: Date): Plans {
  return group.map(({ noticeId, kind }) => [
    noticeId,
    planOf(kind, { ...recipient, emails: emailsFor([kind], recipient) }, now),
  ]);
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
