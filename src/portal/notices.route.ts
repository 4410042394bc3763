// A partner's or supplier's notices in the portal: what it got, and what it chooses to get, where and when (contract 12.3).
import type { FastifyRequest } from 'fastify';

import { partnerAuthor } from '../audit/request-author.ts';
import { uuidOf } from '../base/ids.ts';
import { listNotices } from '../notices/list-notices.ts';
import { NoticeListSchema, NoticesQuerySchema } from '../notices/notice-list.schema.ts';
import { changeNoticeSettings, readNoticeSettings } from '../notices/notice-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import { readCursor } from '../platform/http/validation.ts';
import { checkTarget } from '../platform/outbound/check-target.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { checkNoticeSettings, type OwnerKind } from './notice-settings.rules.ts';
import { NoticeSettingsBody, type NoticeSettings, NoticeSettingsSchema } from './notices.schema.ts';

export type PortalNoticesDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly kind: OwnerKind;
  readonly allowTargets: AllowedTargets;
  /** What holds while the settings name no address and no time zone. */
  readonly accountOf: (ownerKey: string) => { readonly emails: readonly string[]; readonly timeZone: string };
};

const PAGE = 50;

export function registerPortalNotices(scope: App, dependencies: PortalNoticesDependencies): void {
  const { database, clock, kind: ownerKind, allowTargets } = dependencies;
  scope.get(
    `/api/${ownerKind}/notices`,
    { schema: { querystring: NoticesQuerySchema, response: { 200: NoticeListSchema } } },
    async (request, reply) => {
      const { kind = null, state = null, before: text } = request.query;
      const before = readCursor('before', text, (id) => uuidOf('notice', id));
      const own = { recipientKind: ownerKind, recipientKey: principalOf(request).ownerKey };
      const query = { kind, state, before, limit: PAGE };
      return reply.send(await database.tx((tx) => listNotices(tx, own, query), { snapshot: true }));
    },
  );
  scope.get(
    `/api/${ownerKind}/notices/settings`,
    { schema: { response: { 200: NoticeSettingsSchema } } },
    async (request, reply) =>
      reply.send(shownTo(request, await database.tx((tx) => viewOf(tx, principalOf(request).ownerKey, dependencies)))),
  );
  scope.post(
    `/api/${ownerKind}/notices/settings`,
    { attachValidation: true, schema: { body: NoticeSettingsBody, response: { 200: NoticeSettingsSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const checked = checkNoticeSettings(ownerKind, request.body, { allowTargets });
      const problem = { status: 422, code: 'validation_failed' } as const;
      if (!checked.ok) return sendProblem(request, reply, { ...problem, errors: checked.errors });
      // With no transaction open: it asks the network.
      for (const { url, field } of checked.targets) {
        const verdict = await checkTarget(url, { allowTargets });
        if (verdict.ok) continue;
        const errors = [{ field, code: 'invalid_format', message: `is refused: ${verdict.reason}` }] as const;
        return sendProblem(request, reply, { ...problem, errors });
      }
      const { settings } = checked;
      const view = await database.tx(async (tx) => {
        await changeNoticeSettings(tx, ownerKey, { ownerKind, settings, ...partnerAuthor(request, ownerKind) }, now);
        return viewOf(tx, ownerKey, dependencies);
      });
      return reply.send(view);
    },
  );
}

/** The address of a chat hook is a credential in itself, and one of a webhook may have one: whole only for those who may change it. */
function shownTo(request: FastifyRequest, view: NoticeSettings): NoticeSettings {
  const { user } = principalOf(request);
  if (user === undefined || user.rights.includes('settings')) return view;
  const { webhookUrl, chatUrl } = view.settings;
  return { ...view, settings: { ...view.settings, webhookUrl: hinted(webhookUrl), chatUrl: hinted(chatUrl) } };
}

/** The host, and the last four characters. */
function hinted(url: string | null): string | null {
  return url === null ? null : `${URL.parse(url)?.origin ?? ''}/…${url.slice(-4)}`;
}

async function viewOf(
  tx: Tx,
  ownerKey: string,
  { kind, accountOf }: PortalNoticesDependencies,
): Promise<NoticeSettings> {
  const { emails, timeZone } = accountOf(ownerKey);
  const { thresholds, ...settings } = await readNoticeSettings(tx, ownerKey, kind);
  return { settings: { ...settings, thresholds: { ...thresholds } }, accountEmails: [...emails], timeZone };
}
