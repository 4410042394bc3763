// SQL on the sign-ins through an OpenID Connect provider.
import { statement } from '../platform/database/database.ts';
import type { OperatorId } from '../base/ids.ts';

type SignInRequest = {
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly returnTo: string;
};

export const insertProviderSignIn = statement<
  SignInRequest & { readonly stateHash: Buffer; readonly browserHash: Buffer; readonly expiresAt: Date }
>(
  'provider-sign-in.insert',
  `INSERT INTO provider_sign_in (state_hash, browser_hash, nonce, verifier, redirect_uri, return_to, expires_at)
   VALUES ($stateHash, $browserHash, $nonce, $verifier, $redirectUri, $returnTo, $expiresAt)`,
);

export const purgeProviderSignIns = statement<{ readonly now: Date }>(
  'provider-sign-in.purge',
  `DELETE FROM provider_sign_in WHERE expires_at <= $now`,
);

/** Returns the request once, and only to the browser that it was made for. */
export const takeProviderSignIn = statement<
  { readonly stateHash: Buffer; readonly browserHash: Buffer; readonly now: Date },
  SignInRequest
>(
  'provider-sign-in.take',
  `DELETE FROM provider_sign_in WHERE state_hash = $stateHash AND browser_hash = $browserHash AND expires_at > $now
   RETURNING nonce, verifier, redirect_uri AS "redirectUri", return_to AS "returnTo"`,
);

/** The operator that the identity was linked to, else the one with its address that is linked to no identity of this issuer. */
export const lockOperatorOfIdentity = statement<
  { readonly issuer: string; readonly subject: string; readonly email: string | null },
  {
    operatorId: OperatorId;
    name: string;
    disabledAt: Date | null;
    isLinked: boolean;
    isDemo: boolean;
  }
>(
  'provider-sign-in.lock-operator',
  `SELECT operator_id AS "operatorId", name, disabled_at AS "disabledAt",
          coalesce(provider_issuer = $issuer AND provider_subject = $subject, false) AS "isLinked",
          coalesce(password = demo_password, false) AS "isDemo"
   FROM operator
   WHERE provider_issuer = $issuer AND provider_subject = $subject OR email = $email AND provider_issuer IS DISTINCT FROM $issuer
   ORDER BY "isLinked" DESC LIMIT 1 FOR UPDATE`,
);

export const linkIdentity = statement<{
  readonly operatorId: OperatorId;
  readonly issuer: string;
  readonly subject: string;
}>(
  'provider-sign-in.link',
  `UPDATE operator SET provider_issuer = $issuer, provider_subject = $subject WHERE operator_id = $operatorId`,
);
