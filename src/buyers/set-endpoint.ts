// Disables a buyer's webhook endpoint after 410 or a long outage, and enables it again; routing skips the buyer while it is disabled
// (contract 4.11).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import { deleteHealth } from '../endpoints/health.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { maskTarget } from '../platform/outbound/target.rules.ts';
import { definitionOfBuyer } from './buyer-row.rules.ts';
import type { Buyer } from './buyer.ts';
import { disableEndpointsSql, enableEndpointSql } from './buyer.sql.ts';
import { readBuyers } from './read-buyers.ts';

export type BadEndpoint = {
  readonly buyerKey: string;
  /** The URL that failed; the buyer may have changed it since. */
  readonly webhookUrl: string;
  /** `gone`: it answered 410; `failing`: it has accepted nothing since. */
  readonly reason: 'gone' | 'failing';
  readonly since: Date;
  /** Deliveries still waiting to be sent there. */
  readonly waiting: number;
};

/**
 * Returns the buyers whose endpoint was disabled by this call, and raises a notice to each. A configuration change, so that every process
 * skips them. A buyer that has set another URL in the meantime keeps it enabled.
 */
export async function disableEndpoints(tx: Tx, bad: readonly BadEndpoint[], now: Date): Promise<readonly string[]> {
  await lockConfigVersion(tx);
  const rows = await tx.query(disableEndpointsSql, {
    buyerKeys: bad.map((endpoint) => endpoint.buyerKey),
    webhookUrls: bad.map((endpoint) => endpoint.webhookUrl),
    now,
  });
  const disabled = rows.map((row) => row.buyerKey).toSorted();
  if (disabled.length === 0) return [];
  const version = await bumpConfigVersion(tx);
  await record(
    tx,
    { buyerKeys: disabled, version, actor: { type: 'system', name: 'delivery' }, action: 'endpoint.disabled' },
    now,
  );
  await raiseDisabled(
    tx,
    disabled.flatMap((buyerKey) => bad.find((endpoint) => endpoint.buyerKey === buyerKey) ?? []),
    now,
  );
  for (const buyerKey of disabled) await deleteHealth(tx, webhookOf(buyerKey), now);
  return disabled;
}

async function raiseDisabled(tx: Tx, disabled: readonly BadEndpoint[], now: Date): Promise<void> {
  await raiseNotices(
    tx,
    disabled.map(({ buyerKey, webhookUrl, reason, since, waiting }) => ({
      kind: 'endpoint.disabled',
      recipient: { partner: buyerKey },
      // It can be disabled, enabled and disabled again within one outage.
      occurrence: `endpoint.disabled:webhook:${now.toISOString()}`,
      data: { webhookUrl: maskTarget(webhookUrl), reason, since: since.toISOString(), waiting },
    })),
    now,
  );
}

function webhookOf(buyerKey: string): EndpointKey {
  return { ownerKind: 'buyer', ownerKey: buyerKey, channel: 'webhook' };
}

/** Enabling an enabled endpoint writes nothing. */
export async function enableEndpoint(
  tx: Tx,
  { buyerKey, actor, origin = noOrigin }: { buyerKey: string; actor: AuditActor; origin?: AuditOrigin },
  now: Date,
): Promise<Outcome<{ wasDisabled: boolean }, 'partner_not_found'>> {
  await lockConfigVersion(tx);
  const rows = await tx.query(enableEndpointSql, { buyerKey, now });
  if (rows.length === 0) {
    return (await readBuyers(tx)).has(buyerKey) ? done({ wasDisabled: false }) : refuse('partner_not_found');
  }
  const version = await bumpConfigVersion(tx);
  await record(tx, { buyerKeys: [buyerKey], version, actor, origin, action: 'endpoint.enabled' }, now);
  await deleteHealth(tx, webhookOf(buyerKey), now);
  return done({ wasDisabled: true });
}

type Change = {
  buyerKeys: readonly string[];
  version: number;
  actor: AuditActor;
  origin?: AuditOrigin;
  action: 'endpoint.disabled' | 'endpoint.enabled';
};

async function record(
  tx: Tx,
  { buyerKeys, version, actor, origin = noOrigin, action }: Change,
  now: Date,
): Promise<void> {
  const buyers = await readBuyers(tx);
  const changed = buyerKeys.flatMap((key): readonly Buyer[] => {
    const buyer = buyers.get(key);
    return buyer === undefined ? [] : [buyer];
  });
  const isDisabled = action === 'endpoint.disabled';
  await recordHistory(
    tx,
    {
      version,
      records: changed.map((buyer) => ({
        kind: 'buyer',
        key: buyer.buyerKey,
        definition: definitionOfBuyer(buyer),
      })),
    },
    now,
  );
  await appendAudit(
    tx,
    changed.map((buyer) => ({
      at: now,
      actor,
      buyerKey: buyer.buyerKey,
      supplierKey: null,
      action,
      target: buyer.buyerKey,
      changes: { endpointDisabled: { from: !isDisabled, to: isDisabled } },
      ...origin,
    })),
  );
}
