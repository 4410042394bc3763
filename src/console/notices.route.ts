// The console's notices: what was sent to operators, partners and suppliers; sending one again; a test of the operators' channels
// (contract 12.3).
import { requestAuthor } from '../audit/request-author.ts';
import { uuidOf } from '../base/ids.ts';
import { listNotices, resendNotice, sendTestNotice } from '../notices/list-notices.ts';
import type { RecipientKind } from '../notices/notice-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { readCursor } from '../platform/http/validation.ts';
import { NoticeListSchema } from '../notices/notice-list.schema.ts';
import { ConsoleNoticesQuerySchema, NoticeParams, type QueuedNotice, QueuedNoticeSchema } from './notices.schema.ts';

export type ConsoleNoticesDependencies = { readonly database: Database; readonly clock: Clock };

const PAGE = 50;

export function registerConsoleNotices(scope: App, { database, clock }: ConsoleNoticesDependencies): void {
  scope.get(
    '/api/notices',
    {
      config: { permission: 'read' },
      schema: { querystring: ConsoleNoticesQuerySchema, response: { 200: NoticeListSchema } },
    },
    async (request, reply) => {
      const { kind = null, state = null, recipient = null, key = null, before: text } = request.query;
      const before = readCursor('before', text, (id) => uuidOf('notice', id));
      const recipientKind: RecipientKind | null = recipient === 'partner' ? 'buyer' : recipient;
      const of = recipientKind === null ? null : { recipientKind, recipientKey: key };
      const query = { kind, state, before, limit: PAGE };
      return reply.send(await database.tx((tx) => listNotices(tx, of, query), { snapshot: true }));
    },
  );
  scope.post(
    '/api/notices/:noticeId/resend',
    {
      config: { permission: 'operate', emptyBody: true },
      attachValidation: true,
      schema: { params: NoticeParams, response: { 200: QueuedNoticeSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const noticeId = uuidOf('notice', request.params.noticeId);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const isKnown = noticeId !== null && (await resendNotice(tx, noticeId, requestAuthor(request), now));
          if (!isKnown) return problemResponse(request, reply, { status: 404, code: 'not_found' });
          return jsonResponse(200, { queued: true } satisfies QueuedNotice);
        },
      });
    },
  );
  scope.post(
    '/api/notices/test',
    {
      config: { permission: 'operate', emptyBody: true },
      attachValidation: true,
      schema: { response: { 200: QueuedNoticeSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          await sendTestNotice(tx, requestAuthor(request), now);
          return jsonResponse(200, { queued: true } satisfies QueuedNotice);
        },
      });
    },
  );
}
