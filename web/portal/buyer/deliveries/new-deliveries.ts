// Which deliveries have joined a list since it was first seen, and how that is told.
import { useEffect, useRef, useState } from 'react';

import type { Delivery } from '../../../../sdk/typescript/client.ts';

type Row = Pick<Delivery, 'deliveryId' | 'deliveryRef' | 'deliveredAt'>;
type Newcomers = { readonly ids: ReadonlySet<string>; readonly words: string };

const NOBODY: Newcomers = { ids: new Set(), words: '' };

/** `key` names the list; another one, or null, begins anew. */
export function useNewcomers(key: string | null, rows: readonly Row[]): Newcomers {
  const seen = useRef<{ readonly key: string; readonly ids: Set<string>; readonly newestAt: string } | null>(null);
  const [newcomers, setNewcomers] = useState(NOBODY);
  useEffect(() => {
    const known = seen.current;
    const newestAt = rows.reduce((newest, { deliveredAt }) => (deliveredAt > newest ? deliveredAt : newest), '');
    if (key === null) return;
    if (known?.key !== key) {
      seen.current = { key, ids: new Set(rows.map(({ deliveryId }) => deliveryId)), newestAt };
      setNewcomers(NOBODY);
      return;
    }
    // What comes up from the next page is older than what was there.
    const fresh = rows.filter(
      ({ deliveryId, deliveredAt }) => !known.ids.has(deliveryId) && deliveredAt >= known.newestAt,
    );
    if (fresh.length === 0) return;
    for (const { deliveryId } of fresh) known.ids.add(deliveryId);
    seen.current = { ...known, newestAt };
    setNewcomers({ ids: new Set(fresh.map(({ deliveryId }) => deliveryId)), words: wordsOf(fresh) });
  }, [key, rows]);
  return newcomers;
}

/** References only: whoever hears it need not hear a name. */
function wordsOf(fresh: readonly Row[]): string {
  const refs = fresh.map(({ deliveryRef }) => deliveryRef).join(', ');
  return fresh.length === 1 ? `New delivery: ${refs}` : `${fresh.length} new deliveries: ${refs}`;
}
