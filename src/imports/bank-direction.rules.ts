// Decides from all cells of a bank's line whether its money came in or went out, and whether it is booked (contract 7.11): what is understood is
// obeyed, and what is there and not understood is an error of the line.
import { regionCode } from '../base/regions.ts';
import type { BankLayout } from './bank-layout.rules.ts';
import {
  type Direction,
  directionWithin,
  isUnbookedAlone,
  plainDirection,
  saysYes,
  stateWithin,
  WORDS_LENGTH_MAX,
} from './bank-words.rules.ts';

export type CellFault = { readonly at: number; readonly message: string };
/** `said`: by the amounts themselves, as a sign, a mark such as `CR`, or a column of their own for money in or out. */
export type Cells = {
  readonly cell: (at: number) => string;
  readonly said: Direction | null;
  /** Whether a cell is the amount of the line, whatever its sign. */
  readonly isAmount: (text: string) => boolean;
};

export type ReadDirection =
  | { readonly ok: true; readonly direction: Direction }
  | { readonly ok: false; readonly faults: readonly CellFault[] };

export function readDirection({ cell, said, isAmount }: Cells, layout: BankLayout): ReadDirection {
  const found = [...strictly(cell, layout), ...loosely(cell, layout), ...sidedly(cell, layout, isAmount)];
  const directions = new Set(found.flatMap(({ says }) => (says === 'in' || says === 'out' ? [says] : [])));
  if (said !== null) directions.add(said);
  if (directions.size === 2) {
    const against = found.find(({ says }) => (said === null ? says === 'in' : says !== said && isDirection(says)));
    const at = against?.at ?? 0;
    const message = `says “${cell(at)}”, and another cell of the line says the opposite`;
    return { ok: false, faults: [{ at, message }] };
  }
  const [direction] = directions;
  // Money that went out is not posted, whatever else is there.
  if (direction === 'out') return { ok: true, direction };
  const unknown = found.filter(({ says, isStrict }) =>
    isStrict
      ? says === 'unknown' || says === 'unclear'
      : direction === undefined && !isSigned(layout) && !isDirection(says),
  );
  if (unknown.length > 0) {
    return { ok: false, faults: unknown.map(({ at }) => ({ at, message: unknownMessage(cell(at)) })) };
  }
  return { ok: true, direction: 'in' };
}

type Found = { readonly at: number; readonly says: Direction | 'unclear' | 'unknown'; readonly isStrict: boolean };

function strictly(cell: Cells['cell'], layout: BankLayout): Found[] {
  return layout.direction.flatMap((at): Found[] => {
    const text = cell(at);
    // In a file with signs the sign says it.
    if (text === '' && isSigned(layout)) return [];
    return [{ at, says: directionWithin(text) ?? 'unknown', isStrict: true }];
  });
}

function loosely(cell: Cells['cell'], { columns, direction, speaking }: BankLayout): Found[] {
  if (columns.named.has('direction')) return [];
  const used = new Set([...direction, ...columns.state.map(({ at }) => at), ...amountsOf(columns)]);
  return Array.from({ length: columns.width }, (_cell, at) => at).flatMap((at): Found[] => {
    const text = cell(at);
    if (used.has(at) || text === '' || text.length > WORDS_LENGTH_MAX || at === columns.name || at === columns.id)
      return [];
    const says = columns.typed.includes(at) ? directionWithin(text) : plainDirection(text);
    if (says === null && !speaking.includes(at)) return [];
    return [{ at, says: says ?? 'unknown', isStrict: false }];
  });
}

function sidedly(cell: Cells['cell'], { columns }: BankLayout, isAmount: Cells['isAmount']): Found[] {
  if (columns.named.has('direction')) return [];
  return columns.sided.flatMap(({ at, direction }): Found[] => {
    const text = cell(at);
    const isSaid = text === '' ? null : (saysYes(text) ?? (isAmount(text) ? true : null));
    if (isSaid === null) return [];
    return [{ at, says: isSaid === (direction === 'in') ? 'in' : 'out', isStrict: false }];
  });
}

function amountsOf({ amount, credit, debit, date }: BankLayout['columns']): number[] {
  return [amount, credit, debit, date].flatMap((at) => at ?? []);
}

function isDirection(says: Found['says']): boolean {
  return says === 'in' || says === 'out';
}

/** Columns of their own for money in and out say the direction without a sign. */
function hasSides({ columns }: BankLayout): boolean {
  return columns.credit !== null && (columns.debit !== null || columns.amount === null);
}

function isSigned(layout: BankLayout): boolean {
  return layout.isSigned || hasSides(layout);
}

function unknownMessage(text: string): string {
  return text === ''
    ? 'is empty and does not say whether the money came in or went out'
    : `says “${text.slice(0, 40)}”, which leaves open whether the money came in or went out; direction=COLUMN names the column that says it, ` +
        'direction=- that none does';
}

export type ReadState =
  | { readonly ok: true; readonly isBooked: boolean }
  | { readonly ok: false; readonly fault: CellFault };

export function readState(cell: Cells['cell'], { columns }: BankLayout): ReadState {
  for (const { at, asks } of columns.state) {
    const text = cell(at);
    // A state of a country, in a column of that name.
    if (text === '' || (stateWithin(text) === null && regionCode(text) !== null)) continue;
    const isBooked = bookedBy(text, asks);
    if (isBooked === false) return { ok: true, isBooked };
    if (isBooked === null) {
      const message = `says “${text.slice(0, 40)}”, which leaves open whether the payment is booked; state=- says that the column does not matter`;
      return { ok: false, fault: { at, message } };
    }
  }
  if (columns.named.has('state')) return { ok: true, isBooked: true };
  const apart = new Set([...amountsOf(columns), columns.name, columns.id]);
  const isUndone = Array.from({ length: columns.width }, (_cell, at) => at).some((at) => {
    const text = apart.has(at) ? '' : cell(at);
    if (text === '' || text.length > WORDS_LENGTH_MAX) return false;
    if (isUnbookedAlone(text)) return true;
    const state = columns.typed.includes(at) ? stateWithin(text) : null;
    return state === 'pending' || state === 'undone';
  });
  return { ok: true, isBooked: !isUndone };
}

function bookedBy(text: string, asks: 'booked' | 'pending' | null): boolean | null {
  const yes = asks === null ? null : saysYes(text);
  if (yes !== null) return asks === 'booked' ? yes : !yes;
  // The day on which it was booked.
  if (asks === 'booked' && /^[\d./-]{6,}/.test(text)) return true;
  const state = stateWithin(text);
  return state === null ? null : state === 'booked';
}
