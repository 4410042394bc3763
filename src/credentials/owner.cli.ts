// How the commands of this slice ask for a supplier or buyer, which lie above it, and say that there is none.
import type { CliContext } from '../platform/cli.ts';
import type { CliOutput } from '../platform/cli-output.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SecretOwner } from './signing-secret.ts';

export type CredentialCliContext = CliContext & {
  readonly ownerExists: (kind: SecretOwner['kind'], key: string, tx: Tx) => Promise<boolean>;
};

export function refuseOwner(out: CliOutput, { kind, key }: SecretOwner): void {
  const word = kind === 'supplier' ? 'supplier' : 'partner';
  out.refuse(`${word}_not_found`, `There is no ${word} ${key}.`);
}
