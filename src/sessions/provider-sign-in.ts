// Signs an operator in through an OpenID Connect provider: sends the browser there, and opens the session for the identity that it brings
// back (contract 7.12; decision 085).
import { hash, randomBytes } from 'node:crypto';

import { appendAudit } from '../audit/append-audit.ts';
import type { AuditOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Identity, SignInProof } from '../platform/outbound/openid-provider.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import {
  insertProviderSignIn,
  linkIdentity,
  lockOperatorOfIdentity,
  purgeProviderSignIns,
  takeProviderSignIn,
} from './provider-sign-in.sql.ts';

/** Long enough for a password and a second factor at the provider. */
export const SIGN_IN_WITHIN_MS = 600_000;

export type ProviderSignIn = {
  /** For the address of the provider. */
  readonly state: string;
  /** For a cookie of the browser: only that browser can finish the sign-in. */
  readonly browser: string;
  readonly proof: SignInProof;
};

type Wanted = { readonly redirectUri: string; readonly returnTo: string };

export function newProviderSignIn(redirectUri: string): ProviderSignIn {
  const random = (): string => randomBytes(32).toString('base64url');
  return { state: random(), browser: random(), proof: { nonce: random(), verifier: random(), redirectUri } };
}

export async function storeProviderSignIn(
  tx: Tx,
  { state, browser, proof, returnTo }: ProviderSignIn & Pick<Wanted, 'returnTo'>,
  now: Date,
): Promise<void> {
  await tx.query(purgeProviderSignIns, { now });
  const expiresAt = new Date(now.getTime() + SIGN_IN_WITHIN_MS);
  const hashes = { stateHash: hashed(state), browserHash: hashed(browser) };
  await tx.query(insertProviderSignIn, { ...hashes, ...proof, returnTo, expiresAt });
}

/** Null for a sign-in that was not begun in this browser, is over, or came back before. */
export async function takeSignIn(
  tx: Tx,
  { state, browser }: Pick<ProviderSignIn, 'state' | 'browser'>,
  now: Date,
): Promise<{ readonly proof: SignInProof; readonly returnTo: string } | null> {
  const [row] = await tx.query(takeProviderSignIn, { stateHash: hashed(state), browserHash: hashed(browser), now });
  if (row === undefined) return null;
  const { returnTo, ...proof } = row;
  return { proof, returnTo };
}

export type IdentifiedOperator = {
  readonly identity: Identity;
  /** The demo's operator signs in only in the demo. */
  readonly isDemo: boolean;
  readonly userAgent: string;
  readonly origin: AuditOrigin;
};

/**
 * An operator with the verified address of the identity must exist already; the first sign-in links them, and from then on only this
 * account of the provider signs in as the operator, whatever its address. Role and state stay the operator's.
 */
export async function admitIdentity(
  tx: Tx,
  { identity, isDemo, userAgent, origin }: IdentifiedOperator,
  now: Date,
): Promise<Outcome<OpenedSession, 'operator_not_found'>> {
  const [operator] = await tx.query(lockOperatorOfIdentity, identity);
  if (operator === undefined || operator.disabledAt !== null) return refuse('operator_not_found');
  if (operator.isDemo && !isDemo) return refuse('operator_not_found');
  const { operatorId, name } = operator;
  if (!operator.isLinked) {
    const { issuer, subject } = identity;
    await tx.query(linkIdentity, { operatorId, issuer, subject });
    const changes = { identity: { from: null, to: `${subject} at ${issuer}` } };
    await appendAudit(tx, [
      {
        ...{ at: now, actor: { type: 'operator', name }, buyerKey: null, supplierKey: null },
        ...{ action: 'operator.identity_linked', target: name, changes },
        ...origin,
      },
    ]);
  }
  const owner = { kind: 'operator', ownerKey: name, openedWith: operatorId } as const;
  return done(await openSession(tx, { owner, userAgent, origin }, now));
}

function hashed(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
