// The commands `secret set`, `list`, `remove` and `rotate-key`: named secrets for the templates of partners' webhooks (contract 13.3).
import type { Command } from 'commander';

import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import type { CliStream } from '../platform/cli-output.ts';
import { isTerminal, readPiped, readTyped, type SecretInput } from '../platform/read-secret.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import { checkSecret } from './partner-secret.rules.ts';
import { listPartnerSecrets, removePartnerSecret, resealSecrets, setPartnerSecret } from './partner-secrets.ts';
import { type CredentialCliContext, refuseOwner } from './signing-secrets.cli.ts';

export type PartnerSecretsContext = CredentialCliContext & {
  readonly secretKeys: () => SecretKeys;
  readonly stdin: SecretInput;
  /** Where a question to the operator is written. */
  readonly prompts: CliStream;
};

type OfPartner = { readonly partner: string };

export function registerPartnerSecretCommands(secret: Command, context: PartnerSecretsContext): void {
  const add = (name: string, description: string): Command =>
    secret
      .command(name)
      .description(description)
      .requiredOption('--partner <key>', 'the partner whose webhook names it');
  add('set', 'set a named secret for the templates of the webhook; its value comes from standard input')
    .argument('<name>', 'its name in templates: crm_token for {{ secret.crm_token }}')
    .action((name: string, { partner }: OfPartner) => set(context, partner, name));
  addPageOptions(add('list', 'list the names of the secrets'), { cursor: secretCursor, limit: 100 }).action(
    (options: OfPartner & PageOptions<string>) => list(context, options),
  );
  add('remove', 'remove a named secret')
    .argument('<name>', 'its name in templates')
    .action((name: string, { partner }: OfPartner) => remove(context, partner, name));
  secret
    .command('rotate-key')
    .description('seal all named secrets with a new key; safe to repeat')
    .action(() => rotateKey(context));
}

async function set(context: PartnerSecretsContext, buyerKey: string, name: string): Promise<void> {
  const { out, clock, stdin, prompts } = context;
  const value = isTerminal(stdin) ? await readTyped(stdin, prompts, `Value of ${name}: `) : await readPiped(stdin);
  if (value === null) return out.refuse('interrupted', 'Nothing was set.');
  const fault = checkSecret({ name, value });
  if (fault !== null) return out.refuse('validation_failed', `The ${fault.member} ${fault.message}.`);
  const keys = context.secretKeys();
  const outcome = await context.withDatabase((database) =>
    database.tx(async (tx) => {
      if (!(await context.ownerExists('buyer', buyerKey, tx))) return null;
      const change = { buyerKey, name, value, actor: commandLineActor, origin: noOrigin };
      return setPartnerSecret(tx, change, { keys, now: clock.now() });
    }),
  );
  if (outcome === null) return refuseOwner(out, { kind: 'buyer', key: buyerKey });
  if (!outcome.ok) return out.refuse(outcome.code, 'The partner has as many secrets as it may have.');
  const { isNew } = outcome.value;
  out.print({ json: { partner: buyerKey, name, isNew }, text: `${name} is ${isNew ? 'set' : 'replaced'}.` });
}

type ListedSecret = Awaited<ReturnType<typeof listPartnerSecrets>>[number];

const secretCursor: Cursor<ListedSecret, string> = {
  of: ({ name }) => name,
  read: (text) => (/^[a-z][a-z0-9_]{0,62}$/.test(text) ? text : null),
};

/** A partner has few secrets, so a page is cut from all of them. */
async function list(
  context: PartnerSecretsContext,
  { partner: buyerKey, ...page }: OfPartner & PageOptions<string>,
): Promise<void> {
  const { out } = context;
  const keys = context.secretKeys();
  const secrets = await context.withDatabase((database) =>
    database.tx(async (tx) =>
      (await context.ownerExists('buyer', buyerKey, tx)) ? listPartnerSecrets(tx, buyerKey, keys) : null,
    ),
  );
  if (secrets === null) return refuseOwner(out, { kind: 'buyer', key: buyerKey });
  await printPages<ListedSecret, string>(out, page, {
    cursor: secretCursor,
    read: ({ after, limit }) =>
      Promise.resolve(secrets.filter(({ name }) => after === null || name > after).slice(0, limit)),
    json: (secret) => secret,
    columns: ['Secret', 'Changed', 'Key'],
    cells: ({ name, updatedAt, isReadable }) => [name, updatedAt.toISOString(), isReadable ? 'present' : 'missing'],
    empty: 'There are no secrets.',
  });
}

async function remove(context: PartnerSecretsContext, buyerKey: string, name: string): Promise<void> {
  const { out, clock } = context;
  const change = { buyerKey, name, actor: commandLineActor, origin: noOrigin };
  const removed = await context.withDatabase((database) =>
    database.tx((tx) => removePartnerSecret(tx, change, clock.now())),
  );
  if (!removed) return out.refuse('secret_not_found', `Partner ${buyerKey} has no secret ${name}.`);
  out.print({ json: { partner: buyerKey, name }, text: `${name} is removed.` });
}

/** A rotation that was interrupted is continued with its key; only then does another run make a new one. */
async function rotateKey({ out, withDatabase, secretKeys }: PartnerSecretsContext): Promise<void> {
  const keys = secretKeys();
  const isNew = keys.file?.addKey() ?? false;
  const { resealed, unreadable } = await withDatabase((database) => database.tx((tx) => resealSecrets(tx, keys)));
  // A key that is still needed may be in none of the places that this process knows; the old ones stay until all is sealed anew.
  if (unreadable === 0) keys.file?.dropOldKeys();
  const rest = unreadable === 0 ? '' : ` ${unreadable} cannot be read: their key is missing. Set them again.`;
  const hint = keys.file === null ? ' Old keys can be removed from SECRETS_KEY.' : '';
  out.print({
    json: { resealed, unreadable, isNewKey: isNew },
    text: `Sealed ${resealed} secrets with the current key.${unreadable === 0 ? hint : rest}`,
  });
}
