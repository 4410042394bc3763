// Why a lead found no buyer: what stopped the offer that came farthest in the decision (contract 4.3).
import { offerInWords } from '../routing/explain-in-words.rules.ts';
import type { StoredTrace } from '../routing/trace.rules.ts';
import type { UnsoldReason } from './market.rules.ts';

const REASON_OF: Readonly<Record<string, UnsoldReason>> = {
  schedule: 'schedule',
  caps: 'caps',
  funds: 'funds',
  duplicates: 'duplicates',
};

/** A trace has what the moment left out; without such an offer none was wanted by its filters. */
function unsoldReason({ left }: Pick<StoredTrace, 'left'>): UnsoldReason {
  const [farthest] = left.map(([, code]) => ({ code, ...offerInWords({ code }) })).toSorted((a, b) => b.rank - a.rank);
  if (farthest === undefined) return 'no_match';
  if (farthest.code === 'endpoint_failing') return 'endpoints';
  return REASON_OF[farthest.stage] ?? 'no_match';
}

export function countReasons(traces: readonly string[]): Partial<Record<UnsoldReason, number>> {
  const counts: Partial<Record<UnsoldReason, number>> = {};
  for (const text of traces) {
    const reason = unsoldReason(JSON.parse(text) as StoredTrace);
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
