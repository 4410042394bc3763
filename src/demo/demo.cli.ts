// The command `demo end` (contract 8.2).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { credentialKinds } from '../credentials/credential.ts';
import { listCredentials } from '../credentials/list-credentials.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { listOperators } from '../sessions/list-operators.ts';
import { endDemo, type EndedDemo } from './end-demo.ts';

/** More than anybody reads. */
const MOST_OPERATORS = 100;

/** What can still be signed in with. */
type Left = { readonly credentials: number; readonly operators: readonly string[] };

export function registerDemoCommands(program: Command, context: CliContext): void {
  program
    .command('demo')
    .description('the example marketplace of the first start')
    .command('end')
    .description('end the demo for good, also while the server runs: its inbox, links, operator, key and token')
    .action(() => end(context));
}

async function end({ withDatabase, clock, out }: CliContext): Promise<void> {
  const { ended, left } = await withDatabase((database) =>
    database.tx(async (tx) => {
      const now = clock.now();
      return { ended: await endDemo(tx, commandLineActor, now), left: await readLeft(tx, now) };
    }),
  );
  out.print({
    json: {
      ended: ended !== null,
      ...(ended ?? { operators: [], credentials: [], partners: [], suppliers: [] }),
      left,
    },
    text: ended === null ? 'There is no demo here to be ended.' : [...endedLines(ended), ...leftLines(left)].join('\n'),
  });
}

async function readLeft(tx: Tx, now: Date): Promise<Left> {
  const credentials = await listCredentials(tx, { kinds: credentialKinds, ownerKey: null });
  const isValid = ({ revokedAt, expiresAt }: (typeof credentials)[number]): boolean =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  const operators = await listOperators(tx, { after: null, limit: MOST_OPERATORS }, now);
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
    '  Off: its inbox, links that sign in, the exception for the inbox in the rules on addresses',
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

function leftLines({ credentials, operators }: Left): string[] {
  const others = credentials === 0 ? 'none' : `${credentials}: see "key list" and "token list"`;
  return [
    'What stays: suppliers, partners and offers with their other settings, leads, deliveries, invoices and the ledger.',
    `  Other keys and tokens that are valid: ${others}`,
    `  Operators: ${operators.length === 0 ? 'none; add yourself with "operator add NAME"' : operators.join(', ')}`,
    'To start empty instead, stop the server and give it another data directory: DEMO=off DATA_DIR=./mydata npm start',
  ];
}
