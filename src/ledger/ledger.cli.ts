// The commands `ledger post` and `ledger check` (contract 7.2, 7.7).
import { type Command, InvalidArgumentError, Option } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { formatCents, parseSignedCents, wireAmount } from '../base/money.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { adjustSupplier } from './adjust-suppliers.ts';
import { checkLedger } from './check-ledger.ts';
import { type HandPosting, postByHand } from './post-by-hand.ts';
import type { PostedToSupplier } from './post-supplier-transfers.ts';
import type { Posted } from './post-transfers.ts';

export type LedgerContext = CliContext & {
  /** Checks of other slices that store amounts; each returns its faults as text. `ledger check` runs them after its own. */
  readonly otherChecks: ReadonlyArray<(tx: Tx) => Promise<readonly string[]>>;
};

type PostOptions = {
  readonly partner?: string;
  readonly supplier?: string;
  readonly type: HandPosting['type'];
  readonly amount: number;
  readonly description?: string;
  readonly idempotencyKey?: string;
};

const types = ['payment', 'credit', 'adjustment'] as const satisfies ReadonlyArray<HandPosting['type']>;
/** Default descriptions, visible to the partner or supplier. */
const defaultDescriptions = {
  payment: 'Payment',
  credit: 'Credit',
  adjustment: 'Adjustment',
} as const satisfies Record<HandPosting['type'], string>;

export function registerLedgerCommands(ledger: Command, context: LedgerContext): void {
  const post = ledger
    .command('post')
    .description('post a payment, a credit or an adjustment to a partner, or an adjustment to a supplier')
    .option('--partner <key>', 'key of the partner')
    .option('--supplier <key>', 'key of the supplier; the adjustment is on its next statement')
    .addOption(new Option('--type <type>', 'type of the transfer').choices(types).makeOptionMandatory())
    .requiredOption('--amount <amount>', 'amount, e.g. 100.00; an adjustment may be negative', amountArgument)
    .option('--description <text>', 'text that the partner or supplier sees', textArgument(200))
    .option('--idempotency-key <key>', 'post once, even if the command is repeated', textArgument(255))
    .action((options: PostOptions) => {
      if (options.amount < 0 && options.type !== 'adjustment') {
        return post.error(`error: a ${options.type} cannot be negative; post an adjustment`);
      }
      const { partner, supplier, ...posting } = options;
      if (partner !== undefined && supplier === undefined) return runPost(context, { ...posting, partner });
      if (partner !== undefined || supplier === undefined) {
        return post.error('error: name either --partner or --supplier');
      }
      if (options.type !== 'adjustment') return post.error('error: to a supplier only an adjustment can be posted');
      return runAdjustment(context, { ...posting, supplier });
    });
  ledger
    .command('check')
    .description('recount every entry, hold and invoice and compare with the stored amounts')
    .action(() => runCheck(context));
}

function amountArgument(text: string): number {
  const cents = parseSignedCents(text);
  if (cents === null || cents === 0) throw new InvalidArgumentError('Enter an amount such as 100.00, other than 0.');
  return cents;
}

type Posting = Omit<PostOptions, 'partner' | 'supplier'>;

async function runPost(
  { withDatabase, clock, out }: CliContext,
  options: Posting & { readonly partner: string },
): Promise<void> {
  const { partner, type, amount, description = defaultDescriptions[type], idempotencyKey = null } = options;
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
      idempotency_key_reused: 'This idempotency key was already used for another posting.',
    } as const satisfies Record<typeof outcome.code, string>;
    return out.refuse(outcome.code, messages[outcome.code]);
  }
  out.print(postedText({ partner, type }, outcome.value));
}

async function runAdjustment(
  { withDatabase, clock, out }: CliContext,
  options: Posting & { readonly supplier: string },
): Promise<void> {
  const { supplier, amount: amountCents, description = defaultDescriptions.adjustment } = options;
  const { idempotencyKey = null } = options;
  const adjustment = { supplierKey: supplier, amountCents, description, idempotencyKey, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => adjustSupplier(tx, adjustment, clock.now())));
  if (!outcome.ok) {
    const messages = {
      supplier_not_found: `There is no supplier ${supplier}.`,
      idempotency_key_reused: 'This idempotency key was already used for another adjustment.',
    } as const satisfies Record<typeof outcome.code, string>;
    return out.refuse(outcome.code, messages[outcome.code]);
  }
  out.print(postedText({ supplier, type: 'adjustment' }, outcome.value));
}

type Whose = { readonly partner: string } | { readonly supplier: string };

function postedText(
  whose: Whose & { readonly type: string },
  posted: Posted | PostedToSupplier,
): { readonly json: object; readonly text: string } {
  const { transferId, createdAt, amountCents, balanceAfterCents, description, isNew } = posted;
  const entryId = typeId('transfer', transferId);
  const { type, ...owner } = whose;
  return {
    json: {
      ...owner,
      ...{ entryId, createdAt, type, amount: wireAmount(amountCents), balanceAfter: wireAmount(balanceAfterCents) },
      description,
    },
    text: `${entryId}${isNew ? '' : ' was already posted'}: ${formatCents(amountCents)}, balance ${formatCents(balanceAfterCents)}.`,
  };
}

async function runCheck({ withDatabase, out, otherChecks }: LedgerContext): Promise<void> {
  out.progress('Recounting every entry…');
  const { faults, ...check } = await withDatabase((database) =>
    database.tx(
      async (tx) => {
        const ledger = await checkLedger(tx);
        const found = [...ledger.faults];
        for (const otherCheck of otherChecks) found.push(...(await otherCheck(tx)));
        return { ...ledger, ok: found.length === 0, faults: found };
      },
      { snapshot: true },
    ),
  );
  const { ok, accounts, entries, difference } = check;
  const counted = `${accounts} accounts, ${entries} entries, difference ${difference.toFixed(2)}.`;
  out.print(
    {
      json: check,
      text: [ok ? 'The ledger is consistent.' : 'The ledger is inconsistent.', counted, ...faults].join('\n'),
    },
    ok ? 0 : 1,
  );
}
