// The commands `partner list|show|set-status` and `endpoint enable` (contract 4.11, 7.2).
import { Argument, type Command } from 'commander';
import { stringify } from 'yaml';

import { commandLineActor } from '../audit/audit-event.ts';
import { addPageOptions, LIMIT_MAX, nameCursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import type { CliContext } from '../platform/cli.ts';
import { buyerForm } from './buyer-form.rules.ts';
import type { Buyer, BuyerStatus } from './buyer.ts';
import { buyerStatuses } from './partner.schema.ts';
import { pageBuyers, readBuyers } from './read-buyers.ts';
import { setBuyerStatus } from './save-buyers.ts';
import { enableEndpoint } from './set-endpoint.ts';

const cursor = nameCursor((buyer: Buyer) => buyer.buyerKey);

/** Adds `list`, `show` and `set-status` to the command `partner`, which other slices extend as well. */
export function registerPartnerCommands(partner: Command, context: CliContext): void {
  addPageOptions(partner.command('list'), { cursor, limit: LIMIT_MAX })
    .description('list partners by key')
    .action((options: PageOptions<string>) => list(context, options));
  partner
    .command('show <key>')
    .description('show one partner')
    .action((key: string) => show(context, key));
  partner
    .command('set-status <key>')
    .description('activate, pause or suspend a partner, until the next "apply" sets the status in the file')
    .addArgument(new Argument('<status>').choices(buyerStatuses))
    .action((key: string, status: BuyerStatus) => setStatus(context, key, status));
}

async function list({ withDatabase, out }: CliContext, options: PageOptions<string>): Promise<void> {
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => pageBuyers(database, page),
      json: partnerForm,
      columns: ['key', 'name', 'status', 'time zone', 'channels', 'billing'],
      cells: ({ buyerKey, name, status, timeZone, channels, billing }) => [
        buyerKey,
        name,
        status,
        timeZone,
        channels.length === 0 ? 'API only' : channels.join(', '),
        billing.mode,
      ],
    }),
  );
}

async function show({ withDatabase, out }: CliContext, key: string): Promise<void> {
  const buyer = (await withDatabase((database) => readBuyers(database))).get(key);
  if (buyer === undefined) return out.refuse('partner_not_found', `There is no partner ${key}.`);
  const form = partnerForm(buyer);
  out.print({ json: form, text: stringify(form, { lineWidth: 120 }).trimEnd() });
}

async function setStatus({ withDatabase, clock, out }: CliContext, key: string, status: BuyerStatus): Promise<void> {
  const change = { buyerKey: key, status, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => setBuyerStatus(tx, change, clock.now())));
  if (!outcome.ok) return out.refuse(outcome.code, `There is no partner ${key}.`);
  out.print({ json: partnerForm(outcome.value), text: `${key} is ${outcome.value.status}.` });
}

function partnerForm(buyer: Buyer): Record<string, unknown> {
  return { ...buyerForm(buyer), endpointDisabledAt: buyer.endpointDisabledAt?.toISOString() ?? null };
}

export function registerEndpointCommands(endpoint: Command, { withDatabase, clock, out }: CliContext): void {
  endpoint
    .command('enable')
    .description('enable a disabled endpoint again')
    .requiredOption('--partner <key>', 'the partner whose endpoint it is')
    .action(async ({ partner }: { partner: string }) => {
      const change = { buyerKey: partner, actor: commandLineActor };
      const outcome = await withDatabase((database) => database.tx((tx) => enableEndpoint(tx, change, clock.now())));
      if (!outcome.ok) return out.refuse(outcome.code, `There is no partner ${partner}.`);
      const { wasDisabled } = outcome.value;
      out.print({
        json: { partner, enabled: true, wasDisabled },
        text: wasDisabled ? `The endpoint of ${partner} is enabled.` : `The endpoint of ${partner} was not disabled.`,
      });
    });
}
