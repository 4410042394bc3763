// The announcement of deliveries that joined a list since it was first shown.
import { useEffect, useRef, useState } from 'react';

import type { Delivery } from '../../../../sdk/typescript/client.ts';

type Row = Pick<Delivery, 'deliveryId' | 'deliveryRef' | 'deliveredAt'>;

/** `key` identifies the list; a different key, or null, starts over. */
export function useAddedDeliveries(key: string | null, rows: readonly Row[]): string {
  const seen = useRef<{ readonly key: string; readonly ids: Set<string>; readonly newestAt: string } | null>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    const known = seen.current;
    const newestAt = rows.reduce((newest, { deliveredAt }) => (deliveredAt > newest ? deliveredAt : newest), '');
    if (key === null) return;
    if (known?.key !== key) {
      seen.current = { key, ids: new Set(rows.map(({ deliveryId }) => deliveryId)), newestAt };
      setWords('');
      return;
    }
    // A row that moves up from the next page is older than the rows shown before.
    const fresh = rows.filter(
      ({ deliveryId, deliveredAt }) => !known.ids.has(deliveryId) && deliveredAt >= known.newestAt,
    );
    if (fresh.length === 0) return;
    for (const { deliveryId } of fresh) known.ids.add(deliveryId);
    seen.current = { ...known, newestAt };
    setWords(announcement(fresh));
  }, [key, rows]);
  return words;
}

/** References only: a screen reader must not read names aloud. */
function announcement(fresh: readonly Row[]): string {
  const refs = fresh.map(({ deliveryRef }) => deliveryRef).join(', ');
  return fresh.length === 1 ? `New delivery: ${refs}` : `${fresh.length} new deliveries: ${refs}`;
}
