// Counts how many entries of a load match leads of the last 30 days, before it counts itself: nought of many is a sign of a wrong form
// (contract 15.4).
import { DAY_MS } from '../base/time.ts';
import { boughtUntil, readRecentlyBought } from '../deliveries/recently-bought.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { readRecentLeads } from '../leads/recent-leads.ts';
import type { List, RecentMatches } from '../lists/list.ts';
import { matchLeads } from '../lists/match-leads.ts';
import type { Database } from '../platform/database/database.ts';
import { type Rest, withoutRest } from '../platform/time-slices.ts';

const RECENT_MS = 30 * DAY_MS;
/** Of a large marketplace the newest stand for all: some tenths of a second. */
const LEADS_MAX = 10_000;
/** Few milliseconds of work. */
const LEADS_PER_PAGE = 250;

type Counting = {
  readonly database: Database;
  readonly list: List;
  readonly loadId: number;
  readonly now: Date;
  readonly rest?: Rest;
};

/**
 * Of the operator's lists all leads are looked at, of a partner's those that it got: it must not learn whether the leads of others are on a
 * list. Each page is a transaction of its own.
 */
export async function countRecentMatches({
  database,
  list,
  loadId,
  now,
  rest = withoutRest,
}: Counting): Promise<RecentMatches> {
  const found = new Set<string>();
  let looked = 0;
  const pages = list.buyerKey === null ? newestLeads(database, now) : newestBought(database, list.buyerKey, now);
  for await (const leads of pages) {
    looked += leads.length;
    for (const hash of await matchLeads(database, { list, loadId, leads }, now)) found.add(hash);
    await rest();
  }
  return { leads: looked, entries: found.size };
}

async function* newestLeads(database: Database, now: Date): AsyncGenerator<readonly LeadFields[]> {
  const since = new Date(now.getTime() - RECENT_MS);
  let before: Parameters<typeof readRecentLeads>[1]['before'] = null;
  for (let read = 0; read < LEADS_MAX; read += LEADS_PER_PAGE) {
    const { leads, next } = await readRecentLeads(database, { since, before, limit: LEADS_PER_PAGE });
    yield leads;
    if (next === null) return;
    before = next;
  }
}

async function* newestBought(database: Database, buyerKey: string, now: Date): AsyncGenerator<readonly LeadFields[]> {
  const since = new Date(now.getTime() - RECENT_MS);
  let before = boughtUntil(now);
  for (let read = 0; read < LEADS_MAX; read += LEADS_PER_PAGE) {
    const { leads, next } = await readRecentlyBought(database, { buyerKey, since, before, limit: LEADS_PER_PAGE });
    yield leads;
    if (next === null) return;
    before = next;
  }
}
