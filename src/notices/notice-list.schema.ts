// Queries and responses of the lists of notices, in the console and the portal (contract 12.3).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();

export const noticeStates = ['waiting', 'sent', 'failed', 'dropped', 'off', 'no_channel'] as const;

export const NoticesQuerySchema = Type.Object({
  kind: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(Type.Enum([...noticeStates])),
  before: Type.Optional(Type.String({ maxLength: 100, description: 'The `next` of the previous page.' })),
});
export type NoticesQuery = Static<typeof NoticesQuerySchema>;

const SendSchema = Type.Object({
  channel: text,
  state: Type.Enum(['waiting', 'sent', 'failed', 'dropped']),
  /** With the other notices of its day. */
  isDigest: Type.Boolean(),
  dueAt: text,
  endedAt: orNull(text),
  attempts: Type.Integer(),
  /** Of the last attempt. */
  error: orNull(text),
});

const NoticeSchema = Type.Object({
  id: text,
  kind: text,
  recipientKind: Type.Enum(['operator', 'partner', 'supplier']),
  recipientKey: text,
  title: text,
  raisedAt: text,
  state: Type.Enum(['raised', 'planned', 'off', 'no_channel']),
  sends: Type.Array(SendSchema),
});
export type ListedNotice = Static<typeof NoticeSchema>;

export const NoticeListSchema = Type.Object({ data: Type.Array(NoticeSchema), next: orNull(text) });
export type NoticeList = Static<typeof NoticeListSchema>;
