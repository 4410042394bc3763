// The claims behind events of a partner's feed, as the partner sees them now (contract 5.1, 6.3).
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { readClaimsSql } from './claim.sql.ts';
import { claimView } from './claim-view.rules.ts';

/** By claim id; one statement. */
export async function reviewsOf(
  tx: Tx,
  buyerKey: string,
  claimIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, object>> {
  const claims = await tx.query(readClaimsSql, { buyerKey, claimIds });
  return new Map(claims.map((claim) => [claim.claimId, claimView(claim)]));
}
