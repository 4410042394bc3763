// A user who is signed in to the portal or the console, with requests like a browser: with the cookie and from our own pages.
import { commandLineActor } from '../../src/audit/audit-event.ts';
import type { OperatorId } from '../../src/base/ids.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import type { OperatorRole } from '../../src/sessions/operator.rules.ts';
import type { SessionOwner } from '../../src/sessions/session.ts';
import { type ApiResponse, call } from './api-client.ts';

export type SignedIn = {
  /** `sid=…` or `console=…`. */
  readonly cookie: string;
  /** Paths are whole: `/portal/api/v1/buyer/leads`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>;
  /** A body is sent as JSON. */
  send(
    method: string,
    path: string,
    body?: object | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiResponse>;
};

export type SignIn = {
  buyer(buyerKey: string): Promise<SignedIn>;
  supplier(supplierKey: string): Promise<SignedIn>;
  /** An administrator called `operator` where no name is given; one of the same name is the same operator. */
  operator(name?: string, role?: OperatorRole): Promise<SignedIn>;
};

type World = { readonly url: string; readonly database: Database; readonly clock: Clock };

export function signIn(world: World): SignIn {
  const { database, clock } = world;
  const operators = new Map<string, OperatorId>();
  const open = async (owner: SessionOwner): Promise<SignedIn> => {
    const { secret } = await database.tx((tx) => openSession(tx, { owner, userAgent: 'a test' }, clock.now()));
    return asBrowser(world.url, `${owner.kind === 'operator' ? 'console' : 'sid'}=${secret}`);
  };
  const partner = async (kind: 'buyer' | 'supplier', ownerKey: string): Promise<SignedIn> => {
    const credential = kind === 'buyer' ? 'buyer_token' : 'supplier_key';
    const input = { kind: credential, ownerKey, label: null, expiresAt: null, actor: commandLineActor } as const;
    const issued = await database.tx((tx) => issueCredential(tx, input, clock.now()));
    return open({ kind, ownerKey, openedWith: issued.credentialId });
  };
  return {
    buyer: (key) => partner('buyer', key),
    supplier: (key) => partner('supplier', key),
    async operator(name = 'operator', role = 'admin') {
      const operatorId = operators.get(name) ?? (await makeOperator(database, { name, role }, clock.now()));
      operators.set(name, operatorId);
      return open({ kind: 'operator', ownerKey: name, openedWith: operatorId });
    },
  };
}

export const OPERATOR_PASSWORD = 'a password for tests';
/** The least that Argon2 allows: nothing is protected by it, and the service's own cost takes 50 ms for each operator and sign-in. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 } as const;

async function makeOperator(
  database: Database,
  { name, role }: { name: string; role: OperatorRole },
  now: Date,
): Promise<OperatorId> {
  const passwordHash = await hashPassword(OPERATOR_PASSWORD, CHEAP);
  const input = { name, role, passwordHash, totpSecret: null, actor: commandLineActor };
  const added = await database.tx((tx) => addOperator(tx, input, now));
  if (!added.ok) throw new Error(`operator ${name}: ${added.code}`);
  return added.value.operatorId;
}

/** Headers that our own pages send in addition to those of a test. */
export function asBrowser(url: string, cookie: string): SignedIn {
  const own = { cookie, 'sec-fetch-site': 'same-origin' };
  return {
    cookie,
    get: (path, headers) => call(url + path, { headers: { ...own, ...headers } }),
    send: (method, path, body, headers) =>
      call(url + path, { method, headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) }),
  };
}
