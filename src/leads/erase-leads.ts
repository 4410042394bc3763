// Erases personal data of leads; supplier, status and times remain (decision 021).
import type { LeadId } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { detachConsents, lockConsents } from './consent.sql.ts';
import { maskProof } from './consent-proof.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { eraseLeadsSql, lockLeadsToEraseSql } from './lead.sql.ts';
import { hashContact } from './identity-hash.ts';
import { maskIdentity } from './mask-identity.rules.ts';
import type { LeadToErase } from './stored-lead.ts';

/** Locks leads until the transaction ends. Lock their deliveries first: failing a delivery locks its lead last, too. */
export async function lockLeadsToErase(tx: Tx, leadIds: readonly LeadId[]): Promise<LeadToErase[]> {
  return tx.query(lockLeadsToEraseSql, { leadIds });
}

/**
 * Keeps the external id of an accepted lead, so that a resubmission does not store the person again, unless the id contains personal data:
 * then it is replaced. The external id of a rejected submission is always replaced: it reserves nothing, and there are no fields to compare
 * it with. Returns the new external ids. `pepper` keys the hashes by which the consent proof can be found.
 */
export async function eraseLeads(
  tx: Tx,
  { leads, pepper }: { readonly leads: readonly LeadToErase[]; readonly pepper: Buffer },
  now: Date,
): Promise<ReadonlyMap<LeadId, string | null>> {
  const accepted = leads.flatMap(({ leadId, fields }) =>
    fields === null ? [] : [[leadId, JSON.parse(fields) as LeadFields] as const],
  );
  const contacts = new Map(accepted);
  const externalIds = new Map(
    leads.map((lead) => [lead.leadId, anonymousId(lead, contacts.get(lead.leadId))] as const),
  );
  await tx.query(eraseLeadsSql, {
    leadIds: uuidArray([...externalIds.keys()]),
    externalIds: textArray([...externalIds.values()]),
    now,
  });
  await detachProofs(tx, contacts, pepper);
  return externalIds;
}

function anonymousId({ leadId, externalId, isAccepted }: LeadToErase, identity: LeadFields | undefined): string | null {
  if (externalId === null) return null;
  const erasedId = `erased:${leadId}`;
  if (!isAccepted) return erasedId;
  if (identity === undefined) return externalId;
  return maskIdentity(externalId, identity) === externalId ? externalId : erasedId;
}

async function detachProofs(tx: Tx, contacts: ReadonlyMap<LeadId, LeadFields>, pepper: Buffer): Promise<void> {
  if (contacts.size === 0) return;
  const proofs = await tx.query(lockConsents, { leadIds: [...contacts.keys()] });
  const detached = proofs.flatMap(({ leadId, proof }) => {
    const person = contacts.get(leadId);
    if (person === undefined) return [];
    return [{ leadId, proof: maskProof(proof, person), ...hashContact(pepper, person) }];
  });
  await tx.query(detachConsents, {
    leadIds: uuidArray(detached.map(({ leadId }) => leadId)),
    proofs: textArray(detached.map(({ proof }) => proof)),
    phoneHashes: int8Array(detached.map(({ phone }) => phone)),
    emailHashes: int8Array(detached.map(({ email }) => email)),
  });
}
