// The SQL of the proofs of consent. They are written with their leads (lead.sql.ts), so that both share a commit.
import { statement } from '../platform/database/database.ts';

const RECORD = `lead_id AS "leadId", stored_at AS "storedAt", proof`;

export const selectConsent = statement('consent.select', `SELECT ${RECORD} FROM consent_record WHERE lead_id = $1`);

/** Of erased leads; $1 and $2 are hashes or null. */
export const selectConsentsOfPerson = statement(
  'consent.of_person',
  `SELECT ${RECORD} FROM consent_record WHERE phone_hash = $1 OR email_hash = $2 ORDER BY lead_id DESC LIMIT $3`,
);

export const lockConsents = statement(
  'consent.lock',
  'SELECT lead_id AS "leadId", proof FROM consent_record WHERE lead_id = ANY($1::uuid[]) ORDER BY lead_id FOR UPDATE',
);

export const detachConsents = statement(
  'consent.detach',
  `UPDATE consent_record c SET proof = u.proof, phone_hash = u.phone_hash, email_hash = u.email_hash
   FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[]) AS u (lead_id, proof, phone_hash, email_hash)
   WHERE c.lead_id = u.lead_id`,
);

/** The oldest, as far as they come before $1: ids are in the order of time. At most $2. */
export const forgetConsents = statement(
  'consent.forget',
  `WITH old AS (SELECT lead_id FROM consent_record WHERE lead_id < $1 ORDER BY lead_id LIMIT $2),
   forgotten AS (DELETE FROM consent_record c USING old WHERE c.lead_id = old.lead_id RETURNING 1)
   SELECT count(*) AS forgotten FROM forgotten`,
);
