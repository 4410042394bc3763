// Finds leads for the operator, newest first. The table has few indexes, because each would make every ingest dearer: what has
// none is looked for in a part at a time, and the answer says how far back that reached.
import { strict as assert } from 'node:assert';

import { FIRST_ID, firstIdOf } from '../base/id-time.ts';
import type { LeadId, Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  endOfPart,
  idsOfExternalId,
  type LeadRow,
  leadsByIds,
  type LeadSpan,
  leadsLike,
  pageOfLeads,
} from './console-lead.sql.ts';
import { filterAboutPerson } from './filter-about-person.ts';
import type { LeadFields } from './lead-fields.ts';
import { patternsOf, type PersonQuery } from './person-query.rules.ts';
import type { LeadState, PublicStatus } from './settle-leads.ts';
import type { FoundLead } from './stored-lead.ts';

export type LeadFilter = {
  /** Each null for no condition. */
  readonly supplierKey: string | null;
  readonly states: readonly LeadState[] | null;
  readonly statuses: readonly PublicStatus[] | null;
  /** from ≤ received < to. */
  readonly from: Date | null;
  readonly to: Date | null;
};

export type LeadPart = {
  readonly leads: readonly FoundLead[];
  /** Where to go on behind; null where everything was looked at. */
  readonly next: LeadId | null;
};

/** Looked at for one answer: some 50 ms. */
const LOOKED_AT_MOST = 20_000;
/** After every id. */
const LAST_ID: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `before`: the lead behind which to begin; null for the newest. */
export async function pageLeads(
  tx: Tx,
  { filter, before, limit }: { readonly filter: LeadFilter; readonly before: Uuid | null; readonly limit: number },
  lookedAtMost = LOOKED_AT_MOST,
): Promise<LeadPart> {
  const { supplierKey, states, statuses } = filter;
  const span = spanOf(filter, before);
  const page = { ...span, states, statuses, limit, lookedAtMost };
  const rows =
    supplierKey === null
      ? await tx.query(pageOfLeads.any, page)
      : await tx.query(pageOfLeads.ofSupplier, { ...page, supplierKey });
  const last = rows.at(-1);
  const leads = rows.map(foundLead);
  if (last !== undefined && rows.length === limit) return { leads, next: last.leadId };
  return { leads, next: await readEnd(tx, { span, supplierKey, lookedAtMost }) };
}

/** The same, however many parts it takes to find `limit` of them: fewer only where everything was looked at. */
export async function listLeads(
  tx: Tx,
  { filter, before, limit }: { readonly filter: LeadFilter; readonly before: Uuid | null; readonly limit: number },
): Promise<FoundLead[]> {
  const leads: FoundLead[] = [];
  for (let behind = before; ;) {
    const part = await pageLeads(tx, { filter, before: behind, limit: limit - leads.length });
    leads.push(...part.leads);
    if (part.next === null || leads.length === limit) return leads;
    behind = part.next;
  }
}

/** Those of some that the filter lets through. */
export async function leadsOfIds(tx: Tx, ids: readonly LeadId[], filter: LeadFilter): Promise<FoundLead[]> {
  if (ids.length === 0) return [];
  const { supplierKey, states, statuses } = filter;
  const rows = await tx.query(leadsByIds, { ...spanOf(filter, null), states, statuses, leadIds: ids, supplierKey });
  return rows.map(foundLead);
}

/** What suppliers sent under this id of theirs; of one that was refused again and again the latest. */
export async function idsUnder(tx: Tx, externalId: string, limit: number): Promise<LeadId[]> {
  const rows = await tx.query(idsOfExternalId, { externalId, limit });
  return rows.map(({ leadId }) => leadId);
}

/** Those of a part of all leads that are about somebody, at most `limit` of them. */
export async function leadsAbout(
  tx: Tx,
  search: {
    readonly person: PersonQuery;
    readonly filter: LeadFilter;
    readonly before: Uuid | null;
    readonly limit: number;
  },
  lookedAtMost = LOOKED_AT_MOST,
): Promise<LeadPart> {
  const { person, filter, before, limit } = search;
  const { supplierKey } = filter;
  const span = spanOf(filter, before);
  const end = await readEnd(tx, { span, supplierKey, lookedAtMost });
  const { fields, body, digits } = patternsOf(person);
  const rows = await tx.query(leadsLike, {
    beforeId: span.beforeId,
    fromId: end ?? span.fromId,
    fieldsPattern: fields,
    bodyPattern: body,
    digitsPattern: digits,
    supplierKey,
    limit,
  });
  const about = (await filterAboutPerson([person], rows)).filter((row) => isInFilter(row, filter));
  const last = rows.at(-1);
  const leads = about.map(foundLead);
  return last !== undefined && rows.length === limit ? { leads, next: last.leadId } : { leads, next: end };
}

type Part = { readonly span: LeadSpan; readonly supplierKey: string | null; readonly lookedAtMost: number };

/** The last lead of the part of a span that one answer looks at; null where that is the whole span. */
async function readEnd(tx: Tx, { span, supplierKey, lookedAtMost }: Part): Promise<LeadId | null> {
  const [end] =
    supplierKey === null
      ? await tx.query(endOfPart.any, { ...span, lookedAtMost })
      : await tx.query(endOfPart.ofSupplier, { ...span, lookedAtMost, supplierKey });
  return end?.leadId ?? null;
}

function isInFilter({ state, publicStatus }: LeadRow, { states, statuses }: LeadFilter): boolean {
  return (states?.includes(state) ?? true) && (statuses?.includes(publicStatus) ?? true);
}

/** Ids begin with the time at which their leads came. */
function spanOf({ from, to }: LeadFilter, before: Uuid | null): LeadSpan {
  const end = to === null ? LAST_ID : firstIdOf(to);
  return {
    beforeId: before === null || before > end ? end : before,
    fromId: from === null ? FIRST_ID : firstIdOf(from),
  };
}

function foundLead({ fields, ...row }: LeadRow): FoundLead {
  const { leadId, externalId, supplierKey, isTest, state, publicStatus, reason, score, receivedAt, erasedAt } = row;
  const fullName = fields === null ? null : (JSON.parse(fields) as LeadFields).fullName;
  assert(fullName === null || typeof fullName === 'string', 'a lead has a name');
  return {
    leadId,
    externalId,
    supplierKey,
    isTest,
    state,
    publicStatus,
    reason,
    score,
    receivedAt,
    erasedAt,
    fullName,
  };
}
