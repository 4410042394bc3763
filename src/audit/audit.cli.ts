// The command `partner audit`: what a partner may see of its audit trail (contract 6, audit log).
import type { Command } from 'commander';

import { typeId } from '../base/ids.ts';
import { type CliContext, countArgument } from '../platform/cli.ts';
import { listAudit } from './list-audit.ts';

const LIMIT = 50;
const LIMIT_MAX = 200;

/** `partner` is the command that this one stands under. */
export function registerAuditCommand(partner: Command, { withDatabase, out }: CliContext): void {
  partner
    .command('audit')
    .description('list what was changed for a partner and by whom, the latest first')
    .argument('<key>', "the partner's key")
    .option('--limit <n>', `how many at most, up to ${LIMIT_MAX}`, countArgument(1, LIMIT_MAX), LIMIT)
    .action(async (key: string, { limit }: { limit: number }) => {
      const events = await withDatabase((database) => database.tx((tx) => listAudit(tx, key, limit)));
      const data = events.map(({ auditId, at, actor, action, target, changes, ip, requestId }) => ({
        id: typeId('audit', auditId),
        at: at.toISOString(),
        actor,
        action,
        target,
        changes,
        ip,
        requestId,
      }));
      const columns = ['at', 'who', 'action', 'target', 'changed'];
      const rows = data.map((event) => [
        event.at,
        event.actor.name,
        event.action,
        event.target,
        Object.keys(event.changes).join(', '),
      ]);
      out.print({ json: { data }, text: rows.length === 0 ? `Nothing was changed for ${key}.` : { columns, rows } });
    });
}
