// Reads a partner's claims: one, or a page of a kind with how many there are in all (contract 6.10).
import type { ClaimId } from '../base/ids.ts';
import type { ClaimKind, ClaimStatus } from '../buyers/claim-status.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { claimsOfBuyer, countClaims, pageOfClaims, readClaimSql } from './claim.sql.ts';

/** Null for a claim of somebody else or of the other kind as for one that there is not. */
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

/** Newest first by filedAt, then id. Page and `total` belong together if `tx` is a snapshot. */
export async function listClaims(
  tx: Tx,
  buyerKey: string,
  { kind, page, pageSize }: ClaimQuery,
): Promise<{ readonly total: number; readonly claims: readonly Claim[] }> {
  const [count] = await tx.query(countClaims, { buyerKey, kind });
  const total = count?.total ?? 0;
  const offset = (page - 1) * pageSize;
  // Far beyond the end the offset could leave what the database takes.
  const claims = offset >= total ? [] : await tx.query(pageOfClaims, { buyerKey, kind, offset, pageSize });
  return { total, claims };
}

export type ClaimFilter = Pick<ClaimQuery, 'page' | 'pageSize'> & {
  /** Null for all. */
  readonly kind: ClaimKind | null;
  readonly status: ClaimStatus | null;
};

/** Of both kinds, otherwise as `listClaims`. */
export async function findClaimsOfBuyer(
  tx: Tx,
  buyerKey: string,
  { kind, status, page, pageSize }: ClaimFilter,
): Promise<{ readonly total: number; readonly claims: readonly Claim[] }> {
  const filter = kind === null ? (status === null ? 'any' : 'ofStatus') : status === null ? 'ofKind' : 'ofBoth';
  const { count, page: pageOf } = claimsOfBuyer[filter];
  const wanted = { buyerKey, kind: kind ?? undefined, status: status ?? undefined };
  const total = (await tx.query(count, wanted))[0]?.total ?? 0;
  const offset = (page - 1) * pageSize;
  const claims = offset >= total ? [] : await tx.query(pageOf, { ...wanted, offset, pageSize });
  return { total, claims };
}
