// Reads consent proofs, by lead or by contact (decision 021).
import { typeId, type LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { ConsentProof } from './consent-proof.rules.ts';
import { selectConsent, selectContactConsents, type ConsentRow } from './consent.sql.ts';
import { hashContact } from './identity-hash.ts';

export type ConsentRecord = ConsentProof & {
  /** As TypeID. */
  readonly leadId: string;
  readonly storedAt: string;
};

/** A person has a few; more are tests, or a number used for many people. */
const AT_MOST = 1000;

/** Null if the lead was rejected or its proof has expired. */
export async function readConsent(tx: Tx, leadId: LeadId): Promise<ConsentRecord | null> {
  const [row] = await tx.query(selectConsent, { leadId });
  return row === undefined ? null : recordOf(row);
}

/** Proofs of erased leads, newest first. */
export async function readContactConsents(
  tx: Tx,
  { pepper, contact }: { pepper: Buffer; contact: { phone: string | null; email: string | null } },
): Promise<ConsentRecord[]> {
  const { phone, email } = hashContact(pepper, contact);
  return (await tx.query(selectContactConsents, { phone, email, atMost: AT_MOST })).map(recordOf);
}

function recordOf({ leadId, storedAt, proof }: ConsentRow): ConsentRecord {
  return {
    leadId: typeId('lead', leadId),
    storedAt: storedAt.toISOString(),
    ...(JSON.parse(proof) as ConsentProof),
  };
}
