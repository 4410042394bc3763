// The commands `notices list` and `notices test` (contract 7.2, 12.3).
import { type Command, Option } from 'commander';

import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { typeId, uuidOf, type Uuid } from '../base/ids.ts';
import type { CliContext } from '../platform/cli.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { findNotices, sendTestNotice } from './list-notices.ts';
import { noticeStates } from './notice-list.schema.ts';
import type { NoticeRow } from './notice.sql.ts';
import type { RecipientKey } from './notice-settings.ts';

const cursor: Cursor<NoticeRow, Uuid> = {
  of: ({ noticeId }) => typeId('notice', noticeId),
  read: (text) => uuidOf('notice', text),
};

type ListOptions = PageOptions<Uuid> & {
  readonly partner?: string;
  readonly supplier?: string;
  readonly operators?: true;
  readonly kind?: string;
  readonly state?: string;
};

export function registerNoticesCommands(notices: Command, context: CliContext): void {
  addPageOptions(notices.command('list'), { cursor, limit: 100 })
    .description('list notices with the state of their messages, newest first')
    .option('--partner <key>', 'only notices to this partner')
    .option('--supplier <key>', 'only notices to this supplier')
    .option('--operators', 'only notices to the operators')
    .option('--kind <kind>', 'only notices of this kind')
    .addOption(new Option('--state <state>', 'only notices in this state').choices([...noticeStates]))
    .action((options: ListOptions) => list(context, options));
  notices
    .command('test')
    .description('send a test notice to each channel of the operators')
    .action(() => test(context));
}

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { kind = null, state = null } = options;
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: ({ after, limit }) =>
        findNotices(database, recipientOf(options), { kind, state, before: after ?? null, limit }),
      json: ({ noticeId, raisedAt, ...notice }) => ({
        id: typeId('notice', noticeId),
        raisedAt: raisedAt.toISOString(),
        ...notice,
      }),
      columns: ['id', 'kind', 'to', 'state', 'messages', 'raised'],
      cells: (notice) => [
        typeId('notice', notice.noticeId),
        notice.kind,
        [notice.recipientKind, notice.recipientKey].filter((part) => part !== '').join(' '),
        notice.state,
        notice.sends.map(({ channel, state: sent }) => `${channel} ${sent}`).join(', '),
        notice.raisedAt.toISOString(),
      ],
    }),
  );
}

function recipientOf({ partner, supplier, operators }: ListOptions): RecipientKey | null {
  if (partner !== undefined) return { recipientKind: 'buyer', recipientKey: partner };
  if (supplier !== undefined) return { recipientKind: 'supplier', recipientKey: supplier };
  return operators === true ? { recipientKind: 'operator', recipientKey: '' } : null;
}

async function test({ withDatabase, clock, out }: CliContext): Promise<void> {
  const author = { actor: commandLineActor, origin: noOrigin };
  await withDatabase((database) => database.tx((tx) => sendTestNotice(tx, author, clock.now())));
  out.print({
    json: { queued: true },
    text: 'Queued. `leadmarket notices list --operators --kind test` shows what became of it.',
  });
}
