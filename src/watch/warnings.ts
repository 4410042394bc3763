// Warnings to operators: the current problems of the service and the market in the order of the money that they cost, since when each
// holds, and who acknowledged it (contract 12.4).
import { centsOf } from '../base/money.ts';
import { type Flow, type Market, marketProblems, spentADayOf } from '../reports/market.rules.ts';
import { inOrder, type Problem } from '../reports/overview.rules.ts';
import { type Overview, overviewProblems } from '../reports/read-overview.ts';
import { readReport } from '../reports/read-report.ts';
import type { Today } from '../reports/read-today.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectWarnings } from './warning.sql.ts';
import { readSilentSuppliers, type SilentSupplier } from './watch-suppliers.ts';

/** What warnings are found in. */
export type Facts = {
  readonly overview: Overview;
  readonly market: Market;
  readonly today: Today;
  readonly silent: ReadonlyArray<SilentSupplier & { readonly cents: number }>;
};

export type Warning = Problem & {
  readonly acknowledged: { readonly at: Date; readonly by: string } | null;
};

const SUPPLIERS_NAMED = 20;

/** By money, the most first. */
export function problemsIn({ overview, market, today, silent }: Facts): Problem[] {
  const { lastLeadAt, asOf } = overview;
  const flow: Flow = {
    decidedToday: today.figures.sold + today.figures.unsold,
    minutesSinceLead: lastLeadAt === null ? null : Math.max(0, (asOf.getTime() - lastLeadAt.getTime()) / 60_000),
    lastLeadAt,
  };
  const found = marketProblems(market, flow);
  // That nobody sends says it of each of them.
  const quiet = found.some(({ kind }) => kind === 'no_leads') ? [] : silent.slice(0, SUPPLIERS_NAMED);
  return inOrder([...overviewProblems(overview, spentADayOf(market)), ...found, ...quiet.map(silentProblem)]);
}

function silentProblem({ supplier, name, usual, hours, since, cents }: Facts['silent'][number]): Problem {
  return {
    ...{ kind: 'supplier_silent', subject: supplier, severity: 'high', partner: null, cents, since },
    text: `${name} has sent no leads for ${hours} hours; it usually sends ${usual} in that time.`,
    remedy: 'Ask the supplier, and check its keys and rejections.',
  };
}

/** With what their leads usually bring in a day, the most first. */
export async function readSilence(tx: Tx, now: Date): Promise<Facts['silent']> {
  const silent = await readSilentSuppliers(tx, now);
  if (silent.length === 0) return [];
  const keys = silent.map(({ supplier }) => supplier).slice(0, FILTERED_MAX);
  const question = { dimensions: ['supplier' as const], measures: ['revenue' as const], filters: { supplier: keys } };
  const outcome = await readReport(tx, { ...question, span: 'last-30-days' }, { kind: 'operator' }, now);
  const rows = outcome.ok ? outcome.value.rows : [];
  const revenue = new Map(rows.map(({ keys: [key], values }) => [key, values['revenue'] ?? 0]));
  return silent
    .map((one) => ({ ...one, cents: Math.round(centsOf(revenue.get(one.supplier) ?? 0) / REVENUE_DAYS) }))
    .toSorted((one, other) => other.cents - one.cents);
}

const REVENUE_DAYS = 30;
/** As many values as a filter of a report may have. */
const FILTERED_MAX = 200;

export async function readWarnings(tx: Tx, problems: readonly Problem[]): Promise<Warning[]> {
  const known = new Map((await tx.query(selectWarnings)).map((row) => [nameOf(row), row]));
  return problems.map((problem) => {
    const row = known.get(nameOf(problem));
    const { acknowledgedAt: at = null, acknowledgedBy: by = null } = row ?? {};
    return {
      ...problem,
      since: problem.since ?? row?.since ?? null,
      acknowledged: at === null || by === null ? null : { at, by },
    };
  });
}

function nameOf({ kind, subject }: { readonly kind: string; readonly subject: string }): string {
  return `${kind} ${subject}`;
}
