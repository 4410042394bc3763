// Takes the person out of leads: what is left says that there was a lead, from whom, and how it ended (decision 021).
import type { LeadId } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { detachConsents, lockConsents } from './consent.sql.ts';
import { proofWithoutPerson } from './consent-proof.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { eraseLeadsSql, lockLeadsToErase, withdrawLeadsSql } from './lead.sql.ts';
import { hashesOf } from './identity-hash.ts';
import { withoutPerson } from './person-mask.rules.ts';
import type { LeadToErase } from './stored-lead.ts';

/** Takes them out of the routing inbox, waiting for whoever is deciding on them. */
export async function withdrawLeadsToErase(tx: Tx, leadIds: readonly LeadId[]): Promise<void> {
  await tx.query(withdrawLeadsSql, { leadIds });
}

/** Nobody else changes them until the transaction ends. After their deliveries: whoever fails one locks its lead last, too. */
export async function lockToErase(tx: Tx, leadIds: readonly LeadId[]): Promise<LeadToErase[]> {
  return tx.query(lockLeadsToErase, { leadIds });
}

/**
 * The external id of an accepted lead stays, so that what is sent again does not bring the person back; where it names the person, another
 * takes its place. A refused submission keeps no id of its supplier's: it occupies none, and there are no fields to compare it with.
 * Answers the external ids as they are now. `pepper` keys the hashes under which the proof of consent is found again.
 */
export async function eraseLeads(
  tx: Tx,
  { leads, pepper }: { readonly leads: readonly LeadToErase[]; readonly pepper: Buffer },
  now: Date,
): Promise<ReadonlyMap<LeadId, string | null>> {
  const known = leads.flatMap(({ leadId, fields }) =>
    fields === null ? [] : [[leadId, JSON.parse(fields) as LeadFields] as const],
  );
  const contacts = new Map(known);
  const externalIds = new Map(leads.map((lead) => [lead.leadId, namelessId(lead, contacts.get(lead.leadId))] as const));
  await tx.query(eraseLeadsSql, {
    leadIds: uuidArray([...externalIds.keys()]),
    externalIds: textArray([...externalIds.values()]),
    now,
  });
  await detachProofs(tx, contacts, pepper);
  return externalIds;
}

function namelessId({ leadId, externalId, isAccepted }: LeadToErase, person: LeadFields | undefined): string | null {
  if (externalId === null) return null;
  const erasedId = `erased:${leadId}`;
  if (!isAccepted) return erasedId;
  if (person === undefined) return externalId;
  return withoutPerson(externalId, person) === externalId ? externalId : erasedId;
}

async function detachProofs(tx: Tx, contacts: ReadonlyMap<LeadId, LeadFields>, pepper: Buffer): Promise<void> {
  if (contacts.size === 0) return;
  const proofs = await tx.query(lockConsents, { leadIds: [...contacts.keys()] });
  const detached = proofs.flatMap(({ leadId, proof }) => {
    const person = contacts.get(leadId);
    if (person === undefined) return [];
    return [{ leadId, proof: proofWithoutPerson(proof, person), ...hashesOf(pepper, person) }];
  });
  await tx.query(detachConsents, {
    leadIds: uuidArray(detached.map(({ leadId }) => leadId)),
    proofs: textArray(detached.map(({ proof }) => proof)),
    phoneHashes: int8Array(detached.map(({ phone }) => phone)),
    emailHashes: int8Array(detached.map(({ email }) => email)),
  });
}
