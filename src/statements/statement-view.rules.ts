// JSON views of statements and payouts for suppliers and for operators (contract 11.3, 11.4).
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { payableCents } from './statement-amounts.rules.ts';
import type { Payout, StatementAmounts, StatementDetail, StatementItem, SupplierStatement } from './statement.ts';

export function amountsView(amounts: StatementAmounts) {
  return {
    carried: wireAmount(amounts.carriedCents),
    leads: amounts.leads,
    earned: wireAmount(amounts.earnedCents),
    clawedBack: wireAmount(amounts.clawedBackCents),
    paidOut: wireAmount(amounts.paidOutCents),
    adjusted: wireAmount(amounts.adjustedCents),
    total: wireAmount(amounts.totalCents),
    held: wireAmount(amounts.heldCents),
    payable: wireAmount(payableCents(amounts)),
  };
}

export function statementView(statement: SupplierStatement) {
  return {
    statementId: typeId('statement', statement.statementId),
    number: statement.number,
    month: statement.month,
    timeZone: statement.timeZone,
    periodStart: statement.startsAt.toISOString(),
    periodEnd: statement.endsAt.toISOString(),
    currency: statement.currency,
    ...amountsView(statement),
    issuedAt: statement.issuedAt.toISOString(),
  };
}

/** For operators: with the supplier. */
export function statementForm(statement: SupplierStatement) {
  const { statementId, number, ...rest } = statementView(statement);
  return { statementId, number, supplier: statement.supplierKey, ...rest };
}

export function detailView({ statement, items, payouts }: StatementDetail) {
  return { ...statementView(statement), days: daysView(items), payouts: payouts.map(payoutView) };
}

/** One member per day of the month on which there are entries; 0 is before the month. */
function daysView(items: readonly StatementItem[]) {
  const days = [...new Set(items.map(({ day }) => day))].toSorted((one, other) => one - other);
  return days.map((day) => {
    const of = (kind: StatementItem['kind']) => items.find((item) => item.day === day && item.kind === kind);
    return {
      day,
      leads: of('earned')?.quantity ?? 0,
      earned: wireAmount(of('earned')?.amountCents ?? 0),
      clawedBack: wireAmount(0 - (of('clawed_back')?.amountCents ?? 0)),
      paidOut: wireAmount(0 - (of('paid_out')?.amountCents ?? 0)),
      adjusted: wireAmount(of('adjusted')?.amountCents ?? 0),
    };
  });
}

export function payoutView({ transferId, reference, amountCents, recordedAt }: Payout) {
  return {
    payoutId: typeId('transfer', transferId),
    reference,
    amount: wireAmount(amountCents),
    recordedAt: recordedAt.toISOString(),
  };
}

/** For operators: with the supplier and its balance after the payout. */
export function payoutForm(payout: Payout) {
  const { payoutId, ...rest } = payoutView(payout);
  return { payoutId, supplier: payout.supplierKey, ...rest, balanceAfter: wireAmount(payout.balanceAfterCents) };
}
