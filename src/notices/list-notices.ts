// Lists notices with the state of their messages, sends one again, and sends tests (contract 12.3).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import { LAST_ID } from '../base/id-time.ts';
import { newUuid, type NoticeId, typeId, type Uuid } from '../base/ids.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { NoticeList } from './notice-list.schema.ts';
import { type NoticeRow, resendSql, selectNotices } from './notice.sql.ts';
import { readRecipient, type RecipientKey } from './notice-settings.ts';
import { noticeText } from './notice-text.rules.ts';
import { raiseNotices } from './raise-notices.ts';

/** A null key: all of this kind. */
export type ListedRecipient = Pick<RecipientKey, 'recipientKind'> & { readonly recipientKey: string | null };

export type NoticeQuery = {
  readonly kind: string | null;
  readonly state: string | null;
  readonly before: Uuid | null;
  readonly limit: number;
};

/** Newest first. `recipient` null: all recipients, for operators. */
export function findNotices(
  tx: Pick<Database, 'query'>,
  recipient: ListedRecipient | null,
  { kind, state, before, limit }: NoticeQuery,
): Promise<NoticeRow[]> {
  const { recipientKind = null, recipientKey = null } = recipient ?? {};
  return tx.query(selectNotices, { recipientKind, recipientKey, kind, state, before: before ?? LAST_ID, limit });
}

/** One page in the form of the pages: with the sentence that each notice says. */
export async function listNotices(tx: Tx, recipient: ListedRecipient | null, query: NoticeQuery): Promise<NoticeList> {
  const rows = await findNotices(tx, recipient, query);
  const reader = await readRecipient(tx, { recipientKind: 'operator', recipientKey: '' });
  const last = rows.length === query.limit ? rows.at(-1) : undefined;
  return {
    data: rows.map(({ noticeId, kind, recipientKind, recipientKey, data, raisedAt, state, sends }) => ({
      ...{ kind, state, recipientKey },
      id: typeId('notice', noticeId),
      recipientKind: recipientKind === 'buyer' ? 'partner' : recipientKind,
      title: noticeText(kind, data, reader).title,
      raisedAt: raisedAt.toISOString(),
      sends: [...sends],
    })),
    next: last === undefined ? null : typeId('notice', last.noticeId),
  };
}

/** False if there is no such notice. Messages keep their ids; one that is still waiting stays as it is. */
export async function resendNotice(tx: Tx, noticeId: NoticeId, by: AuditAuthor, now: Date): Promise<boolean> {
  const rows = await tx.query(resendSql, { noticeId, now });
  if (rows.length === 0) return false;
  await recordByOperator(tx, { action: 'notice.resent', target: typeId('notice', noticeId) }, by, now);
  return true;
}

/** One notice through each channel of the operators. Returns its id. */
export async function sendTestNotice(tx: Tx, by: AuditAuthor, now: Date): Promise<string> {
  const occurrence = `test:${newUuid()}`;
  const data = { requestedBy: by.actor.name };
  await raiseNotices(tx, [{ kind: 'test', recipient: 'operator', occurrence, data }], now);
  await recordByOperator(tx, { action: 'notice.test_requested', target: 'operators' }, by, now);
  return occurrence;
}

type Event = { readonly action: string; readonly target: string };

async function recordByOperator(tx: Tx, event: Event, { actor, origin }: AuditAuthor, now: Date): Promise<void> {
  await appendAudit(tx, [{ ...event, at: now, actor, buyerKey: null, supplierKey: null, changes: {}, ...origin }]);
}
