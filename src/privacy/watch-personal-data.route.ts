// Stands between the console's routes and its operators: who may not see persons gets every answer masked, and who may is put on record
// with each answer that holds some (decision 030).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { appendAudit } from '../audit/append-audit.ts';
import { requestAuthor } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { principalOf } from '../platform/http/scope.ts';
import { maskPersonalData } from './mask-personal-data.rules.ts';

/** A page that renews itself shows the same persons all the time: that is one look. */
const ONE_LOOK_MS = 10 * 60_000;
/** Pages of two hundred, of a hundred operators. */
const LOOKS_MAX = 20_000;
/** But for where a list goes on. */
const LEAD_ID = /(?<!"next":)"(lead_[0-9a-hjkmnp-tv-z]{26})"/g;

/** Before the routes of the scope are registered: nothing that they answer goes past it. */
export function watchPersonalData(scope: App, { database, clock }: { database: Database; clock: Clock }): void {
  const looks = new LRUCache<string, true>({ max: LOOKS_MAX, ttl: ONE_LOOK_MS });

  /** The record is on disk before the answer leaves; where it cannot be written, nothing leaves. */
  async function record(request: FastifyRequest, text: string): Promise<void> {
    const isSearch = request.routeOptions.config.reveals === 'search';
    const sessionId = principalOf(request).session?.sessionId ?? '';
    const ids = [...new Set([...text.matchAll(LEAD_ID)].map(([, id = '']) => id))];
    const fresh = isSearch ? ids : ids.filter((id) => !looks.has(`${sessionId} ${id}`));
    if (fresh.length === 0 && !isSearch) return;
    const { actor, origin } = requestAuthor(request);
    const event = {
      at: clock.now(),
      actor,
      // Nothing was changed for a partner or a supplier, and it is not theirs to know.
      ...{ buyerKey: null, supplierKey: null },
      action: isSearch ? 'person.searched' : 'person.viewed',
      target: fresh.length === 1 ? (fresh[0] ?? '') : `${fresh.length} leads`,
      changes: fresh.length > 1 ? { leads: { from: null, to: fresh } } : {},
      ...origin,
    };
    await database.tx((tx) => appendAudit(tx, [event]));
    for (const id of fresh) looks.set(`${sessionId} ${id}`, true);
  }

  scope.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { reveals, personMembers } = request.routeOptions.config;
    const permissions = request.principal?.session?.permissions;
    // Nobody is known: the refusal says nothing of persons.
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
