// The commands `list create`, `change`, `load`, `remove`, `show` and `list` (contract 15.1).
import type { Readable } from 'node:stream';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { LIST_KEY, type KnownKeys, targetsOf } from '../lists/list-definition.rules.ts';
import { readExpiry } from '../lists/list-part.rules.ts';
import { listForm, loadForm, recentText } from '../lists/list-view.rules.ts';
import {
  type List,
  listKinds,
  type ListKind,
  type ListLoad,
  listUses,
  type ListUse,
  loadModes,
  type LoadMode,
} from '../lists/list.ts';
import { findLists, findValue, readListByName, readLoads } from '../lists/read-lists.ts';
import { changeList, createList, type ListChange, removeList, removeValues } from '../lists/save-lists.ts';
import type { Uuid } from '../base/ids.ts';
import { faultText } from '../marketplace-file/difference-text.rules.ts';
import { addPageOptions, idCursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { type Findings, newFindings } from './findings.ts';
import { importList, type ListImportRefusal } from './import-list.job.ts';
import { openInput } from './open-input.ts';

export type ListsContext = CliContext & { readonly stdin: Readable };

const NAME_MAX = 100;
const cursor = idCursor('list', ({ listId }: List) => listId);
const author = { actor: commandLineActor, origin: noOrigin };

type OwnerOption = { readonly of?: string };
type CreateOptions = OwnerOption & {
  readonly kind: ListKind;
  readonly use: ListUse;
  readonly name?: string;
  readonly partner: readonly string[];
  readonly offer: readonly string[];
};
type ChangeOptions = OwnerOption & {
  readonly name?: string;
  readonly partner: readonly string[];
  readonly offer: readonly string[];
  readonly forAll: boolean;
};
type LoadOptions = OwnerOption & {
  readonly mode: LoadMode;
  readonly hashed: boolean;
  readonly skipInvalid: boolean;
  readonly expires?: Date;
  readonly header: boolean;
  readonly columns?: readonly string[];
};

export function registerListCommands(lists: Command, context: ListsContext): void {
  const owned = (command: Command): Command =>
    command.option('--of <partner>', 'the list of this partner; by default the operator’s own');
  owned(lists.command('create <key>'))
    .description('create a list')
    .addOption(new Option('--kind <kind>', 'what it holds').choices(listKinds).makeOptionMandatory())
    .addOption(
      new Option('--use <use>', 'suppress: nobody gets the lead; exclude: partners or offers; sold: it is a duplicate')
        .choices(listUses)
        .makeOptionMandatory(),
    )
    .option('--name <text>', 'its name; by default the key', textArgument(NAME_MAX))
    .option('--partner <key>', 'for this partner; may be repeated', collected, [])
    .option('--offer <key>', 'for this offer; may be repeated', collected, [])
    .action((key: string, options: CreateOptions) => create(context, key, options));
  owned(lists.command('change <key>'))
    .description('change a list’s name, or for whom it counts')
    .option('--name <text>', 'its name', textArgument(NAME_MAX))
    .option('--partner <key>', 'for this partner, in place of those that it names; may be repeated', collected, [])
    .option('--offer <key>', 'for this offer, in place of those that it names; may be repeated', collected, [])
    .option('--for-all', 'for all partners; for lists of sold leads', false)
    .action((key: string, options: ChangeOptions) => change(context, key, options));
  owned(lists.command('load <key> <file>'))
    .description(
      'load a CSV file with a header: a column “value”, or named as the kind, and for each value or its hash a row, and if ' +
        'wanted a column “expires”; - is standard input. All entries count at once when the file is read, and after an error none',
    )
    .addOption(new Option('--mode <mode>', 'replace the entries, or add to them').choices(loadModes).default('replace'))
    .option('--hashed', 'every value is a SHA-256, or an MD5 of phones and email addresses; others are errors', false)
    .option('--expires <time>', 'when entries expire that do not say so themselves', expiryArgument)
    .option('--no-header', 'the file has no header: it has one column, or area code and number, or those of --columns')
    .option(
      '--columns <names>',
      'with --no-header: the columns in their order, such as area,number,-,expires; - is not read',
      (text) => text.split(',').map((name) => name.trim()),
    )
    .option('--skip-invalid', 'leave out rows with an error instead of loading nothing', false)
    .action((key: string, path: string, options: LoadOptions) => load(context, key, { ...options, path }));
  owned(lists.command('remove <key>'))
    .description('remove a list, or single values from it')
    .option('--value <value>', 'remove only this value or hash; may be repeated', collected, [])
    .action((key: string, options: OwnerOption & { readonly value: readonly string[] }) =>
      remove(context, key, options),
    );
  owned(lists.command('show <key>'))
    .description('show a list with its loads, or whether a value is on it')
    .option('--value <value>', 'look this value or hash up')
    .action((key: string, options: OwnerOption & { readonly value?: string }) => show(context, key, options));
  owned(addPageOptions(lists.command('list'), { cursor, limit: 100 }))
    .description('list the lists of the operator and of all partners')
    .action((options: PageOptions<Uuid> & OwnerOption) => list(context, options));
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function expiryArgument(text: string): Date {
  const at = readExpiry(text);
  if (at === null)
    throw new InvalidArgumentError('It must be a time such as 2027-11-20T15:04:05Z, or a day such as 2027-11-20.');
  return at;
}

async function readKnownKeys(tx: Tx): Promise<KnownKeys> {
  const partners = new Set((await readBuyers(tx)).keys());
  return { partners, offers: new Map((await readOffers(tx)).map(({ offerKey, buyerKey }) => [offerKey, buyerKey])) };
}

async function create({ withDatabase, clock, out }: ListsContext, key: string, options: CreateOptions): Promise<void> {
  if (!LIST_KEY.test(key)) return out.refuse('usage', 'The key must be lower-case letters, digits and hyphens.');
  const { kind, use, name = key, of: buyerKey = null, partner: partners, offer: offers } = options;
  const definition = { key, name, kind, use, buyerKey, ...targetsOf({ buyerKey, partners, offers }) };
  const created = await withDatabase((database) =>
    database.tx(async (tx) => {
      const known = await readKnownKeys(tx);
      if (buyerKey !== null && !known.partners.has(buyerKey)) return null;
      return createList(tx, { definition, known, author }, clock.now());
    }),
  );
  if (created === null) return out.refuse('unknown_partner', `There is no partner ${buyerKey}.`);
  if (!created.ok) return out.refuse(created.code, created.detail ?? 'The list cannot be created.');
  out.print({ json: listForm(created.value), text: `Created the list ${key}.` });
}

async function change(
  context: ListsContext,
  key: string,
  { of, name, partner: partners, offer: offers, forAll }: ChangeOptions,
): Promise<void> {
  const { clock, out } = context;
  const isNamed = partners.length + offers.length > 0;
  if (forAll && isNamed) return out.refuse('usage', '--for-all cannot be used with --partner or --offer.');
  if (name === undefined && !isNamed && !forAll) return out.refuse('usage', 'Nothing to change was named.');
  const wanted: ListChange = {
    ...(name === undefined ? {} : { name }),
    ...(isNamed || forAll ? { partners, offers } : {}),
  };
  const changed = await onList(context, { key, of }, (database, found) =>
    database.tx(async (tx) =>
      changeList(tx, { list: found, change: wanted, known: await readKnownKeys(tx), author }, clock.now()),
    ),
  );
  if (changed === null) return;
  if (!changed.ok) return out.refuse(changed.code, changed.detail ?? 'The list was removed.');
  out.print({ json: listForm(changed.value), text: `Changed the list ${key}.` });
}

async function load(
  context: ListsContext,
  key: string,
  { path, of, mode, hashed, skipInvalid, expires, header, columns }: LoadOptions & { readonly path: string },
): Promise<void> {
  const { clock, out, stdin } = context;
  if (header && columns !== undefined) return out.refuse('usage', '--columns is for files with --no-header.');
  const opened = await openInput(path, stdin);
  if (!opened.ok) return out.refuse('file_unreadable', `${path}: ${opened.message}`);
  const findings = newFindings();
  const positions = header ? null : (columns ?? []);
  const options = { mode, hashed, skipInvalid, expiresAt: expires ?? null };
  const loaded = await onList(context, { key, of }, (database, found) =>
    importList({
      ...{ database, clock, input: opened.input, list: found, options, positions, author, findings },
      progress: (rows) => out.progress(`${rows} rows…`),
    }),
  );
  if (loaded === null) return;
  const errors = findings.kept.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const counts = { rows: findings.rows, rejected: findings.rejected, errors, errorCount: findings.faults };
  if (loaded.ok) {
    const { entries } = loaded.value;
    const text = [
      ...errorLines(path, findings),
      `${findings.rows} rows read: ${entries} entries on the list now count.`,
      ...sentence(recentText(loaded.value)),
    ];
    return out.print({ json: { ...loadForm(loaded.value), ...counts, applied: true }, text: text.join('\n') });
  }
  const text = [...errorLines(path, findings), refusalText(loaded.code, loaded.detail), 'Nothing was loaded.'];
  out.print({ json: { error: loaded.code, ...counts, applied: false }, text: text.join('\n') }, 1);
}

function sentence(text: string | null): string[] {
  return text === null ? [] : [`${text}.`];
}

const SHOWN_MAX = 20;

function errorLines(path: string, { kept, faults }: Findings): string[] {
  if (faults === 0) return [];
  const more = faults - Math.min(kept.length, SHOWN_MAX);
  return [faultText(path, kept.slice(0, SHOWN_MAX)), ...(more === 0 ? [] : [`… and ${more} more errors`])];
}

function refusalText(code: ListImportRefusal, detail?: string): string {
  return code === 'list_has_errors' ? 'The file has errors; --skip-invalid leaves such rows out.' : (detail ?? code);
}

async function remove(
  context: ListsContext,
  key: string,
  { of, value: values }: OwnerOption & { readonly value: readonly string[] },
): Promise<void> {
  const { clock, out } = context;
  const removed = await onList(context, { key, of }, (database, found) =>
    database.tx(async (tx) => {
      if (values.length > 0) return removeValues(tx, { list: found, values, author }, clock.now());
      await removeList(tx, { list: found, author }, clock.now());
      return 'list' as const;
    }),
  );
  if (removed === null) return;
  if (removed === 'list') return out.print({ json: { removed: key }, text: `Removed the list ${key}.` });
  if (removed.invalid.length > 0) {
    const [first = 0] = removed.invalid;
    return out.refuse('value_invalid', `Value ${first + 1} does not fit the list. Nothing was removed.`);
  }
  out.print({ json: { key, values: removed.removed }, text: `${removed.removed} of ${values.length} values removed.` });
}

/** A long history of loads has old news. */
const LOADS_SHOWN = 20;

async function show(
  context: ListsContext,
  key: string,
  { of, value }: OwnerOption & { readonly value?: string },
): Promise<void> {
  const { clock, out } = context;
  const shown = await onList(context, { key, of }, (database, found) =>
    database.tx(async (tx) => ({
      list: found,
      loads: await readLoads(tx, found.listId, LOADS_SHOWN),
      sought: value === undefined ? undefined : await findValue(tx, found, value, clock.now()),
    })),
  );
  if (shown === null) return;
  const { list: found, loads, sought } = shown;
  if (sought === null) return out.refuse('value_invalid', 'The value does not fit the list.');
  if (sought !== undefined) {
    const { isListed, expiresAt } = sought;
    const until = expiresAt === null ? '' : ` until ${expiresAt.toISOString()}`;
    const json = { key, listed: isListed, expires: expiresAt?.toISOString() ?? null };
    return out.print({ json, text: isListed ? `On the list${until}.` : 'Not on the list.' });
  }
  const json = { ...listForm(found), loads: loads.map(loadForm) };
  out.print({ json, text: [...listLines(found), ...loads.map(loadLine)].join('\n') });
}

function listLines({ key, name, kind, use, buyerKey, partners, offers, entries }: List): string[] {
  return [
    `${key}  ${name}`,
    `  ${kind}, ${use}${buyerKey === null ? '' : `, list of ${buyerKey}`}`,
    ...(partners.length === 0 ? [] : [`  partners ${partners.join(', ')}`]),
    ...(offers.length === 0 ? [] : [`  offers ${offers.join(', ')}`]),
    `  ${entries} entries`,
  ];
}

function loadLine(one: ListLoad): string {
  const { loadId, state, mode, entries, rejected, begunAt, begunBy } = one;
  const recent = recentText(one);
  return `  load ${loadId}: ${state}, ${mode}, ${entries} entries, ${rejected} rejected, ${begunAt.toISOString()} by ${begunBy}${recent === null ? '' : `; ${recent}`}`;
}

async function list({ withDatabase, out }: ListsContext, options: PageOptions<Uuid> & OwnerOption): Promise<void> {
  const owner = options.of === undefined ? 'all' : { buyerKey: options.of };
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => findLists(database, { owner, ...page }),
      json: listForm,
      columns: ['key', 'of', 'kind', 'use', 'entries', 'matched', 'loaded', 'name'],
      cells: ({ key, buyerKey, kind, use, entries, recentMatches, loadedAt, name }) => [
        ...[key, buyerKey ?? '', kind, use, entries, recentMatches ?? ''],
        ...[loadedAt?.toISOString() ?? '', name],
      ],
      empty: 'No lists yet.',
    }),
  );
}

/** Null after a message that there is no such list. */
async function onList<Value>(
  { withDatabase, out }: ListsContext,
  { key, of }: { readonly key: string; readonly of: string | undefined },
  work: (database: Database, list: List) => Promise<Value>,
): Promise<Value | null> {
  return withDatabase(async (database) => {
    const found = await database.tx((tx) => readListByName(tx, key, of ?? null));
    if (found !== null) return work(database, found);
    out.refuse('list_not_found', `There is no list ${key}${of === undefined ? '' : ` of ${of}`}.`);
    return null;
  });
}
