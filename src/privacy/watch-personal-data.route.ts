// Hook of the console and of the operator's API that masks personal data for operators without the permission, and records each read of it in the audit log
// (decision 030).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appendAudit } from '../audit/append-audit.ts';
import { requestAuthor } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { principalOf } from '../platform/http/scope.ts';
import { createRecentCache } from '../platform/recent-cache.ts';
import { maskPersonalData } from './mask-personal-data.rules.ts';

/** A page that refreshes itself shows the same lead again and again: within this time that is one read. */
const VIEW_MS = 10 * 60_000;
/** A hundred pages of two hundred leads. */
const VIEWS_MAX = 20_000;
/** Without the cursor of the next page. */
const LEAD_ID = /(?<!"next":)"(lead_[0-9a-hjkmnp-tv-z]{26})"/g;

/** To call before the routes of the scope are registered, so that it sees all their responses. */
export function watchPersonalData(scope: App, { database, clock }: { database: Database; clock: Clock }): void {
  const views = createRecentCache<true>(VIEWS_MAX, { ttlMs: VIEW_MS });

  /** The event is committed before the response is sent; if it cannot be written, nothing is sent. */
  async function record(request: FastifyRequest, text: string): Promise<void> {
    const isSearch = request.routeOptions.config.reveals === 'search';
    const { session, credentialId } = principalOf(request);
    const reader = session?.sessionId ?? credentialId;
    const ids = [...new Set([...text.matchAll(LEAD_ID)].map(([, id = '']) => id))];
    const fresh = isSearch ? ids : ids.filter((id) => !views.has(`${reader} ${id}`));
    if (fresh.length === 0 && !isSearch) return;
    const { actor, origin } = requestAuthor(request);
    const event = {
      at: clock.now(),
      actor,
      // Not visible to partners or suppliers: nothing of theirs was changed.
      ...{ buyerKey: null, supplierKey: null },
      action: isSearch ? 'person.searched' : 'person.viewed',
      target: fresh.length === 1 ? (fresh[0] ?? '') : `${fresh.length} leads`,
      changes: fresh.length > 1 ? { leads: { from: null, to: fresh } } : {},
      ...origin,
    };
    await database.tx((tx) => appendAudit(tx, [event]));
    for (const id of fresh) views.set(`${reader} ${id}`, true);
  }

  scope.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { reveals, personMembers } = request.routeOptions.config;
    const permissions = request.principal?.permissions;
    // Without an operator the response is an error without personal data.
    if (permissions === undefined || reply.statusCode >= 300 || !isJson(reply)) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (permissions.includes('persons')) {
      if (reveals !== undefined) await record(request, payload.toString());
      return payload;
    }
    return JSON.stringify(maskPersonalData(JSON.parse(payload.toString()), personMembers));
  });
}

function isJson(reply: FastifyReply): boolean {
  return /^application\/json\b/.test(String(reply.getHeader('content-type')));
}
