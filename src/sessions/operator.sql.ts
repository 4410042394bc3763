// SQL on the table operator.
import { statement } from '../platform/database/database.ts';
import type { OperatorRole } from './operator.rules.ts';
import type { OperatorId } from '../base/ids.ts';

/** No row if the name or the email address is taken. */
export const insertOperator = statement<
  {
    readonly operatorId: OperatorId;
    readonly name: string;
    readonly passwordHash: string;
    readonly totpSecret: string | null;
    readonly now: Date;
    readonly role: OperatorRole;
    readonly email: string | null;
    readonly demoPasswordHash: string | null;
  },
  { operatorId: OperatorId }
>(
  'operators.insert',
  `INSERT INTO operator (operator_id, name, password, totp_secret, created_at, role, email, demo_password)
   VALUES ($operatorId, $name, $passwordHash, $totpSecret, $now, $role, $email, $demoPasswordHash)
   ON CONFLICT DO NOTHING RETURNING operator_id AS "operatorId"`,
);

export type OperatorRow = {
  readonly operatorId: OperatorId;
  readonly name: string;
  readonly password: string;
  readonly totpSecret: string | null;
  readonly disabledAt: Date | null;
  readonly role: OperatorRole;
  readonly email: string | null;
  /** Whether the password is still the one that the demo printed. */
  readonly isDemo: boolean;
};

export const selectOperator = statement<{ readonly name: string }, OperatorRow>(
  'operators.select',
  `SELECT operator_id AS "operatorId", name, password, totp_secret AS "totpSecret", disabled_at AS "disabledAt", role, email,
          coalesce(password = demo_password, false) AS "isDemo"
   FROM operator WHERE name = $name`,
);

/** Returns the row only while it still has this password, so that a sign-in with the old one fails after a change. */
export const lockOperator = statement<{ readonly operatorId: OperatorId; readonly password: string }, OperatorRow>(
  'operators.lock',
  `SELECT operator_id AS "operatorId", name, password, totp_secret AS "totpSecret", disabled_at AS "disabledAt", role, email,
          coalesce(password = demo_password, false) AS "isDemo"
   FROM operator WHERE operator_id = $operatorId AND password = $password AND disabled_at IS NULL FOR UPDATE`,
);

/** Returns no row unless the step is later than the last one. */
export const takeTotpStep = statement<{ readonly operatorId: OperatorId; readonly step: number }, { step: number }>(
  'operators.take-step',
  `UPDATE operator SET totp_last_step = $step WHERE operator_id = $operatorId AND (totp_last_step IS NULL OR totp_last_step < $step)
   RETURNING totp_last_step AS step`,
);

export const updatePassword = statement<
  { readonly name: string; readonly passwordHash: string; readonly onlyEnabled: boolean },
  { operatorId: OperatorId }
>(
  'operators.password',
  `UPDATE operator SET password = $passwordHash
   WHERE name = $name AND (disabled_at IS NULL OR NOT $onlyEnabled::boolean) RETURNING operator_id AS "operatorId"`,
);

/** `changed` is false if the operator was in that state before. */
export const updateDisabled = statement<
  { readonly name: string; readonly disabledAt: Date | null },
  { operatorId: OperatorId; changed: boolean }
>(
  'operators.disabled',
  `UPDATE operator o SET disabled_at = $disabledAt
   FROM (SELECT operator_id, disabled_at FROM operator WHERE name = $name FOR UPDATE) before
   WHERE o.operator_id = before.operator_id
   RETURNING o.operator_id AS "operatorId", (before.disabled_at IS NULL) <> (o.disabled_at IS NULL) AS changed`,
);

/** The operators with the name or the address. */
export const selectTakenOperators = statement<{ readonly name: string; readonly email: string }, { name: string }>(
  'operators.taken',
  `SELECT name FROM operator WHERE name = $name OR email = $email`,
);

/** No row if another operator has the address. `before` is the previous one. With another address no identity of before signs in. */
export const updateEmail = statement<
  { readonly name: string; readonly email: string },
  { operatorId: OperatorId; before: string | null }
>(
  'operators.email',
  `UPDATE operator o SET email = $email,
     provider_issuer = CASE WHEN o.email = $email THEN o.provider_issuer END, provider_subject = CASE WHEN o.email = $email THEN o.provider_subject END
   FROM (SELECT operator_id, email FROM operator WHERE name = $name FOR UPDATE) before
   WHERE o.operator_id = before.operator_id AND NOT EXISTS (SELECT FROM operator x WHERE x.email = $email AND x.name <> $name)
   RETURNING o.operator_id AS "operatorId", before.email AS before`,
);

/** Locks the administrators who can sign in, in one order, so that two concurrent changes cannot leave none. */
export const lockAdmins = statement<void, { name: string }>(
  'operators.lock-admins',
  `SELECT name FROM operator WHERE role = 'admin' AND disabled_at IS NULL ORDER BY operator_id FOR UPDATE`,
);

/** `before` is the previous role. */
export const updateRole = statement<{ readonly name: string; readonly role: string }, { before: OperatorRole }>(
  'operators.role',
  `UPDATE operator o SET role = $role FROM (SELECT operator_id, role FROM operator WHERE name = $name FOR UPDATE) before
   WHERE o.operator_id = before.operator_id RETURNING before.role AS before`,
);

/** No row if there is a second factor already. */
export const setPendingTotp = statement<{ readonly operatorId: OperatorId; readonly secret: string }, { name: string }>(
  'operators.pending-totp',
  `UPDATE operator SET totp_pending = $secret WHERE operator_id = $operatorId AND totp_secret IS NULL RETURNING name`,
);

export const lockPendingTotp = statement<
  { readonly operatorId: OperatorId },
  { pending: string | null; isSet: boolean }
>(
  'operators.lock-pending-totp',
  `SELECT totp_pending AS "pending", totp_secret IS NOT NULL AS "isSet" FROM operator WHERE operator_id = $operatorId FOR UPDATE`,
);

/** Also marks the step of the confirming code as used. */
export const confirmTotp = statement<{ readonly operatorId: OperatorId; readonly step: number }>(
  'operators.confirm-totp',
  `UPDATE operator SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $step WHERE operator_id = $operatorId`,
);

export const clearTotp = statement<{ readonly name: string }, { operatorId: OperatorId; changed: boolean }>(
  'operators.clear-totp',
  `UPDATE operator o SET totp_secret = NULL, totp_pending = NULL, totp_last_step = NULL
   FROM (SELECT operator_id, totp_secret FROM operator WHERE name = $name FOR UPDATE) before
   WHERE o.operator_id = before.operator_id
   RETURNING o.operator_id AS "operatorId", before.totp_secret IS NOT NULL AS changed`,
);

/** Enabled operators whose password is the one that the demo printed. */
export const selectDemoOperators = statement<void, { name: string }>(
  'operators.of-demo',
  `SELECT name FROM operator WHERE password = demo_password AND disabled_at IS NULL ORDER BY name`,
);

/** Enabled operators without a second factor. */
export const selectWithoutTotp = statement<void, { name: string }>(
  'operators.without-totp',
  `SELECT name FROM operator WHERE totp_secret IS NULL AND disabled_at IS NULL ORDER BY name LIMIT 100`,
);

export type ListedOperatorRow = {
  readonly name: string;
  readonly email: string | null;
  readonly role: OperatorRole;
  readonly secondFactor: boolean;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly openSessions: number;
  readonly lastUsedAt: Date | null;
};

/**
 * A page of $limit operators after $after; only the operator $name unless it is null. Sessions used after $lastUsedAt and not expired at
 * $now count as open.
 */
export const selectOperators = statement<
  {
    readonly now: Date;
    readonly lastUsedAt: Date;
    readonly name: string | null;
    readonly after: string;
    readonly limit: number;
  },
  ListedOperatorRow
>(
  'operators.list',
  `SELECT o.name, o.email, o.role, o.totp_secret IS NOT NULL AS "secondFactor", o.created_at AS "createdAt", o.disabled_at AS "disabledAt",
          count(s.session_id) FILTER
            (WHERE s.revoked_at IS NULL AND s.expires_at > $now AND s.last_used_at > $lastUsedAt AND o.disabled_at IS NULL) AS "openSessions",
          max(s.last_used_at) AS "lastUsedAt"
   FROM operator o LEFT JOIN session s ON s.operator_id = o.operator_id
   WHERE ($name::text IS NULL OR o.name = $name) AND o.name > $after
   GROUP BY o.operator_id ORDER BY o.name LIMIT $limit`,
);
