// The commands `key` and `token`: issue, list and revoke credentials (contract 2.2, 7.2).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { typeId, type Uuid, uuidOf } from '../base/ids.ts';
import { refuse } from '../base/outcome.ts';
import { textArgument, timeArgument } from '../platform/cli.ts';
import { addPageOptions, type Cursor, LIMIT_MAX, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { type Credential, type CredentialKind, idKindOf } from './credential.ts';
import { stateOf } from './credential-state.rules.ts';
import { issueCredential } from './issue-credential.ts';
import { listCredentials } from './find-credentials.ts';
import { type CredentialCliContext, refuseOwner } from './signing-secrets.cli.ts';
import { revokeCredential } from './revoke-credential.ts';

const LABEL_MAX = 100;
const EXPIRES_HELP = 'when it expires, e.g. 2027-01-31T00:00:00Z; default: never';

const kindsOf = {
  key: ['supplier_key'],
  token: ['buyer_token', 'operator_token'],
} as const satisfies Record<'key' | 'token', readonly CredentialKind[]>;

const cursorOf = (idKind: 'key' | 'token'): Cursor<Credential, Uuid> => ({
  of: (credential) => credential.id,
  read: (text) => uuidOf(idKind, text),
});
const cursors = { key: cursorOf('key'), token: cursorOf('token') };

/** The names of a kind's parts on the wire. */
const wireNames = {
  supplier_key: { owner: 'supplier', id: 'keyId', secret: 'key' },
  buyer_token: { owner: 'partner', id: 'tokenId', secret: 'token' },
  operator_token: { owner: 'operator', id: 'tokenId', secret: 'token' },
} as const satisfies Record<CredentialKind, { owner: string; id: string; secret: string }>;

type Holder = { readonly kind: 'supplier_key' | 'buyer_token'; readonly ownerKey: string };
type IssueOptions = { readonly label?: string; readonly expires?: Date };

export function registerKeyCommands(key: Command, context: CredentialCliContext): void {
  key
    .command('issue')
    .description('issue a key and show it once')
    .requiredOption('--supplier <key>', 'the supplier that it is for')
    .option('--label <text>', 'a label for your own use', textArgument(LABEL_MAX))
    .option('--expires <time>', EXPIRES_HELP, timeArgument)
    .action(({ supplier, ...options }: IssueOptions & { supplier: string }) =>
      issue(context, { kind: 'supplier_key', ownerKey: supplier }, options),
    );
  addPageOptions(key.command('list'), { cursor: cursors.key, limit: LIMIT_MAX })
    .description('list keys, newest first, including revoked and expired ones')
    .option('--supplier <key>', 'only keys of this supplier')
    .action((options: PageOptions<Uuid> & { supplier?: string }) =>
      list(context, options, { idKind: 'key', kinds: kindsOf.key, ownerKey: options.supplier ?? null }),
    );
  key
    .command('revoke <keyId>')
    .description('revoke a key permanently')
    .action((keyId: string) => revoke(context, 'key', keyId));
}

export function registerTokenCommands(token: Command, context: CredentialCliContext): void {
  token
    .command('issue')
    .description('issue a token and show it once')
    .requiredOption('--partner <key>', 'the partner that it is for')
    .option('--label <text>', 'a label for your own use', textArgument(LABEL_MAX))
    .option('--expires <time>', EXPIRES_HELP, timeArgument)
    .action(({ partner, ...options }: IssueOptions & { partner: string }) =>
      issue(context, { kind: 'buyer_token', ownerKey: partner }, options),
    );
  addPageOptions(token.command('list'), { cursor: cursors.token, limit: LIMIT_MAX })
    .description('list tokens, newest first, including revoked and expired ones')
    .option('--partner <key>', 'only tokens of this partner')
    .action((options: PageOptions<Uuid> & { partner?: string }) => {
      const ownerKey = options.partner ?? null;
      const kinds = ownerKey === null ? kindsOf.token : (['buyer_token'] as const);
      return list(context, options, { idKind: 'token', kinds, ownerKey });
    });
  token
    .command('revoke <tokenId>')
    .description('revoke a token permanently')
    .action((tokenId: string) => revoke(context, 'token', tokenId));
}

async function issue(context: CredentialCliContext, { kind, ownerKey }: Holder, options: IssueOptions): Promise<void> {
  const now = context.clock.now();
  const { label = null, expires: expiresAt = null } = options;
  if (expiresAt !== null && expiresAt <= now) {
    return context.out.refuse('expires_in_past', `${expiresAt.toISOString()} is in the past.`);
  }
  const ownerKind = kind === 'supplier_key' ? 'supplier' : 'buyer';
  const issued = await context.withDatabase((database) =>
    database.tx(async (tx) => {
      if (!(await context.ownerExists(ownerKind, ownerKey, tx))) return null;
      return issueCredential(tx, { kind, ownerKey, label, expiresAt, actor: commandLineActor }, now);
    }),
  );
  if (issued === null) return refuseOwner(context.out, { kind: ownerKind, key: ownerKey });
  const id = typeId(idKindOf(kind), issued.credentialId);
  const { owner, id: idName, secret } = wireNames[kind];
  context.out.print({
    json: { [owner]: ownerKey, [idName]: id, [secret]: issued.secret },
    text: `${issued.secret}\n\n${id} for ${owner} ${ownerKey}. Store the ${secret} now: it is never shown again.`,
  });
}

type ListFilter = {
  readonly idKind: 'key' | 'token';
  readonly kinds: readonly CredentialKind[];
  readonly ownerKey: string | null;
};

async function list(
  { withDatabase, clock, out }: CredentialCliContext,
  options: PageOptions<Uuid>,
  { idKind, kinds, ownerKey }: ListFilter,
): Promise<void> {
  await withDatabase((database) =>
    printPages(out, options, {
      cursor: cursors[idKind],
      read: (page) => listCredentials(database, { kinds, ownerKey, ...page }),
      json: ({ kind, id, owner, ...rest }) => ({ [wireNames[kind].id]: id, [wireNames[kind].owner]: owner, ...rest }),
      columns: ['Id', 'Owner', 'Label', 'Ends in', 'Created', 'Last used', 'State'],
      cells: (credential) => [
        credential.id,
        credential.kind === 'operator_token' ? `operator ${credential.owner}` : credential.owner,
        credential.label,
        credential.last4,
        credential.createdAt.toISOString(),
        credential.lastUsedAt?.toISOString() ?? 'never',
        stateOf(credential, clock.now()),
      ],
    }),
  );
}

async function revoke(context: CredentialCliContext, idKind: 'key' | 'token', id: string): Promise<void> {
  const credentialId = uuidOf(idKind, id);
  const revocation = { kinds: kindsOf[idKind], actor: commandLineActor };
  const outcome =
    credentialId === null
      ? refuse('credential_not_found')
      : await context.withDatabase((database) =>
          database.tx((tx) => revokeCredential(tx, { ...revocation, credentialId }, context.clock.now())),
        );
  if (!outcome.ok) return context.out.refuse(outcome.code, `There is no ${idKind} ${id}.`);
  const { revokedAt } = outcome.value;
  context.out.print({
    json: { [`${idKind}Id`]: id, revokedAt },
    text: `${id} has been revoked since ${revokedAt.toISOString()}.`,
  });
}
