// The commands `operator-token issue|list|revoke`: tokens for the operator's HTTP API (contract 7.2, 10).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { typeId, type Uuid, uuidOf } from '../base/ids.ts';
import { refuse } from '../base/outcome.ts';
import { type CliContext, textArgument, timeArgument } from '../platform/cli.ts';
import { addPageOptions, type Cursor, LIMIT_MAX, type PageOptions, printPages } from '../platform/cli-pages.ts';
import type { Credential } from './credential.ts';
import { stateOf } from './credential-state.rules.ts';
import { listCredentials } from './find-credentials.ts';
import { issueCredential } from './issue-credential.ts';
import { isTokenName, operatorScopes, readScopes } from './operator-scopes.rules.ts';
import { revokeCredential } from './revoke-credential.ts';

const LABEL_MAX = 100;
const KINDS = ['operator_token'] as const;
const cursor: Cursor<Credential, Uuid> = { of: ({ id }) => id, read: (text) => uuidOf('token', text) };

type IssueOptions = {
  readonly name: string;
  readonly scopes: string;
  readonly label?: string;
  readonly expires?: Date;
};

export function registerOperatorTokenCommands(token: Command, context: CliContext): void {
  token
    .command('issue')
    .description('issue a token and show it once')
    .requiredOption('--name <name>', 'the program that it is for; the audit log names it with each change')
    .requiredOption('--scopes <list>', `what it may do: ${operatorScopes.join(', ')}, separated by commas`)
    .option('--label <text>', 'a label for your own use', textArgument(LABEL_MAX))
    .option('--expires <time>', 'when it expires, e.g. 2027-01-31T00:00:00Z; default: never', timeArgument)
    .action((options: IssueOptions) => issue(context, options));
  addPageOptions(token.command('list'), { cursor, limit: LIMIT_MAX })
    .description('list tokens, newest first, including revoked and expired ones')
    .action((options: PageOptions<Uuid>) => list(context, options));
  token
    .command('revoke <tokenId>')
    .description('revoke a token permanently')
    .action((tokenId: string) => revoke(context, tokenId));
}

async function issue({ withDatabase, clock, out }: CliContext, options: IssueOptions): Promise<void> {
  const now = clock.now();
  const { name, label = null, expires: expiresAt = null } = options;
  const scopes = readScopes(options.scopes.split(',').map((scope) => scope.trim()));
  if (!isTokenName(name))
    return out.refuse('invalid_name', 'The name has small letters, digits, dots, dashes and underscores only.');
  if (scopes === null) return out.refuse('unknown_scope', `The scopes are ${operatorScopes.join(', ')}.`);
  if (expiresAt !== null && expiresAt <= now)
    return out.refuse('expires_in_past', `${expiresAt.toISOString()} is in the past.`);
  const made = { kind: 'operator_token', ownerKey: name, label, scopes, expiresAt, actor: commandLineActor } as const;
  const issued = await withDatabase((database) => database.tx((tx) => issueCredential(tx, made, now)));
  const id = typeId('token', issued.credentialId);
  out.print({
    json: { operator: name, tokenId: id, scopes, token: issued.secret },
    text: `${issued.secret}\n\n${id} for ${name} may ${scopes.join(', ')}. Store the token now: it is never shown again.`,
  });
}

async function list({ withDatabase, clock, out }: CliContext, options: PageOptions<Uuid>): Promise<void> {
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => listCredentials(database, { kinds: KINDS, ownerKey: null, ...page }),
      json: ({ kind: _kind, id, owner, ...rest }) => ({ tokenId: id, operator: owner, ...rest }),
      columns: ['Id', 'Name', 'Scopes', 'Label', 'Ends in', 'Created', 'Last used', 'State'],
      cells: (token) => [
        token.id,
        token.owner,
        (token.scopes ?? []).join(', '),
        token.label,
        token.last4,
        token.createdAt.toISOString(),
        token.lastUsedAt?.toISOString() ?? 'never',
        stateOf(token, clock.now()),
      ],
      empty: 'No token has been issued.',
    }),
  );
}

async function revoke({ withDatabase, clock, out }: CliContext, id: string): Promise<void> {
  const credentialId = uuidOf('token', id);
  const outcome =
    credentialId === null
      ? refuse('credential_not_found')
      : await withDatabase((database) =>
          database.tx((tx) =>
            revokeCredential(tx, { kinds: KINDS, credentialId, actor: commandLineActor }, clock.now()),
          ),
        );
  if (!outcome.ok) return out.refuse(outcome.code, `There is no operator's token ${id}.`);
  const { revokedAt } = outcome.value;
  out.print({ json: { tokenId: id, revokedAt }, text: `${id} has been revoked since ${revokedAt.toISOString()}.` });
}
