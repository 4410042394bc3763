// Lists and their loads in wire form, for the command line and the APIs (contract 15.1).
import { typeId } from '../base/ids.ts';
import type { List, ListKind, ListLoad, ListUse, LoadMode } from './list.ts';

export type ListForm = {
  readonly listId: string;
  readonly key: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly use: ListUse;
  /** The partner whose list it is; null for the operator's. */
  readonly partner: string | null;
  readonly partners: readonly string[];
  readonly offers: readonly string[];
  readonly entries: number;
  readonly createdAt: string;
  readonly loadedAt: string | null;
  readonly recentLeads: number | null;
  readonly recentMatches: number | null;
};

export type LoadForm = {
  readonly loadId: number;
  readonly state: ListLoad['state'];
  readonly mode: LoadMode;
  readonly hashed: boolean;
  readonly skipInvalid: boolean;
  readonly expires: string | null;
  readonly parts: number;
  readonly entries: number;
  readonly rejected: number;
  readonly begunAt: string;
  readonly begunBy: string;
  readonly endedAt: string | null;
  readonly recentLeads: number | null;
  readonly recentMatches: number | null;
};

export function listForm(list: List): ListForm {
  const { listId, key, name, kind, use, buyerKey: partner, partners, offers, entries, createdAt, loadedAt } = list;
  return {
    ...{ listId: typeId('list', listId), key, name, kind, use, partner, partners, offers, entries },
    createdAt: createdAt.toISOString(),
    loadedAt: loadedAt?.toISOString() ?? null,
    ...{ recentLeads: list.recentLeads, recentMatches: list.recentMatches },
  };
}

export function loadForm({ expiresAt, begunAt, endedAt, ...load }: ListLoad): LoadForm {
  return {
    ...load,
    expires: expiresAt?.toISOString() ?? null,
    begunAt: begunAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** `12 of 5000 entries match leads of the last 30 days (8000 leads looked at)`. Null for a load without the figures. */
export function recentText({
  entries,
  recentLeads,
  recentMatches,
}: Pick<ListLoad, 'entries' | 'recentLeads' | 'recentMatches'>): string | null {
  if (recentLeads === null || recentMatches === null) return null;
  const found = `${recentMatches} of ${entries} entries match leads of the last 30 days (${recentLeads} leads looked at)`;
  const isStrange = recentMatches === 0 && entries > 0 && recentLeads > 0;
  return isStrange ? `${found}; if you expect some, check the form of the values or of what was hashed` : found;
}
