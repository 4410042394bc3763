// The commands `payouts record` and `list` (contract 7.2, 11.3).
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { formatCents, parseCents } from '../base/money.ts';
import { positionOf, positionText, type TimePosition } from '../base/time-position.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { findPayouts } from './find-payouts.ts';
import { recordPayout } from './record-payout.ts';
import { payoutForm } from './statement-view.rules.ts';
import { PAYOUT_REFERENCE_MAX, type Payout } from './statement.ts';

const cursor: Cursor<Payout, TimePosition> = {
  of: ({ recordedAt, transferId }) => positionText(recordedAt, typeId('transfer', transferId)),
  read: (text) => positionOf(['transfer'], text),
};

type RecordOptions = { readonly supplier: string; readonly amount: number; readonly reference: string };
type ListOptions = PageOptions<TimePosition> & { readonly supplier?: string };

export function registerPayoutsCommands(payouts: Command, context: CliContext): void {
  payouts
    .command('record')
    .description('record a payout that was made; once per reference, and never more than the balance')
    .requiredOption('--supplier <key>', 'key of the supplier')
    .requiredOption('--amount <amount>', 'amount paid out, e.g. 100.00', amountArgument)
    .requiredOption(
      '--reference <text>',
      'reference of the transfer, unique per supplier',
      textArgument(PAYOUT_REFERENCE_MAX),
    )
    .action((options: RecordOptions) => record(context, options));
  addPageOptions(payouts.command('list'), { cursor, limit: 100 })
    .description('list payouts, newest first')
    .option('--supplier <key>', 'only payouts to this supplier')
    .action((options: ListOptions) => list(context, options));
}

function amountArgument(text: string): number {
  const cents = parseCents(text);
  if (cents === null || cents === 0) throw new InvalidArgumentError('Enter an amount above 0, such as 100.00.');
  return cents;
}

async function record({ withDatabase, clock, out }: CliContext, options: RecordOptions): Promise<void> {
  const { supplier: supplierKey, amount: amountCents, reference } = options;
  const input = { supplierKey, amountCents, reference, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => recordPayout(tx, input, clock.now())));
  if (!outcome.ok) return out.refuse(outcome.code, outcome.detail ?? `There is no supplier ${supplierKey}.`);
  const { isNew, balanceAfterCents } = outcome.value;
  const done = isNew ? 'recorded' : 'already recorded';
  out.print({
    json: payoutForm(outcome.value),
    text: `Payout ${reference} to ${supplierKey} ${done}: ${formatCents(amountCents)}, balance ${formatCents(balanceAfterCents)}.`,
  });
}

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { supplier: supplierKey = null } = options;
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => findPayouts(database, { supplierKey, ...page }),
      json: payoutForm,
      columns: ['payout', 'supplier', 'reference', 'amount', 'balance after', 'recorded'],
      cells: (payout) => [
        typeId('transfer', payout.transferId),
        payout.supplierKey,
        payout.reference,
        formatCents(payout.amountCents),
        formatCents(payout.balanceAfterCents),
        payout.recordedAt.toISOString(),
      ],
      empty: 'No payouts yet.',
    }),
  );
}
