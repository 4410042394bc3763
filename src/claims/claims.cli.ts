// The commands `claims list`, `show`, `take`, `approve` and `deny` (contract 7.2).
import { type Command, Option } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { type ClaimId, typeId, uuidOf } from '../base/ids.ts';
import { formatCents } from '../base/money.ts';
import { positionOf, positionText, type TimePosition } from '../base/time-position.ts';
import { claimStatuses, type ClaimStatus } from '../buyers/claim-status.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import type { Claim } from './claim.ts';
import type { ReviewStep } from './claim-steps.rules.ts';
import { claimForm, claimIdOf, evidenceLines } from './claim-view.rules.ts';
import { findClaims, showClaim } from './stored-claims.ts';
import { reviewClaim } from './review-claim.ts';

const NOTE_LENGTH_MAX = 500;
const cursor: Cursor<Claim, TimePosition> = {
  of: (claim) => positionText(claim.filedAt, claimIdOf(claim)),
  read: (text) => positionOf(['return', 'dispute'], text),
};

type ListOptions = PageOptions<TimePosition> & { readonly status?: ClaimStatus; readonly partner?: string };

export function registerClaimsCommands(claims: Command, context: CliContext): void {
  addPageOptions(claims.command('list'), { cursor, limit: 100 })
    .description('list claims, newest first')
    .addOption(new Option('--status <status>', 'only claims in this status').choices(claimStatuses))
    .option('--partner <key>', 'only claims of this partner')
    .action((options: ListOptions) => list(context, options));
  claims
    .command('show <id>')
    .description('show a claim with the evidence in our data')
    .action((id: string) => show(context, id));
  claims
    .command('take <id>')
    .description('begin the review of a claim: the partner can no longer withdraw it')
    .action((id: string) => review(context, id, { step: 'take', note: null }));
  const note = textArgument(NOTE_LENGTH_MAX);
  claims
    .command('approve <id>')
    .description('return the delivery and credit its price')
    .option('--note <text>', 'why; the partner reads it', note)
    .action((id: string, options: { note?: string }) =>
      review(context, id, { step: 'approve', note: options.note ?? null }),
    );
  claims
    .command('deny <id>')
    .description('deny a claim; a denied return may be appealed once by a dispute')
    .option('--note <text>', 'why; the partner reads it', note)
    .action((id: string, options: { note?: string }) =>
      review(context, id, { step: 'deny', note: options.note ?? null }),
    );
}

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { status = null, partner: buyerKey = null } = options;
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => findClaims(database, { status, buyerKey, ...page }),
      json: (claim) => ({
        id: claimIdOf(claim),
        kind: claim.kind,
        partner: claim.buyerKey,
        deliveryId: typeId('delivery', claim.deliveryId),
        reason: claim.reason,
        status: claim.status,
        filedAt: claim.filedAt.toISOString(),
      }),
      columns: ['claim', 'kind', 'partner', 'delivery', 'reason', 'status', 'filed', 'due'],
      cells: (claim) => [
        claimIdOf(claim),
        claim.kind,
        claim.buyerKey,
        typeId('delivery', claim.deliveryId),
        claim.reason,
        claim.status,
        claim.filedAt.toISOString(),
        claim.decisionDueAt.toISOString(),
      ],
    }),
  );
}

async function show({ withDatabase, out }: CliContext, id: string): Promise<void> {
  const claimId = uuidOfClaim(id);
  const shown = claimId === null ? null : await withDatabase((database) => showClaim(database, claimId));
  if (shown === null) return out.refuse('claim_not_found', `There is no claim ${id}.`);
  const { claim, evidence } = shown;
  out.print({
    json: { ...claimForm(claim), evidence },
    text: [...claimLines(claim), '', ...evidenceLines(evidence)].join('\n'),
  });
}

async function review(
  { withDatabase, clock, out }: CliContext,
  id: string,
  { step, note }: { readonly step: ReviewStep; readonly note: string | null },
): Promise<void> {
  const claimId = uuidOfClaim(id);
  if (claimId === null) return out.refuse('claim_not_found', `There is no claim ${id}.`);
  const input = { claimId, step, note, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => reviewClaim(tx, input, clock.now())));
  if (!outcome.ok) return out.refuse(outcome.code, outcome.detail ?? `There is no claim ${id}.`);
  const claim = outcome.value;
  const credit = claim.creditCents === null ? '' : `, ${formatCents(claim.creditCents)} credited to ${claim.buyerKey}`;
  out.print({ json: claimForm(claim), text: `${id} is ${claim.status.replace('_', ' ')}${credit}.` });
}

function uuidOfClaim(id: string): ClaimId | null {
  return uuidOf('return', id) ?? uuidOf('dispute', id);
}

function claimLines(claim: Claim): string[] {
  const { kind, statement, evidenceUrl, decidedAt, decidedBy, decisionNote } = claim;
  const form = claimForm(claim);
  return [
    `${claimIdOf(claim)}  ${claim.status.replace('_', ' ')}`,
    `  ${kind} by ${claim.buyerKey} for ${claim.reason}`,
    `  ${String(form['deliveryRef'])}  ${String(form['deliveryId'])}  ${formatCents(claim.payoutCents)}`,
    `  ${String(form['leadId'])} from ${claim.supplierKey}`,
    `  filed ${claim.filedAt.toISOString()}, due ${claim.decisionDueAt.toISOString()}`,
    ...(statement === null ? [] : ['', statement]),
    ...(evidenceUrl === null ? [] : ['', evidenceUrl]),
    ...(decidedAt === null ? [] : ['', `Decided ${decidedAt.toISOString()} by ${decidedBy}: ${decisionNote}`]),
  ];
}
