// Reads, lists and locks claims for partners and the operator (contract 6.3, 6.10, 7.2, 7.4).
import { strict as assert } from 'node:assert';

import { typeId, type ClaimId, type LeadId, type Uuid } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import type { ClaimKind, ClaimStatus } from '../buyers/claim-status.ts';
import { lockDelivery } from '../deliveries/return-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim, ClaimSums } from './claim.ts';
import {
  claimsOfBuyer,
  claimsOfLead,
  countClaims,
  findClaim,
  listClaimsSql,
  lockClaimSql,
  pageOfClaims,
  readClaimSql,
  readClaimsSql,
  showClaimSql,
} from './claim.sql.ts';
import { claimIdOf, claimView } from './claim-view.rules.ts';
import type { Evidence } from './gather-evidence.ts';

/** Null for an unknown claim, a claim of another partner and a claim of the other kind alike. */
export async function readClaim(
  tx: Tx,
  buyerKey: string,
  { kind, claimId }: { readonly kind: ClaimKind; readonly claimId: ClaimId },
): Promise<Claim | null> {
  const [claim] = await tx.query(readClaimSql, { buyerKey, claimId, kind });
  return claim ?? null;
}

export type ClaimQuery = {
  readonly kind: ClaimKind;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** One page of a partner's claims of a kind, newest first by filedAt, then id. Page and `total` are consistent if `tx` is a snapshot. */
export async function listClaims(
  tx: Tx,
  buyerKey: string,
  { kind, page, pageSize }: ClaimQuery,
): Promise<{ readonly total: number; readonly claims: readonly Claim[] }> {
  const [count] = await tx.query(countClaims, { buyerKey, kind });
  const total = count?.total ?? 0;
  const offset = (page - 1) * pageSize;
  // Far past the end, the offset could exceed what the database accepts.
  const claims = offset >= total ? [] : await tx.query(pageOfClaims, { buyerKey, kind, offset, pageSize });
  return { total, claims };
}

export type ClaimFilter = Pick<ClaimQuery, 'page' | 'pageSize'> & {
  /** Null for all. */
  readonly kind: ClaimKind | null;
  readonly status: ClaimStatus | null;
  readonly isOldestFirst: boolean;
};

/** Both kinds of claims, otherwise as `listClaims`. */
export async function findClaimsOfBuyer(
  tx: Tx,
  buyerKey: string,
  { kind, status, page, pageSize, isOldestFirst }: ClaimFilter,
): Promise<{ readonly total: number; readonly claims: readonly Claim[] }> {
  const { count, newest, oldest } = statementsFor({ kind, status });
  const wanted = { buyerKey, kind: kind ?? undefined, status: status ?? undefined };
  const total = (await tx.query(count, wanted))[0]?.total ?? 0;
  const offset = (page - 1) * pageSize;
  const claims =
    offset >= total ? [] : await tx.query(isOldestFirst ? oldest : newest, { ...wanted, offset, pageSize });
  return { total, claims };
}

/** The claims on all pages of `findClaimsOfBuyer`, up to `limit`, and the credits for them. */
export async function sumClaimsOfBuyer(
  tx: Tx,
  buyerKey: string,
  { kind, status, limit }: Pick<ClaimFilter, 'kind' | 'status'> & { readonly limit: number },
): Promise<ClaimSums> {
  const wanted = { buyerKey, kind: kind ?? undefined, status: status ?? undefined, limit };
  const [sums] = await tx.query(statementsFor({ kind, status }).sum, wanted);
  assert(sums !== undefined, 'a sum has always a row');
  return sums;
}

function statementsFor({ kind, status }: Pick<ClaimFilter, 'kind' | 'status'>) {
  const filter = kind === null ? (status === null ? 'any' : 'ofStatus') : status === null ? 'ofKind' : 'ofBoth';
  return claimsOfBuyer[filter];
}

/** The claims of events in a partner's feed, by claim id, as the partner sees them now. One statement. */
export async function readClaimViews(
  tx: Tx,
  buyerKey: string,
  claimIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, object>> {
  const claims = await tx.query(readClaimsSql, { buyerKey, claimIds });
  return new Map(claims.map((claim) => [claim.claimId, claimView(claim)]));
}

/** For the operator: newest first, older than `after`, at most `limit` claims that meet every condition; null is no condition. */
export async function findClaims(
  tx: Tx,
  conditions: {
    readonly status: ClaimStatus | null;
    readonly buyerKey: string | null;
    readonly after: TimePosition | null;
    readonly limit: number;
  },
): Promise<Claim[]> {
  const { status, buyerKey, after, limit } = conditions;
  const { at, id } = after ?? NEWEST;
  const part = { buyerKey, afterTime: at, afterId: id, limit };
  return status === null ? tx.query(listClaimsSql.any, part) : tx.query(listClaimsSql.ofStatus, { ...part, status });
}

/** For the operator: a claim of any partner with its evidence. */
export async function showClaim(
  tx: Tx,
  claimId: ClaimId,
): Promise<{ readonly claim: Claim; readonly evidence: Evidence | null } | null> {
  const [row] = await tx.query(showClaimSql, { claimId });
  if (row === undefined) return null;
  const { evidence, ...claim } = row;
  return { claim, evidence: JSON.parse(evidence) as Evidence | null };
}

export type ClaimOfLead = {
  /** `ret_…` or `dsp_…`. */
  readonly claimId: string;
  readonly kind: 'return' | 'dispute';
  readonly partner: string;
  readonly deliveryId: string;
  readonly reason: string;
  readonly status: ClaimStatus;
  readonly filedAt: string;
  readonly decidedAt: string | null;
  /** Null if nothing was credited. */
  readonly credit: number | null;
};

/** For the operator: the claims on all deliveries of a lead, newest first. */
export async function findClaimsOfLead(tx: Tx, leadId: LeadId): Promise<ClaimOfLead[]> {
  return (await tx.query(claimsOfLead, { leadId })).map((claim) => ({
    claimId: claimIdOf(claim),
    kind: claim.kind,
    partner: claim.buyerKey,
    deliveryId: typeId('delivery', claim.deliveryId),
    reason: claim.reason,
    status: claim.status,
    filedAt: claim.filedAt.toISOString(),
    decidedAt: claim.decidedAt?.toISOString() ?? null,
    credit: claim.creditCents === null ? null : wireAmount(claim.creditCents),
  }));
}

/**
 * Locks a claim and its delivery until the transaction ends: the delivery first, in the order of filing. `buyerKey` null is the operator,
 * who may lock every claim. Null where there is no such claim.
 */
export async function lockClaim(tx: Tx, buyerKey: string | null, claimId: ClaimId): Promise<Claim | null> {
  const [found] = await tx.query(findClaim, { claimId });
  if (found === undefined || (buyerKey !== null && found.buyerKey !== buyerKey)) return null;
  await lockDelivery(tx, found.buyerKey, found.deliveryId);
  const [claim] = await tx.query(lockClaimSql, { buyerKey: found.buyerKey, claimId });
  return claim ?? null;
}
