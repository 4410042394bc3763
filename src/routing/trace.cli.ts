// The command `lead trace`: prints the trace of one lead as text or JSON (contract 7.2).
import type { Command } from 'commander';

import { uuidOf } from '../base/ids.ts';
import { findLeadOfDelivery } from '../deliveries/find-sales.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { explainToPartner, type PartnerExplanation } from './explain-to-partner.rules.ts';
import type { ExplainedDecision } from './stored-decisions.ts';
import { type LeadTrace, traceLead } from './trace-lead.ts';

/** Adds `trace` under the command `lead`. */
export function registerTraceCommand(lead: Command, { withDatabase, out }: CliContext): void {
  lead
    .command('trace')
    .description('show what happened to a lead and why')
    .argument('<id>', 'a lead (lead_…) or one of its deliveries (dlv_…)')
    .option('--partner <key>', 'only the part of the decision that this partner may see')
    .action(async (id: string, { partner }: { partner?: string }) => {
      const trace = await withDatabase((database) => database.tx((tx) => find(tx, id), { snapshot: true }));
      if (trace === null) return out.refuse('lead_not_found', `There is no lead or delivery ${id}.`);
      if (partner === undefined) return out.print({ json: trace, text: traceText(trace) });
      const decisions = [...(trace.decision?.earlier ?? []), ...(trace.decision === null ? [] : [trace.decision])].map(
        ({ decidedAt, offers }) => ({ decidedAt, offers: explainToPartner(offers, partner) }),
      );
      out.print({
        json: { leadId: trace.lead.leadId, partner, decisions },
        text: decisions.flatMap(({ decidedAt, offers }) => [decidedAt, ...offers.map(offerText)]).join('\n'),
      });
    });
}

async function find(tx: Tx, id: string): Promise<LeadTrace | null> {
  const deliveryId = uuidOf('delivery', id);
  const leadId = deliveryId === null ? uuidOf('lead', id) : await findLeadOfDelivery(tx, deliveryId);
  return leadId === null ? null : traceLead(tx, leadId);
}

function traceText({ lead, decision, deliveries, attempts, ledger, costs, margin, events }: LeadTrace): string {
  const lines = [
    `${lead.leadId}  ${lead.state} (${lead.status})${lead.test ? '  TEST' : ''}`,
    `  supplier ${lead.supplier}, external id ${orDash(lead.externalId)}, score ${orDash(lead.score)}`,
    '',
    'What happened',
    ...events.map((event) => `  ${event.at}  ${event.message}`),
  ];
  if (decision !== null) lines.push('', ...decisionText(decision));
  if (deliveries.length > 0) lines.push('', 'Deliveries');
  for (const { deliveryRef, deliveryId, partner, offer, status, payout } of deliveries) {
    lines.push(`  ${deliveryRef}  ${deliveryId}  ${partner}/${offer}  ${status}  ${payout}`);
  }
  if (attempts.length > 0) lines.push('', 'Attempts');
  for (const attempt of attempts) {
    const { at, deliveryRef, channel, target, state, latencyMs, nextAttemptAt } = attempt;
    const response = attempt.responseCode ?? attempt.error ?? 'no response yet';
    const next = nextAttemptAt === null ? '' : `, next at ${nextAttemptAt}`;
    lines.push(`  ${at}  ${orDash(deliveryRef)} #${attempt.attempt} ${channel} ${target}`);
    lines.push(`      ${state}: ${response} in ${orDash(latencyMs)} ms${next}`);
  }
  if (ledger.length > 0) lines.push('', 'Ledger');
  for (const { createdAt, partner, type, amount, balanceAfter, description } of ledger) {
    lines.push(`  ${createdAt}  ${partner}  ${type} ${amount} (balance ${balanceAfter})  ${description}`);
  }
  for (const { createdAt, supplier, type, amount, balanceAfter, description } of costs) {
    lines.push(
      `  ${createdAt}  supplier ${supplier}  ${COST_WORDS[type]} ${amount} (owed ${balanceAfter})  ${description}`,
    );
  }
  if (costs.length > 0) lines.push(`  margin ${margin}`);
  return lines.join('\n');
}

const COST_WORDS = {
  cost: 'cost',
  clawback: 'taken back',
  payout: 'payout',
  adjustment: 'adjustment',
} as const satisfies Record<LeadTrace['costs'][number]['type'], string>;

function decisionText(decision: ExplainedDecision & { readonly earlier?: readonly ExplainedDecision[] }): string[] {
  const offers = decision.offers.map((offer) =>
    offerText({ ...offer, offerKey: `${offer.partnerKey}/${offer.offerKey}` }),
  );
  return [
    `Decision ${decision.round} at ${decision.decidedAt}: ${decision.outcome} (configuration ${decision.configVersion})`,
    ...offers,
    ...(decision.earlier ?? []).flatMap((earlier) => ['', ...decisionText(earlier)]),
  ];
}

function offerText({ offerKey, result, code, got, want }: PartnerExplanation): string {
  const values =
    got === undefined && want === undefined
      ? ''
      : `  found ${got === undefined ? 'nothing' : JSON.stringify(got)}, wanted ${want === undefined ? 'nothing' : JSON.stringify(want)}`;
  return `  ${result === 'sold' ? '*' : ' '} ${offerKey}: ${code}${values}`;
}

function orDash(value: string | number | null): string {
  return value === null ? '-' : String(value);
}
