// The commands `mail list` and `mail show`: print the mail that a service without a mail server has kept (contract 5.3).
import type { Command } from 'commander';

import { typeId, type Uuid, uuidOf } from '../../../base/ids.ts';
import { type CliContext, textArgument } from '../../cli.ts';
import { addPageOptions, idCursor, type PageOptions, printPages } from '../../cli-pages.ts';
import { listKeptMails, readKeptMail } from './kept-mail.ts';
import type { KeptMailHead, KeptMail } from './kept-mail.sql.ts';

const ADDRESS_MAX = 254;
const cursor = idCursor('mail', (mail: KeptMailHead) => mail.mailId);

export function registerMailCommands(mail: Command, context: CliContext): void {
  addPageOptions(mail.command('list'), { cursor, limit: 50 })
    .description('list the kept mail, newest first')
    .option('--to <address>', 'only mail to this address, copies included', textArgument(ADDRESS_MAX))
    .action((options: ListOptions) => list(context, options));
  mail
    .command('show')
    .description('show the headers and the text of one mail, or all of its parts with --json')
    .argument('<mailId>', 'the id that `mail list` shows')
    .action((mailId: string) => show(context, mailId));
}

type ListOptions = PageOptions<Uuid> & { readonly to?: string };

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { to: address = null } = options;
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => listKeptMails(database, { address, ...page }),
      json: (mail) => ({ ...mail, mailId: typeId('mail', mail.mailId), at: mail.at.toISOString() }),
      columns: ['Mail', 'Kept at', 'To', 'Cc', 'Subject', 'Calendar'],
      cells: (mail) => [
        typeId('mail', mail.mailId),
        mail.at.toISOString(),
        mail.to.join(', '),
        mail.cc.join(', '),
        mail.subject,
        mail.hasCalendar ? 'yes' : '',
      ],
    }),
  );
}

async function show({ withDatabase, out }: CliContext, mailId: string): Promise<void> {
  const uuid = uuidOf('mail', mailId);
  const mail = uuid === null ? null : await withDatabase((database) => readKeptMail(database, uuid));
  if (mail === null) return out.refuse('mail_not_found', `There is no mail ${mailId}.`);
  out.print({ json: { ...mail, mailId, at: mail.at.toISOString() }, text: plainText(mail) });
}

function plainText(mail: KeptMail): string {
  const headers = [
    ['Date', mail.at.toISOString()],
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Cc', mail.cc.join(', ')],
    ['Subject', mail.subject],
    ['Message-ID', mail.messageId],
    ['Attached', mail.calendar === null ? '' : 'appointment.ics'],
  ].filter(([, value]) => value !== '');
  return [...headers.map(([name, value]) => `${name}: ${value}`), '', mail.text.trimEnd()].join('\n');
}
