// The command `partner audit`, which lists the audit trail of a partner (contract 6.15).
import type { Command } from 'commander';
import { typeId, type Uuid } from '../base/ids.ts';
import type { CliContext } from '../platform/cli.ts';
import { addPageOptions, idCursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import type { AuditRecord } from './audit-event.ts';
import { searchAudit } from './read-audit.ts';

const cursor = idCursor('audit', (event: AuditRecord) => event.auditId);

/** Adds `audit` to the command group `partner`. */
export function registerAuditCommand(partner: Command, { withDatabase, out }: CliContext): void {
  addPageOptions(partner.command('audit'), { cursor, limit: 50 })
    .description('list the audit events of a partner, newest first')
    .argument('<key>', 'key of the partner')
    .action((key: string, options: PageOptions<Uuid>) =>
      withDatabase((database) =>
        printPages(out, options, {
          cursor,
          async read({ after: before, limit }) {
            const search = { conditions: { partner: key }, from: null, until: null, before, limit };
            return (await searchAudit(database, search)).events;
          },
          json: ({ auditId, at, actor, action, target, changes, ip, requestId }) => ({
            id: typeId('audit', auditId),
            at: at.toISOString(),
            actor,
            action,
            target,
            changes,
            ip,
            requestId,
          }),
          columns: ['at', 'who', 'action', 'target', 'changed'],
          cells: ({ at, actor, action, target, changes }) => [
            at.toISOString(),
            actor.name,
            action,
            target,
            Object.keys(changes).join(', '),
          ],
          empty: `There are no audit events for ${key}.`,
        }),
      ),
    );
}
