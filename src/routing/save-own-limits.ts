// Saves the limits that a partner sets on one of its offers: a configuration change, so that every process applies them (contract 6.16).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor, AuditChanges } from '../audit/audit-event.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { capWindows } from '../base/time.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import type { Tx } from '../platform/database/database.ts';
import { writeOwnLimitsSql } from './offer.sql.ts';
import type { Offer, OwnLimits } from './offer.ts';
import { limitsBeyond, noLimits, statedLimits } from './own-limits.rules.ts';
import { readOffers } from './stored-offers.ts';

export type OwnLimitsChange = {
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly limits: OwnLimits;
  readonly author: AuditAuthor;
};

/** Returns the changed offer. The same limits again write nothing. Limits beyond the operator's are `out_of_bounds`; nothing is saved. */
export async function saveOwnLimits(
  tx: Tx,
  { offerKey, buyerKey, limits, author }: OwnLimitsChange,
  now: Date,
): Promise<Outcome<Offer, 'offer_not_found' | 'out_of_bounds'>> {
  await lockConfigVersion(tx);
  const [before] = await readOffers(tx, [offerKey]);
  if (before === undefined || before.buyerKey !== buyerKey || before.status === 'closed') {
    return refuse('offer_not_found');
  }
  // The operator may have lowered them since the request was checked.
  if (limitsBeyond(limits, before).length > 0) return refuse('out_of_bounds');
  const after: Offer = { ...before, ownLimits: statedLimits(limits) };
  const changes = changesOf(before.ownLimits ?? noLimits, after.ownLimits ?? noLimits);
  if (Object.keys(changes).length === 0) return done(before);
  const version = await bumpConfigVersion(tx);
  const text = after.ownLimits === null ? null : JSON.stringify(after.ownLimits);
  await tx.query(writeOwnLimitsSql, { offerKey, limits: text, now });
  await recordHistory(tx, { version, records: [{ kind: 'offer', key: offerKey, definition: after }] }, now);
  const event = { at: now, actor: author.actor, buyerKey, supplierKey: null, target: offerKey, ...author.origin };
  await appendAudit(tx, [{ ...event, action: 'offer.limits_changed', changes }]);
  return done(after);
}

function changesOf(before: OwnLimits, after: OwnLimits): AuditChanges {
  const amount = (cents: number | null): number | null => (cents === null ? null : wireAmount(cents));
  const changes = [
    ...capWindows.map((window) => [`caps.${window}`, before.caps[window], after.caps[window]] as const),
    ...capWindows.map(
      (window) => [`budget.${window}`, amount(before.budgetCents[window]), amount(after.budgetCents[window])] as const,
    ),
    ['filters.statesNot', before.statesNot, after.statesNot] as const,
  ];
  return Object.fromEntries(
    changes.flatMap(([name, from, to]) =>
      JSON.stringify(from) === JSON.stringify(to) ? [] : [[name, { from, to }] as const],
    ),
  );
}
