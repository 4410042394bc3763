// Finds claims for the operator: a list, or one with its evidence (contract 7.2, 7.4).
import type { ClaimId } from '../base/ids.ts';
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import type { ClaimStatus } from '../buyers/claim-status.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { listClaimsSql, showClaimSql } from './claim.sql.ts';
import type { Evidence } from './gather-evidence.ts';

/** Newest first from behind `after`, at most `limit` of those that meet every condition given; null is no condition. */
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

export async function showClaim(
  tx: Tx,
  claimId: ClaimId,
): Promise<{ readonly claim: Claim; readonly evidence: Evidence | null } | null> {
  const [row] = await tx.query(showClaimSql, { claimId });
  if (row === undefined) return null;
  const { evidence, ...claim } = row;
  return { claim, evidence: JSON.parse(evidence) as Evidence | null };
}
