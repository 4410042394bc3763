// The commands `mail list` and `mail show`: mail that a service without a mail server has kept (contract 8, SMTP_URL).
import type { Command } from 'commander';

import { typeId, uuidOf } from '../../../base/ids.ts';
import { type CliContext, countArgument, textArgument } from '../../cli.ts';
import { type KeptMail, listKeptMails, readKeptMail } from './read-kept-mail.ts';

const LIMIT = 50;
const LIMIT_MAX = 1000;
const ADDRESS_MAX = 254;

export function registerMailCommands(program: Command, context: CliContext): void {
  const mail = program.command('mail').description('mail that was kept instead of sent, because no mail server is set');
  mail
    .command('list')
    .description('list the mail that was kept, the latest first')
    .option('--limit <n>', `how many at most, up to ${LIMIT_MAX}`, countArgument(1, LIMIT_MAX), LIMIT)
    .option('--to <address>', 'only mail to this address, copies included', textArgument(ADDRESS_MAX))
    .action((options: ListOptions) => list(context, options));
  mail
    .command('show')
    .description('show one: its headers and its text, with --json all of its parts')
    .argument('<mailId>', 'the id that `mail list` shows')
    .action((mailId: string) => show(context, mailId));
}

type ListOptions = { readonly limit: number; readonly to?: string };

async function list({ withDatabase, out }: CliContext, { limit, to }: ListOptions): Promise<void> {
  const mails = await withDatabase((database) => listKeptMails(database, { address: to ?? null, limit }));
  const data = mails.map((mail) => ({ ...mail, mailId: typeId('mail', mail.mailId), at: mail.at.toISOString() }));
  out.print({
    json: { data },
    text: {
      columns: ['Mail', 'Kept at', 'To', 'Cc', 'Subject', 'Calendar'],
      rows: data.map((mail) => [
        mail.mailId,
        mail.at,
        mail.to.join(', '),
        mail.cc.join(', '),
        mail.subject,
        mail.hasCalendar ? 'yes' : '',
      ]),
    },
  });
}

async function show({ withDatabase, out }: CliContext, mailId: string): Promise<void> {
  const uuid = uuidOf('mail', mailId);
  const mail = uuid === null ? null : await withDatabase((database) => readKeptMail(database, uuid));
  if (mail === null) return out.refuse('mail_not_found', `There is no mail ${mailId}.`);
  out.print({ json: { ...mail, mailId, at: mail.at.toISOString() }, text: asRead(mail) });
}

function asRead(mail: KeptMail): string {
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
