// Changes a partner's own settings, all or nothing, as a change of configuration that every process takes up (contract 6.16).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import type { JsonValue } from '../base/json.ts';
import type { AuditActor, AuditEvent, AuditOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { deleteHealth } from '../endpoints/health.ts';
import { bumpConfigVersion } from '../marketplace/bump-version.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import { recordHistory } from '../marketplace/record-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { changedSettings, notEditable, type PatchFault, type PatchReading, settingsIn } from './account-patch.rules.ts';
import { buyerOfRow, definitionOfBuyer } from './buyer-row.rules.ts';
import { lockBuyerSql } from './buyer.sql.ts';
import type { Buyer, BuyerSetting, BuyerSettings } from './buyer.ts';
import { channels } from './partner.schema.ts';
import { settingOf } from './channel-target.rules.ts';
import { enableEndpointSql } from './endpoint.sql.ts';
import { saveBuyers } from './save-buyers.ts';

export type AccountChange = {
  readonly buyerKey: string;
  readonly reading: PatchReading;
  /** Asked once the account can no longer change under the answer: whether it is what the sender has seen. */
  readonly isExpected: (buyer: Buyer) => boolean;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

export type ChangedAccount =
  | { readonly ok: true; readonly value: Buyer }
  | { readonly ok: false; readonly code: 'precondition_failed' }
  | { readonly ok: false; readonly code: 'validation_failed'; readonly faults: readonly PatchFault[] };

/**
 * Answers the account as it now is. Naming a channel's target gives the channel a new start, also with the value that it has; a
 * `webhookUrl` takes a disabled endpoint back into use. Nothing is written where nothing changes.
 */
export async function patchAccount(
  tx: Tx,
  { buyerKey, reading, isExpected, actor, origin }: AccountChange,
  now: Date,
): Promise<ChangedAccount> {
  await lockConfigVersion(tx);
  const [row] = await tx.query(lockBuyerSql, { buyerKey });
  assert(row !== undefined, 'an authenticated partner is not in the database');
  const before = buyerOfRow(row);
  if (!isExpected(before)) return { ok: false, code: 'precondition_failed' };
  // The operator may have closed a setting since the change was read.
  const closed = settingsIn(reading.values).filter((name) => !before.editableFields.includes(name));
  const faults = [...reading.faults, ...closed.map(notEditable)];
  if (faults.length > 0) return { ok: false, code: 'validation_failed', faults };

  const patch = reading.values;
  // In the order in which whoever notes results locks them.
  for (const channel of channels.toSorted()) {
    if (!Object.hasOwn(patch, settingOf(channel))) continue;
    await deleteHealth(tx, { ownerKind: 'buyer', ownerKey: buyerKey, channel }, now);
  }
  const changed = changedSettings(before.settings, patch);
  const isEnabled = before.endpointDisabledAt !== null && Object.hasOwn(patch, 'webhookUrl');
  if (changed.length === 0 && !isEnabled) return { ok: true, value: before };

  const version = await bumpConfigVersion(tx);
  const after: Buyer = {
    ...before,
    settings: { ...before.settings, ...patch },
    endpointDisabledAt: isEnabled ? null : before.endpointDisabledAt,
  };
  await saveBuyers(tx, [after], now);
  if (isEnabled) await tx.query(enableEndpointSql, { buyerKey, now });
  const record = { kind: 'buyer', key: buyerKey, definition: definitionOfBuyer(after) } as const;
  await recordHistory(tx, { version, records: [record] }, now);
  const event = { at: now, actor, buyerKey, supplierKey: null, target: buyerKey, ...origin };
  const events: AuditEvent[] = [
    ...(changed.length === 0
      ? []
      : [{ ...event, action: 'account.updated', changes: changesOf(changed, before.settings, after.settings) }]),
    ...(isEnabled
      ? [{ ...event, action: 'endpoint.enabled', changes: { endpointDisabled: { from: true, to: false } } }]
      : []),
  ];
  await appendAudit(tx, events);
  return { ok: true, value: after };
}

function changesOf(names: readonly BuyerSetting[], from: BuyerSettings, to: BuyerSettings): AuditEvent['changes'] {
  return Object.fromEntries(names.map((name) => [name, { from: auditValue(from[name]), to: auditValue(to[name]) }]));
}

/** The partner's own settings are his to read, but a secret of ours that somebody pasted into a URL is not for any trail. */
function auditValue(value: BuyerSettings[BuyerSetting]): JsonValue {
  if (value === null) return null;
  return typeof value === 'string' ? maskSecrets(value) : value.map(maskSecrets);
}
