// Mails the links to a new password that users have requested on the sign-in page (contract 7.12; decision 078).
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { startWorkLoop, type WorkLoop } from '../platform/queue/work-loop.ts';
import { selectLinkTime } from './invitation.sql.ts';
import { recordUserEvent, type SentInvitation, writeLink } from './invitations.ts';
import {
  admitLinkRequest,
  claimLinkRequests,
  deleteLinkRequest,
  type LinkRequestRow,
  lockLinkRequest,
} from './password-link-request.sql.ts';
import { selectUserByEmail } from './portal-user.sql.ts';
import { type InvitationPost, sendInvitation } from './send-invitation.ts';
import { LINK_QUIET_MS, type PartnerKind } from './user.rules.ts';

export type PasswordLinkOptions = InvitationPost & {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  /** The name of the partner or supplier; null for one whose users cannot sign in. */
  readonly accountNameOf: (kind: PartnerKind, key: string) => string | null;
  readonly brand: () => Brand;
  readonly timeZone: () => string;
  /** Without one nothing is sent: the address that a stranger's request names may be the stranger's own. */
  readonly publicUrl: () => string | null;
  readonly onFault: (error: unknown) => void;
  /** Of the work loop. */
  readonly pollMs?: number;
};

const VALID_MS = 3_600_000;
/** Requests wake nobody: the work for an address that has an account begins at a time of its own. */
const POLL_MS = 3000;
const AT_ONCE = 10;
/** Longer than sending takes. The waits double from here: many servers take an unknown sender's mail on the second try only. */
const NEXT_TRY_MS = 60_000;
const TRIED_FOR_MS = 1_800_000;

export function startPasswordLinks(options: PasswordLinkOptions): WorkLoop {
  const { database, clock, wakeups, onFault, pollMs = POLL_MS } = options;
  return startWorkLoop({
    topic: 'callbacks',
    wakeups,
    pollMs,
    onFault,
    async round() {
      const now = clock.now();
      const nextTryAt = new Date(now.getTime() + NEXT_TRY_MS);
      const requests = await database.query(claimLinkRequests, { now, nextTryAt, limit: AT_ONCE });
      await Promise.all(requests.map((request) => handle(request, options)));
      return requests.length === AT_ONCE;
    },
  });
}

async function handle(request: LinkRequestRow, options: PasswordLinkOptions): Promise<void> {
  const { database, clock, onFault } = options;
  const { email, requestedAt } = request;
  const baseUrl = options.publicUrl();
  const link = baseUrl === null ? null : await database.tx((tx) => makeLink(tx, request, options));
  if (baseUrl !== null && link !== null) {
    const { kind, account, invitation } = link;
    const { state } = await sendInvitation(options, {
      ...{ kind, to: email, account, signsInAs: email, invitation, baseUrl, isNewPassword: true, invitedBy: null },
      ...{ brand: options.brand(), timeZone: options.timeZone() },
    });
    if (state === 'failed') {
      if (clock.now().getTime() - requestedAt.getTime() < TRIED_FOR_MS) return;
      onFault(new Error('a link to a new password could not be mailed for half an hour'));
    }
  }
  await database.query(deleteLinkRequest, { email });
}

type RequestedLink = { readonly kind: PartnerKind; readonly account: string; readonly invitation: SentInvitation };

/** Null if nothing is to be mailed. A repeated try makes a new link: only the hash of the earlier one is stored. */
async function makeLink(
  tx: Tx,
  { email, requestedAt, ip, requestId }: LinkRequestRow,
  { clock, accountNameOf }: PasswordLinkOptions,
): Promise<RequestedLink | null> {
  const [request] = await tx.query(lockLinkRequest, { email });
  // Without a lock: the link of a user who is removed meanwhile sets no password.
  const [user] = await tx.query(selectUserByEmail, { email });
  if (request === undefined || user === undefined) return null;
  const { kind, ownerKey, userId: accountId, name, roles } = user;
  const account = accountNameOf(kind, ownerKey);
  if (account === null) return null;
  // Anyone may have asked.
  const actor = { type: 'system', name: 'portal' } as const;
  const now = clock.now();
  if (!request.isAdmitted) {
    const [earlier] = await tx.query(selectLinkTime, { kind, ownerKey, email, accountId });
    if (earlier !== undefined && requestedAt.getTime() - earlier.createdAt.getTime() < LINK_QUIET_MS) return null;
    await tx.query(admitLinkRequest, { email });
    const event = { action: 'password_link_requested', target: email, changes: {} };
    await recordUserEvent(tx, { kind, ownerKey, ...event, actor, origin: { ip, requestId } }, now);
  }
  const link = { kind, ownerKey, email, name, roles, accountId, actor };
  return { kind, account, invitation: await writeLink(tx, link, { validMs: VALID_MS, now }) };
}
