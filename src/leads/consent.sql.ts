// SQL statements for consent proofs, which are inserted together with their leads (lead.sql.ts) in one commit.
import { statement } from '../platform/database/database.ts';
import type { LeadId, Uuid } from '../base/ids.ts';

const RECORD = `lead_id AS "leadId", stored_at AS "storedAt", proof`;

export type ConsentRow = { leadId: LeadId; storedAt: Date; proof: string };

export const selectConsent = statement<{ readonly leadId: LeadId }, ConsentRow>(
  'consent.select',
  `SELECT ${RECORD} FROM consent_record WHERE lead_id = $leadId`,
);

/** Proofs of erased leads; $phone and $email are hashes or null. */
export const selectContactConsents = statement<
  { readonly phone: string | null; readonly email: string | null; readonly atMost: number },
  ConsentRow
>(
  'consent.of_person',
  `SELECT ${RECORD} FROM consent_record WHERE phone_hash = $phone OR email_hash = $email ORDER BY lead_id DESC LIMIT $atMost`,
);

export const lockConsents = statement<{ readonly leadIds: readonly LeadId[] }, { leadId: LeadId; proof: string }>(
  'consent.lock',
  'SELECT lead_id AS "leadId", proof FROM consent_record WHERE lead_id = ANY($leadIds::uuid[]) ORDER BY lead_id FOR UPDATE',
);

export const detachConsents = statement<{
  readonly leadIds: Buffer;
  readonly proofs: Buffer;
  readonly phoneHashes: Buffer;
  readonly emailHashes: Buffer;
}>(
  'consent.detach',
  `UPDATE consent_record c SET proof = u.proof, phone_hash = u.phone_hash, email_hash = u.email_hash
   FROM unnest($leadIds::uuid[], $proofs::text[], $phoneHashes::bigint[], $emailHashes::bigint[]) AS u (lead_id, proof, phone_hash, email_hash)
   WHERE c.lead_id = u.lead_id`,
);

/** Deletes at most $atOnce of the oldest proofs before $endId; ids are ordered by time. */
export const deleteConsentsSql = statement<{ readonly endId: Uuid; readonly atOnce: number }, { purged: number }>(
  'consent.purge',
  `WITH old AS (SELECT lead_id FROM consent_record WHERE lead_id < $endId ORDER BY lead_id LIMIT $atOnce),
   purged AS (DELETE FROM consent_record c USING old WHERE c.lead_id = old.lead_id RETURNING 1)
   SELECT count(*) AS purged FROM purged`,
);
