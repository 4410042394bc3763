// Formats the result of a simulation as text: all totals, and other figures only where they change.
import type { FromTo } from './comparison.rules.ts';
import type { Simulation } from './simulate-file.ts';

/** A title over lines of a name and figures; amounts of money have two decimals. */
type Line = { readonly name: string; readonly figures: FromTo; readonly isMoney: boolean };

type Row = Omit<Simulation['suppliers'][number], 'supplier'>;

const MONEY: readonly string[] = ['revenue', 'cost', 'margin'];

export function simulationText(simulation: Simulation): string {
  const { days, from, to, leads, differences, erased, configurationChanges, totals } = simulation;
  const { history, simulated } = totals;
  const sums = (['routed', 'rejected', 'held', 'revenue', 'cost', 'margin'] as const).map((name) =>
    line(name, { from: history[name], to: simulated[name] }, MONEY.includes(name)),
  );
  const rows = (kind: string, list: ReadonlyArray<Row & { readonly name: string }>): string[] =>
    section(
      kind,
      list.flatMap((row) => [
        line(`${row.name}: leads`, row.leads),
        line(`${row.name}: revenue`, row.revenue, true),
        ...costLines(row),
      ]),
    );
  return [
    `${days === 1 ? 'The last day' : `The last ${days} days`}, ${from.toISOString()} to ${to.toISOString()}:`,
    `${counted(leads, 'lead')} replayed, ${differences === 0 ? 'none ends' : differences === 1 ? '1 ends' : `${differences} end`} otherwise than in the past.`,
    ...(erased === 0 ? [] : [`Not replayed, because their fields are erased: ${counted(erased, 'lead')}.`]),
    ...(configurationChanges === 0
      ? []
      : [
          `Since the first of these decisions the configuration has changed ${configurationChanges === 1 ? 'once' : `${configurationChanges} times`}:`,
          'the past was decided by more than one, and what differs comes from that, too.',
        ]),
    ...section('Totals', sums, true),
    ...rows(
      'Partners',
      simulation.partners.map(({ partner, ...row }) => ({ name: partner, ...row })),
    ),
    ...rows(
      'Offers',
      simulation.offers.map(({ offer, partner, ...row }) => ({ name: `${partner}/${offer}`, ...row })),
    ),
    ...section(
      'Suppliers',
      simulation.suppliers.flatMap(({ supplier, ...row }) => costLines({ name: supplier, ...row })),
    ),
    ...section(
      'Unsold leads',
      simulation.unsold.map(({ reason, ...figures }) => line(reason, figures)),
    ),
  ].join('\n');
}

/** Nothing where no supplier is paid: the margin is the revenue then. */
function costLines({ name, cost, margin }: Row & { readonly name: string }): Line[] {
  if (cost.from === 0 && cost.to === 0) return [];
  return [line(`${name}: cost`, cost, true), line(`${name}: margin`, margin, true)];
}

function line(name: string, figures: FromTo, isMoney = false): Line {
  return { name, figures, isMoney };
}

function section(title: string, lines: readonly Line[], withUnchanged = false): string[] {
  const shown = lines.filter(({ figures }) => withUnchanged || figures.from !== figures.to);
  if (shown.length === 0) return [];
  const rows = shown.map(({ name, figures: { from, to }, isMoney }) => {
    const change = (Math.round(to * 100) - Math.round(from * 100)) / 100;
    const sign = change > 0 ? '+' : '';
    return [name, amount(from, isMoney), amount(to, isMoney), `${sign}${amount(change, isMoney)}`];
  });
  const table = [[title, 'past', 'simulated', 'change'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const padded = table.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  return ['', ...padded.map((row) => row.join('  '))];
}

function amount(value: number, isMoney: boolean): string {
  return isMoney ? value.toFixed(2) : String(value);
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
