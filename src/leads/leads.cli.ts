// The command `lead list` (contract 7.2).
import { type Command, Option } from 'commander';

import { typeId, type Uuid } from '../base/ids.ts';
import { type CliContext, timeArgument } from '../platform/cli.ts';
import { addPageOptions, idCursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { listLeads } from './find-leads.ts';
import type { LeadState, FoundLead } from './stored-lead.ts';

const STATES: readonly LeadState[] = ['received', 'held', 'routed', 'rejected'];
const cursor = idCursor('lead', (lead: FoundLead) => lead.leadId);

type ListOptions = PageOptions<Uuid> & {
  readonly supplier?: string;
  readonly vertical?: string;
  readonly state?: LeadState;
  readonly since?: Date;
};

/** Adds `list` to the command group `lead`, which other slices extend as well. */
export function registerLeadList(lead: Command, context: CliContext): void {
  addPageOptions(lead.command('list'), { cursor, limit: 50 })
    .description('list leads, newest first')
    .option('--supplier <key>', 'only leads of this supplier')
    .option('--vertical <key>', 'only leads of this vertical')
    .addOption(new Option('--state <state>', 'only leads in this state').choices(STATES))
    .option('--since <time>', 'only leads received since then, e.g. 2026-11-20T15:04:05Z or 2026-11-20', timeArgument)
    .action((options: ListOptions) => list(context, options));
}

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { supplier: supplierKey = null, vertical: verticalKey = null, state, since: from = null } = options;
  const states = state === undefined ? null : [state];
  const filter = { supplierKey, verticalKey, states, statuses: null, from, to: null };
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: ({ after, limit }) =>
        database.tx((tx) => listLeads(tx, { filter, before: after, limit }), { snapshot: true }),
      json: (lead) => ({
        leadId: typeId('lead', lead.leadId),
        externalId: lead.externalId,
        supplier: lead.supplierKey,
        vertical: lead.vertical,
        state: lead.state,
        status: lead.publicStatus,
        reason: lead.reason,
        score: lead.score,
        receivedAt: lead.receivedAt.toISOString(),
      }),
      columns: ['Lead', 'External id', 'Supplier', 'State', 'Status', 'Reason', 'Score', 'Received'],
      cells: (lead) => [
        typeId('lead', lead.leadId),
        lead.externalId,
        lead.supplierKey,
        lead.state,
        lead.publicStatus,
        lead.reason,
        lead.score,
        lead.receivedAt.toISOString(),
      ],
    }),
  );
}
