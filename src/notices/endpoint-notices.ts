// Raises notices to partners and suppliers when the breaker of an endpoint opens and closes (contract 4.12, 12.3).
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import type { HealthChanges } from '../endpoints/record-results.ts';
import type { Tx } from '../platform/database/database.ts';
import type { NewNotice } from './notice.ts';
import { raiseNotices } from './raise-notices.ts';

/** An endpoint that comes and goes raises one notice of each kind in such a span. */
const SPAN_MS = 6 * 3_600_000;

export async function raiseEndpointNotices(
  tx: Tx,
  { opened, closed }: Pick<HealthChanges, 'opened' | 'closed'>,
  now: Date,
): Promise<void> {
  const span = new Date(now.getTime() - (now.getTime() % SPAN_MS)).toISOString();
  await raiseNotices(
    tx,
    [
      ...opened.map((endpoint): NewNotice => {
        const { channel, lastError: error } = endpoint;
        return {
          ...{ kind: 'endpoint.failing', recipient: ownerOf(endpoint) },
          occurrence: `endpoint.failing:${channel}:${span}`,
          data: { channel, since: now.toISOString(), error },
        };
      }),
      ...closed.map((endpoint): NewNotice => {
        const { channel, since } = endpoint;
        return {
          ...{ kind: 'endpoint.recovered', recipient: ownerOf(endpoint) },
          occurrence: `endpoint.recovered:${channel}:${span}`,
          data: { channel, since: since.toISOString() },
        };
      }),
    ],
    now,
  );
}

function ownerOf({ ownerKind, ownerKey }: EndpointKey): NewNotice['recipient'] {
  return ownerKind === 'buyer' ? { partner: ownerKey } : { supplier: ownerKey };
}
