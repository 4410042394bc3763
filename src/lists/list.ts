// The types of lists: named sets of contacts, domains or zip codes, and what follows when a lead is on one (contract 15).
import type { ListId } from '../base/ids.ts';

export const listKinds = ['phone', 'email', 'domain', 'zip'] as const;
export type ListKind = (typeof listKinds)[number];

/** `suppress`: nobody gets the lead. `exclude`: some partners or offers do not get it. `sold`: it counts as sold before. */
export const listUses = ['suppress', 'exclude', 'sold'] as const;
export type ListUse = (typeof listUses)[number];

/** `replace`: the list then has these entries only. `add`: they come to those that it has. */
export const loadModes = ['replace', 'add'] as const;
export type LoadMode = (typeof loadModes)[number];

export type ListDefinition = {
  /** Unique among the lists of one owner. */
  readonly key: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly use: ListUse;
  /** The partner whose list it is; null for the operator's. */
  readonly buyerKey: string | null;
  /** Keys of the partners for which it counts. A list for `sold` without any counts for all. */
  readonly partners: readonly string[];
  /** Keys of the offers for which it counts. */
  readonly offers: readonly string[];
};

export type List = ListDefinition & {
  readonly listId: ListId;
  /** Different values of its current loads. Two loads that were under way at the same time may count a value twice. */
  readonly entries: number;
  readonly createdAt: Date;
  /** When its entries last changed by a load; null before the first. */
  readonly loadedAt: Date | null;
  /** Of its newest current load. */
  readonly recentLeads: number | null;
  readonly recentMatches: number | null;
};

export type LoadOptions = {
  readonly mode: LoadMode;
  /** Whether every value must be a SHA-256 in hexadecimal digits; otherwise a value may be either. */
  readonly hashed: boolean;
  /** Whether values with an error are left out; otherwise one of them rejects its part. */
  readonly skipInvalid: boolean;
  /** When entries expire that do not say so themselves; null for never. */
  readonly expiresAt: Date | null;
};

/** `loading` until all parts have come, then `current` until another replaces it. */
export type ListLoad = LoadOptions & {
  readonly loadId: number;
  readonly state: 'loading' | 'current' | 'discarded';
  readonly parts: number;
  /** Different values. */
  readonly entries: number;
  /** Values with an error, which were left out. */
  readonly rejected: number;
  readonly begunAt: Date;
  readonly begunBy: string;
  readonly endedAt: Date | null;
  /** How many leads of the last 30 days it was compared with, and how many of its entries matched one; null before its end. */
  readonly recentLeads: number | null;
  readonly recentMatches: number | null;
};

export type RecentMatches = { readonly leads: number; readonly entries: number };

export type NewEntry = { readonly hash: ListHash; readonly expiresAt: Date | null };

/** The first 64 bits of the SHA-256 of a value, as decimal text, as the driver passes a `bigint`. */
export type ListHash = string;

/** Entries of all loads of a list together, so that one list cannot fill the disk. */
export const ENTRIES_MAX = 50_000_000;
/** The same for a list of a partner, and how many lists it can have. */
export const PARTNER_ENTRIES_MAX = 10_000_000;
export const PARTNER_LISTS_MAX = 20;
/** Rows of all lists of a partner, whatever state their loads are in: some 5 GB with the index. */
export const PARTNER_STORED_MAX = 50_000_000;
