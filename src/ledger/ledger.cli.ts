// The commands `ledger post` and `ledger check` (contract 7.2, 7.7).
import { type Command, InvalidArgumentError, Option } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { formatCents, parseSignedCents, wireAmount } from '../base/money.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { checkLedger } from './check-ledger.ts';
import { type HandPosting, postByHand } from './post-by-hand.ts';

export type LedgerContext = CliContext & {
  /** What `ledger check` recounts beside the ledger itself: what other slices keep about money. Each answers its faults in words. */
  readonly furtherChecks: ReadonlyArray<(tx: Tx) => Promise<readonly string[]>>;
};

type PostOptions = {
  readonly partner: string;
  readonly type: HandPosting['type'];
  readonly amount: number;
  readonly description?: string;
  readonly idempotencyKey?: string;
};

const types = ['payment', 'credit', 'adjustment'] as const satisfies ReadonlyArray<HandPosting['type']>;
/** What the partner reads where the operator says nothing. */
const descriptions = {
  payment: 'Payment',
  credit: 'Credit',
  adjustment: 'Adjustment',
} as const satisfies Record<HandPosting['type'], string>;

export function registerLedgerCommands(program: Command, context: LedgerContext): void {
  const ledger = program.command('ledger').description("the partners' money");
  const post = ledger
    .command('post')
    .description('post a payment, a credit or an adjustment')
    .requiredOption('--partner <key>', 'whose account')
    .addOption(new Option('--type <type>', 'what it is').choices(types).makeOptionMandatory())
    .requiredOption('--amount <amount>', 'e.g. 100.00; an adjustment may be negative', amountArgument)
    .option('--description <text>', 'what the partner reads about it', textArgument(200))
    .option('--idempotency-key <key>', 'posts once, however often the command is repeated with it', textArgument(255))
    .action((options: PostOptions) => {
      if (options.amount < 0 && options.type !== 'adjustment') {
        return post.error(`error: a ${options.type} cannot be negative; post an adjustment`);
      }
      return runPost(context, options);
    });
  ledger
    .command('check')
    .description('recount every entry, hold and invoice and compare with what is kept')
    .action(() => runCheck(context));
}

function amountArgument(text: string): number {
  const cents = parseSignedCents(text);
  if (cents === null || cents === 0) throw new InvalidArgumentError('It must be an amount such as 100.00, and not 0.');
  return cents;
}

async function runPost({ withDatabase, clock, out }: CliContext, options: PostOptions): Promise<void> {
  const { partner, type, amount, description = descriptions[type], idempotencyKey = null } = options;
  const posting = {
    buyerKey: partner,
    type,
    amountCents: amount,
    description,
    idempotencyKey,
    actor: commandLineActor,
  };
  const outcome = await withDatabase((database) => database.tx((tx) => postByHand(tx, posting, clock.now())));
  if (!outcome.ok) {
    const messages = {
      partner_not_found: `There is no partner ${partner}.`,
      idempotency_key_reused: 'This idempotency key has posted something else before.',
    } as const satisfies Record<typeof outcome.code, string>;
    return out.refuse(outcome.code, messages[outcome.code]);
  }
  const { transferId, createdAt, amountCents, balanceAfterCents, isNew } = outcome.value;
  const entryId = typeId('transfer', transferId);
  out.print({
    json: {
      partner,
      entryId,
      createdAt,
      type,
      amount: wireAmount(amountCents),
      balanceAfter: wireAmount(balanceAfterCents),
      description: outcome.value.description,
    },
    text: `${entryId}${isNew ? '' : ' had been posted before'}: ${formatCents(amountCents)}, balance ${formatCents(balanceAfterCents)}.`,
  });
}

async function runCheck({ withDatabase, out, furtherChecks }: LedgerContext): Promise<void> {
  out.progress('Recounting every entry…');
  const { faults, ...check } = await withDatabase((database) =>
    database.tx(
      async (tx) => {
        const ledger = await checkLedger(tx);
        const found = [...ledger.faults];
        for (const further of furtherChecks) found.push(...(await further(tx)));
        return { ...ledger, ok: found.length === 0, faults: found };
      },
      { snapshot: true },
    ),
  );
  const { ok, accounts, entries, difference } = check;
  const counted = `${accounts} accounts, ${entries} entries, difference ${difference.toFixed(2)}.`;
  out.print(
    { json: check, text: [ok ? 'The ledger is right.' : 'The ledger is wrong.', counted, ...faults].join('\n') },
    ok ? 0 : 1,
  );
}
