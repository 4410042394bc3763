// The command `demo end`: ends the demo and shows which access remains (contract 8.2).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { credentialKinds } from '../credentials/credential.ts';
import { listCredentials } from '../credentials/find-credentials.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { listOperators } from '../sessions/list-operators.ts';
import { endDemo, type EndedDemo } from './end-demo.ts';

/** More than a reader needs. */
const OPERATORS_MAX = 100;

/** The credentials and operators that can still sign in. */
type RemainingAccess = { readonly credentials: number; readonly operators: readonly string[] };

export function registerDemoCommands(demo: Command, context: CliContext): void {
  demo
    .command('end')
    .description('permanently end the demo, also while the server runs: its inbox, links, operator, key and token')
    .action(() => end(context));
}

async function end({ withDatabase, clock, out }: CliContext): Promise<void> {
  const { ended, left } = await withDatabase((database) =>
    database.tx(async (tx) => {
      const now = clock.now();
      return { ended: await endDemo(tx, commandLineActor, now), left: await readRemainingAccess(tx, now) };
    }),
  );
  out.print({
    json: {
      ended: ended !== null,
      ...(ended ?? { operators: [], credentials: [], partners: [], suppliers: [] }),
      left,
    },
    text: ended === null ? 'There is no demo to end.' : [...endedLines(ended), ...remainingLines(left)].join('\n'),
  });
}

async function readRemainingAccess(tx: Tx, now: Date): Promise<RemainingAccess> {
  const credentials = await listCredentials(tx, { kinds: credentialKinds, ownerKey: null });
  const isValid = ({ revokedAt, expiresAt }: (typeof credentials)[number]): boolean =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  const operators = await listOperators(tx, { after: null, limit: OPERATORS_MAX }, now);
  return {
    credentials: credentials.filter(isValid).length,
    operators: operators.filter(({ disabledAt }) => disabledAt === null).map(({ name }) => name),
  };
}

function endedLines({ operators, credentials, partners, suppliers }: EndedDemo): string[] {
  const revoked = credentials.map(({ id, owner }) => `${id} of ${owner}`);
  const line = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`  ${title}: ${items.join(', ')}`];
  return [
    'The demo has ended. Running servers notice within five seconds.',
    '  Off: its inbox, the links that sign in, the exemption of the inbox from the target rules',
    ...line('Revoked', revoked),
    ...line(
      'Disabled',
      operators.map((name) => `operator ${name}, whose password was printed`),
    ),
    ...line(
      'Webhook address cleared because it was the inbox, so nothing is sold to these partners by webhook',
      partners,
    ),
    ...line('Callback address cleared because it was the inbox', suppliers),
  ];
}

function remainingLines({ credentials, operators }: RemainingAccess): string[] {
  const others = credentials === 0 ? 'none' : `${credentials}: see "key list" and "token list"`;
  return [
    'What stays: suppliers, partners and offers with their other settings, leads, deliveries, invoices and the ledger.',
    `  Other keys and tokens that are valid: ${others}`,
    `  Operators: ${operators.length === 0 ? 'none; add yourself with "operator add NAME"' : operators.join(', ')}`,
    'To start empty instead, stop the server and give it another data directory: DEMO=off DATA_DIR=./mydata npm start',
  ];
}
