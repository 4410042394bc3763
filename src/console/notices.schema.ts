// Queries and responses of the console's notices.
import { type Static, Type } from 'typebox';

import { NoticesQuerySchema } from '../notices/notice-list.schema.ts';

export const ConsoleNoticesQuerySchema = Type.Object({
  ...NoticesQuerySchema.properties,
  recipient: Type.Optional(Type.Enum(['operator', 'partner', 'supplier'])),
  /** Of the partner or supplier. */
  key: Type.Optional(Type.String({ maxLength: 63 })),
});
export type ConsoleNoticesQuery = Static<typeof ConsoleNoticesQuerySchema>;

export const NoticeParams = Type.Object({ noticeId: Type.String() });

export const QueuedNoticeSchema = Type.Object({ queued: Type.Boolean() });
export type QueuedNotice = Static<typeof QueuedNoticeSchema>;
