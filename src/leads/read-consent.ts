// Reads the proof that a person agreed to be called: of one lead, or of a person whose leads are erased (decision 021).
import { type LeadId, typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { ConsentProof } from './consent-proof.rules.ts';
import { selectConsent, selectConsentsOfPerson } from './consent.sql.ts';
import { hashesOf } from './identity-hash.ts';
import type { ConsentRow } from './consent.sql.ts';

export type ConsentRecord = ConsentProof & {
  /** The TypeID. */
  readonly leadId: string;
  readonly storedAt: string;
};

/** One person has some; more are a test, or somebody who types the same number for all. */
const AT_MOST = 1000;

/** Null where there is none: the lead was refused, or the proof's own time is over. */
export async function readConsent(tx: Tx, leadId: LeadId): Promise<ConsentRecord | null> {
  const [row] = await tx.query(selectConsent, { leadId });
  return row === undefined ? null : recordOf(row);
}

/** Of erased leads, newest first. */
export async function consentsOfPerson(
  tx: Tx,
  { pepper, contact }: { pepper: Buffer; contact: { phone: string | null; email: string | null } },
): Promise<ConsentRecord[]> {
  const { phone, email } = hashesOf(pepper, contact);
  return (await tx.query(selectConsentsOfPerson, { phone, email, atMost: AT_MOST })).map(recordOf);
}

function recordOf({ leadId, storedAt, proof }: ConsentRow): ConsentRecord {
  return {
    leadId: typeId('lead', leadId),
    storedAt: storedAt.toISOString(),
    ...(JSON.parse(proof) as ConsentProof),
  };
}
