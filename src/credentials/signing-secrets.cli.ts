// The commands `secret show` and `secret rotate`, and what they share with `key` and `token` (contract 5.9, 7.2).
import type { Command } from 'commander';

import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import type { CliOutput } from '../platform/cli-output.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { rotateSigningSecret, showSigningSecret, type SigningSecrets } from './signing-secrets.ts';
import type { SecretOwner } from './credential.ts';

type Work = (tx: Tx, owner: SecretOwner, now: Date) => Promise<SigningSecrets>;

export function registerSecretCommands(secret: Command, context: CredentialCliContext): void {
  const add = (name: string, description: string, work: Work): void => {
    const command = secret
      .command(name)
      .description(description)
      .option('--partner <key>', 'the partner whose secret it is')
      .option('--supplier <key>', 'the supplier whose secret it is')
      .option('--operator', 'the secret of notices to operators')
      .action((given: Owners) => {
        const owner = ownerOf(given);
        return owner === null
          ? command.error('error: give one of --partner, --supplier and --operator')
          : run(context, owner, work);
      });
  };
  add('show', 'show the secret, and the previous one while both sign; recorded in the audit log', (tx, owner, now) =>
    showSigningSecret(tx, { owner, actor: commandLineActor, origin: noOrigin, isOwn: false }, now),
  );
  add('rotate', 'replace the secret; the old one also signs for 24 h', (tx, owner, now) =>
    rotateSigningSecret(tx, { owner, actor: commandLineActor }, now),
  );
}

type Owners = { readonly partner?: string; readonly supplier?: string; readonly operator?: true };

function ownerOf({ partner, supplier, operator }: Owners): SecretOwner | null {
  if ([partner, supplier, operator].filter((given) => given !== undefined).length !== 1) return null;
  if (operator === true) return { kind: 'operator', key: 'operator' };
  if (partner !== undefined) return { kind: 'buyer', key: partner };
  return supplier === undefined ? null : { kind: 'supplier', key: supplier };
}

async function run(context: CredentialCliContext, owner: SecretOwner, work: Work): Promise<void> {
  const secrets = await context.withDatabase((database) =>
    database.tx(async (tx) =>
      owner.kind === 'operator' || (await context.ownerExists(owner.kind, owner.key, tx))
        ? work(tx, owner, context.clock.now())
        : null,
    ),
  );
  if (secrets === null) return refuseOwner(context.out, owner);
  const { secret, previous } = secrets;
  const before = previous === null ? '' : `\nUntil ${previous.validUntil.toISOString()} also ${previous.secret}`;
  context.out.print({ json: { owner: owner.key, secret, previous }, text: `${secret}${before}` });
}

export type CredentialCliContext = CliContext & {
  readonly ownerExists: (kind: Exclude<SecretOwner['kind'], 'operator'>, key: string, tx: Tx) => Promise<boolean>;
};

export function refuseOwner(out: CliOutput, { kind, key }: SecretOwner): void {
  const word = kind === 'supplier' ? 'supplier' : 'partner';
  out.refuse(`${word}_not_found`, `There is no ${word} ${key}.`);
}
