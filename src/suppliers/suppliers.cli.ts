// The command `supplier`: list, show, set-status (contract 7.2).
import { Argument, type Command } from 'commander';
import { stringify } from 'yaml';

import { commandLineActor } from '../audit/audit-event.ts';
import type { CliContext } from '../platform/cli.ts';
import { addPageOptions, LIMIT_MAX, nameCursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { pageSuppliers, readSuppliers } from './read-suppliers.ts';
import { setSupplierStatus } from './save-suppliers.ts';
import { supplierForm } from './supplier-form.rules.ts';
import type { SupplierConfig, SupplierStatus } from './supplier.ts';
import { supplierStatuses } from './supplier.schema.ts';

const cursor = nameCursor((supplier: SupplierConfig) => supplier.supplierKey);

export function registerSupplierCommands(supplier: Command, context: CliContext): void {
  addPageOptions(supplier.command('list'), { cursor, limit: LIMIT_MAX })
    .description('list suppliers by key')
    .action((options: PageOptions<string>) => list(context, options));
  supplier
    .command('show <key>')
    .description('show one supplier')
    .action((key: string) => show(context, key));
  supplier
    .command('set-status <key>')
    .description(
      'approve or suspend a supplier, or set it to pending, until the next "apply" sets the status in the file',
    )
    .addArgument(new Argument('<status>').choices(supplierStatuses))
    .action((key: string, status: SupplierStatus) => setStatus(context, key, status));
}

async function list({ withDatabase, out }: CliContext, options: PageOptions<string>): Promise<void> {
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => pageSuppliers(database, page),
      json: supplierForm,
      columns: ['key', 'name', 'status', 'callback', 'requests/s'],
      cells: ({ supplierKey, name, status, callback, rateLimit }) => [
        supplierKey,
        name,
        status,
        callback?.url ?? null,
        rateLimit.perSecond,
      ],
    }),
  );
}

async function show({ withDatabase, out }: CliContext, key: string): Promise<void> {
  const supplier = (await withDatabase((database) => readSuppliers(database))).get(key);
  if (supplier === undefined) return out.refuse('supplier_not_found', `There is no supplier ${key}.`);
  const form = supplierForm(supplier);
  out.print({ json: form, text: stringify(form, { lineWidth: 120 }).trimEnd() });
}

async function setStatus({ withDatabase, clock, out }: CliContext, key: string, status: SupplierStatus): Promise<void> {
  const change = { supplierKey: key, status, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => setSupplierStatus(tx, change, clock.now())));
  if (!outcome.ok) return out.refuse(outcome.code, `There is no supplier ${key}.`);
  out.print({ json: supplierForm(outcome.value), text: `${key} is ${outcome.value.status}.` });
}
