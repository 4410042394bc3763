// Leases due messages with notices, and reads what they carry and where they go now (contract 12.3).
import {
  newUuid,
  type AttemptId,
  type InvoiceId,
  type ReceiptId,
  type NoticeId,
  type StatementId,
} from '../base/ids.ts';
import { ensureSigningSecret } from '../credentials/signing-secrets.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { JobState } from '../platform/outbound/retry.rules.ts';
import type { Claim } from '../platform/queue/dispatcher.ts';
import type { NoticeAttachment } from './notice.ts';
import {
  type CarriedNotice,
  dueSendQueues,
  leaseSends,
  selectCarried,
  type SendQueue,
  takeOverSendsSql,
} from './notice-send.sql.ts';
import { readRecipientAnyway, type Recipient } from './notice-settings.ts';

export type StartedNotice = {
  readonly noticeId: NoticeId;
  readonly kind: string;
  readonly data: unknown;
  readonly attachment: NoticeAttachment | null;
  readonly raisedAt: Date;
};

export type StartedSend = SendQueue & {
  readonly sendId: NoticeId;
  readonly leaseId: AttemptId;
  readonly job: JobState;
  readonly recipient: Recipient;
  /** For a webhook; empty for other channels. */
  readonly secrets: readonly string[];
  /** Oldest first; at least one. */
  readonly notices: readonly StartedNotice[];
};

export function dueQueues(tx: Pick<Database, 'query'>, now: Date): Promise<Array<SendQueue & { isBroken: boolean }>> {
  return tx.query(dueSendQueues, { now });
}

export async function beginSends(
  tx: Tx,
  { queues, leaseMs }: Claim<SendQueue & { isBroken: boolean }>,
  now: Date,
): Promise<StartedSend[]> {
  const leased = await tx.query(leaseSends, {
    recipientKinds: queues.map(({ recipientKind }) => recipientKind),
    recipientKeys: queues.map(({ recipientKey }) => recipientKey),
    channels: queues.map(({ channel }) => channel),
    limits: queues.map(({ jobs }) => jobs),
    now,
    leasedUntil: new Date(now.getTime() + leaseMs),
    leaseIds: Array.from({ length: queues.reduce((sum, { jobs }) => sum + jobs, 0) }, newUuid),
  });
  if (leased.length === 0) return [];
  const carried = await tx.query(selectCarried, { sendIds: leased.map(({ sendId }) => sendId) });
  const contents = Map.groupBy(carried, ({ sendId }) => sendId);
  const started: StartedSend[] = [];
  for (const { isDigest: _, attempts, steps, ...send } of leased) {
    const recipient = await readRecipientAnyway(tx, send);
    started.push({
      ...send,
      recipient,
      job: { attempts, steps, uncertain: 1, isProbe: false },
      secrets: send.channel === 'webhook' ? await secretsOf(tx, send, now) : [],
      notices: (contents.get(send.sendId) ?? []).map(startedNotice),
    });
  }
  return started;
}

/**
 * Makes leased messages due at once. Only for a process that has the database to itself and has not started sending: the worker that held
 * them is dead.
 */
export async function takeOverSends(tx: Tx, now: Date): Promise<void> {
  await tx.query(takeOverSendsSql, { now });
}

async function secretsOf(tx: Tx, { recipientKind: kind, recipientKey: key }: SendQueue, now: Date): Promise<string[]> {
  const owner = kind === 'operator' ? ({ kind, key: 'operator' } as const) : { kind, key };
  const { secret, previous } = await ensureSigningSecret(tx, owner, now);
  return [secret, ...(previous === null ? [] : [previous.secret])];
}

function startedNotice({ noticeId, kind, data, attachmentKind, attachmentId, raisedAt }: CarriedNotice): StartedNotice {
  return { noticeId, kind, data, raisedAt, attachment: attachmentOf(attachmentKind, attachmentId) };
}

function attachmentOf(
  kind: CarriedNotice['attachmentKind'],
  id: CarriedNotice['attachmentId'],
): NoticeAttachment | null {
  if (id === null || kind === null) return null;
  if (kind === 'receipt') return { receipt: id as ReceiptId };
  return kind === 'invoice' ? { invoice: id as InvoiceId } : { statement: id as StatementId };
}
