// Writes audit events in the transaction of the change itself; they can never be changed afterwards.
import { strict as assert } from 'node:assert';

import { newUuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { AuditEvent } from './audit-event.ts';
import { insertAuditEvents } from './audit.sql.ts';
import { containsSecret } from './secret-mask.rules.ts';

/**
 * One statement for all events, listed in the given order. A secret in the changes is an error of the caller and fails the transaction: mask
 * user texts with `maskSecrets` first.
 */
export async function appendAudit(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { action, changes } of events) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      assert(!containsSecret(from) && !containsSecret(to), `the audit event ${action} contains a secret in ${field}`);
    }
  }
  await tx.query(insertAuditEvents, {
    // Sorted, because ids of the same millisecond are not ordered.
    auditIds: events.map(newUuid).toSorted(),
    times: events.map((event) => event.at),
    actorTypes: events.map((event) => event.actor.type),
    actorNames: events.map((event) => event.actor.name),
    buyerKeys: events.map((event) => event.buyerKey),
    supplierKeys: events.map((event) => event.supplierKey),
    actions: events.map((event) => event.action),
    targets: events.map((event) => event.target),
    changes: events.map((event) => JSON.stringify(event.changes)),
    ips: events.map((event) => event.ip),
    requestIds: events.map((event) => event.requestId),
  });
}
