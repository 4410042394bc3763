// SQL on the table password_link_request.
import { statement } from '../platform/database/database.ts';

/** A request of an address that has one already changes nothing. */
export const insertLinkRequest = statement<{
  readonly email: string;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly now: Date;
  readonly dueAt: Date;
}>(
  'password-link-requests.insert',
  `INSERT INTO password_link_request (email, ip, request_id, requested_at, due_at) VALUES ($email, $ip, $requestId, $now, $dueAt)
   ON CONFLICT DO NOTHING`,
);

export type LinkRequestRow = {
  readonly email: string;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly requestedAt: Date;
};

/** Takes requests until $nextTryAt or, if that is later, for as long again as they have waited. */
export const claimLinkRequests = statement<
  { readonly now: Date; readonly nextTryAt: Date; readonly limit: number },
  LinkRequestRow
>(
  'password-link-requests.claim',
  `UPDATE password_link_request SET due_at = greatest($nextTryAt, $now + ($now - requested_at))
   WHERE email IN (SELECT email FROM password_link_request WHERE due_at <= $now ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED)
   RETURNING email, ip, request_id AS "requestId", requested_at AS "requestedAt"`,
);

export const lockLinkRequest = statement<{ readonly email: string }, { isAdmitted: boolean }>(
  'password-link-requests.lock',
  `SELECT is_admitted AS "isAdmitted" FROM password_link_request WHERE email = $email FOR UPDATE`,
);

export const admitLinkRequest = statement<{ readonly email: string }>(
  'password-link-requests.admit',
  `UPDATE password_link_request SET is_admitted = true WHERE email = $email`,
);

export const deleteLinkRequest = statement<{ readonly email: string }>(
  'password-link-requests.delete',
  `DELETE FROM password_link_request WHERE email = $email`,
);
