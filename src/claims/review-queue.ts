// The operator's claim queue: a page of it, its size, and the neighbours of a claim (contract 6.10, 7.7).
import { strict as assert } from 'node:assert';

import type { ClaimKind } from '../buyers/claim-status.ts';
import { storedVertical, verticalMark } from '../leads/stored-vertical.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim, ClaimSums } from './claim.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import type { QueueOrder, QueueStatus } from './queue-status.ts';
import { nextOpen, previousOpen, queueListings } from './review-queue.sql.ts';

/** Null means no condition. */
export type QueueFilter = {
  readonly kind: ClaimKind | null;
  readonly buyerKey: string | null;
  /** Of the lead. */
  readonly verticalKey: string | null;
};

export type QueuePage = QueueFilter & {
  readonly status: QueueStatus;
  /** Null for the usual order: open claims by due time, the earliest first, all others by filing time, the latest first. */
  readonly order: QueueOrder | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** With the key of its lead's vertical. */
export type QueuedRow = Claim & { readonly vertical: string | null };

export type ClaimQueue = {
  readonly claims: readonly QueuedRow[];
  /** Exact up to `COUNTED_MAX`; one more than that means "more". */
  readonly total: number;
};

/** Claims that are not open are not ordered by due time, which no index serves: they come in the usual order. */
export async function listQueue(tx: Tx, { page, pageSize, order, ...query }: QueuePage): Promise<ClaimQueue> {
  const { status, kind, buyerKey, verticalKey } = query;
  const total = await countQueue(tx, query);
  const offset = (page - 1) * pageSize;
  if (offset >= total || offset >= COUNTED_MAX) return { total, claims: [] };
  const { any, ofPartner } = queueListings[status];
  const by = orderOf(status, order);
  const part = { kind, verticalMark: verticalMark(verticalKey), offset, pageSize };
  const rows = await (buyerKey === null
    ? tx.query(any.pages[by], part)
    : tx.query(ofPartner.pages[by], { ...part, buyerKey }));
  const claims = rows.map(({ fields, ...claim }) => ({ ...claim, vertical: storedVertical(fields) }));
  return { total, claims };
}

function orderOf(status: QueueStatus, order: QueueOrder | null): QueueOrder {
  const isOpen = status === 'open' || status === 'submitted' || status === 'under_review';
  if (isOpen) return order ?? 'due';
  return order === 'filed' ? 'filed' : '-filed';
}

export async function countQueue(
  tx: Tx,
  { status, kind, buyerKey, verticalKey }: QueueFilter & { readonly status: QueueStatus },
): Promise<number> {
  const { any, ofPartner } = queueListings[status];
  const wanted = { kind, verticalMark: verticalMark(verticalKey) };
  const [row] = await (buyerKey === null
    ? tx.query(any.count, wanted)
    : tx.query(ofPartner.count, { ...wanted, buyerKey }));
  return row?.total ?? 0;
}

/** The claims on all pages of `listQueue`, up to `limit`, and the charges for their deliveries. */
export async function sumQueue(
  tx: Tx,
  { status, kind, buyerKey, verticalKey }: QueueFilter & { readonly status: QueueStatus },
  limit: number,
): Promise<ClaimSums> {
  const { any, ofPartner } = queueListings[status];
  const wanted = { kind, verticalMark: verticalMark(verticalKey), limit };
  const [sums] = await (buyerKey === null
    ? tx.query(any.sum, wanted)
    : tx.query(ofPartner.sum, { ...wanted, buyerKey }));
  assert(sums !== undefined, 'a sum has always a row');
  return sums;
}

export type Neighbours = {
  /** TypeIDs; null at the ends of the queue. */
  readonly next: string | null;
  readonly previous: string | null;
};

/** The open claims before and after a claim; the claim itself need not be open. */
export async function neighboursOf(
  tx: Tx,
  { decisionDueAt, claimId }: Pick<Claim, 'decisionDueAt' | 'claimId'>,
  { kind, buyerKey, verticalKey }: QueueFilter,
): Promise<Neighbours> {
  const position = { decisionDueAt, claimId, kind, buyerKey, verticalMark: verticalMark(verticalKey) };
  const [next] = await tx.query(nextOpen, position);
  const [previous] = await tx.query(previousOpen, position);
  return {
    next: next === undefined ? null : claimIdOf(next),
    previous: previous === undefined ? null : claimIdOf(previous),
  };
}
