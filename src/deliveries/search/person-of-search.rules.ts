// Whom a search text is about, for looking through leads that nobody bought: those have no terms.
import type { PersonQuery } from '../../leads/person-query.rules.ts';
import type { ParsedSearch, TermRange } from './search-query.rules.ts';
import { backwards } from './search-terms.rules.ts';

/** Null where the text names nobody by phone or e-mail. Names are looked for among sold leads only. */
export function personOfSearch({ kind, ranges }: ParsedSearch): PersonQuery | null {
  const [range] = ranges;
  if (range === undefined || kind === 'name') return null;
  const { low } = range;
  if (kind === 'phone') return { kind, digits: backwards(low), isWhole: isWhole(range) };
  return { kind, mailbox: low, isWhole: isWhole(range) };
}

/** Nothing but the term itself lies in the range. */
function isWhole({ low, high }: TermRange): boolean {
  return high === `${low}\u0001`;
}
