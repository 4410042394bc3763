// The command `lead list` (contract 7).
import { type Command, Option } from 'commander';

import { type CliContext, countArgument, timeArgument } from '../platform/cli.ts';
import { listLeads } from './list-leads.ts';
import type { LeadState } from './settle-leads.ts';

const STATES: readonly LeadState[] = ['received', 'held', 'routed', 'rejected'];
const LIMIT = 50;
// More is no longer read but exported.
const LIMIT_MAX = 1000;

type ListOptions = {
  readonly supplier?: string;
  readonly state?: LeadState;
  readonly since?: Date;
  readonly limit: number;
};

/** `lead` is the group that the other commands on leads join. */
export function registerLeadList(lead: Command, context: CliContext): void {
  lead
    .command('list')
    .description('list leads, newest first')
    .option('--supplier <key>', "this supplier's only")
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--since <time>', 'only those received since, e.g. 2026-11-20T15:04:05Z or 2026-11-20', timeArgument)
    .option('--limit <n>', `how many at most, up to ${LIMIT_MAX}`, countArgument(1, LIMIT_MAX), LIMIT)
    .action((options: ListOptions) => list(context, options));
}

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { supplier: supplierKey = null, state = null, since = null, limit } = options;
  const leads = await withDatabase((database) => listLeads(database, { supplierKey, state, since, limit }));
  out.print({
    json: { data: leads },
    text: {
      columns: ['Lead', 'External id', 'Supplier', 'State', 'Status', 'Reason', 'Score', 'Received'],
      rows: leads.map((lead) => [
        lead.leadId,
        lead.externalId,
        lead.supplier,
        lead.state,
        lead.status,
        lead.reason,
        lead.score,
        lead.receivedAt.toISOString(),
      ]),
    },
  });
}
