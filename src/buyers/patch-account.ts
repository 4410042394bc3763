// Changes a partner's settings, all or none, as a configuration change that every process applies (contract 6.16).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import type { JsonValue } from '../base/json.ts';
import type { AuditActor, AuditEvent, AuditOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { deleteHealth } from '../endpoints/health.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { checkTarget } from '../platform/outbound/check-target.ts';
import {
  changedSettings,
  notEditable,
  type PatchFault,
  type PatchReading,
  settingsIn,
  type SettingsPatch,
} from './account-patch.rules.ts';
import { buyerOfRow, definitionOfBuyer } from './buyer-row.rules.ts';
import { lockBuyerSql, enableEndpointSql } from './buyer.sql.ts';
import type { Buyer, BuyerSetting, BuyerSettings } from './buyer.ts';
import { settingOf } from './channel-target.rules.ts';
import { channels } from './partner.schema.ts';
import { saveBuyers } from './save-buyers.ts';

export type AccountChange = {
  readonly buyerKey: string;
  readonly reading: PatchReading;
  /** Whether the account is the one that the sender has read (`If-Match`); called while its row is locked. */
  readonly isExpected: (buyer: Buyer) => boolean;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

export type ChangedAccount =
  | { readonly ok: true; readonly value: Buyer }
  | { readonly ok: false; readonly code: 'precondition_failed' }
  | { readonly ok: false; readonly code: 'validation_failed'; readonly faults: readonly PatchFault[] };

/**
 * Returns the changed account. Naming a channel's target resets the channel's health, even with an unchanged value; a `webhookUrl` also
 * enables a disabled endpoint. If nothing changes, nothing is written.
 */
export async function patchAccount(
  tx: Tx,
  { buyerKey, reading, isExpected, actor, origin }: AccountChange,
  now: Date,
): Promise<ChangedAccount> {
  await lockConfigVersion(tx);
  const [row] = await tx.query(lockBuyerSql, { buyerKey });
  assert(row !== undefined, 'an authenticated partner is missing from the database');
  const before = buyerOfRow(row);
  if (!isExpected(before)) return { ok: false, code: 'precondition_failed' };
  // The operator may have withdrawn a permission since the change was read.
  const forbidden = settingsIn(reading.values).filter((name) => !before.editableFields.includes(name));
  const faults = [...reading.faults, ...forbidden.map(notEditable)];
  if (faults.length > 0) return { ok: false, code: 'validation_failed', faults };

  const patch = reading.values;
  // In the order in which recording delivery results locks the same rows.
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

/** A partner may read its own settings in the audit log, but not one of our secrets that was pasted into a URL. */
function auditValue(value: BuyerSettings[BuyerSetting]): JsonValue {
  if (value === null) return null;
  return typeof value === 'string' ? maskSecrets(value) : value.map(maskSecrets);
}

/**
 * The DNS half of the target rules for the URLs that a partner wants to save (contract 5.7). Errors in the order of the settings. Uses the
 * network, so it must be called with no transaction open.
 */
export async function checkPatchTargets(
  patch: SettingsPatch,
  options: Parameters<typeof checkTarget>[1],
): Promise<readonly PatchFault[]> {
  const fields = ['webhookUrl', 'sheetsWebhookUrl'] as const;
  const found = await Promise.all(
    fields.map(async (field): Promise<readonly PatchFault[]> => {
      const url = patch[field];
      if (url === undefined || url === null) return [];
      const verdict = await checkTarget(url, options);
      return verdict.ok ? [] : [{ field, code: verdict.code, message: `is refused: ${verdict.reason}` }];
    }),
  );
  return found.flat();
}
