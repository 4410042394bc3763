// Writes audit events in the transaction of the change that they tell of; they can never be changed afterwards.
import { strict as assert } from 'node:assert';

import { newUuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { AuditEvent } from './audit-event.ts';
import { insertAuditEvents } from './audit.sql.ts';
import { holdsSecret } from './secret-mask.rules.ts';

/**
 * One statement for all events, which the list shows in the order given. A secret among the changes is a fault of the caller and
 * fails the transaction; a text that a person typed goes through `maskSecrets` first.
 */
export async function appendAudit(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { action, changes } of events) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      assert(!holdsSecret(from) && !holdsSecret(to), `the audit event ${action} holds a secret in ${field}`);
    }
  }
  await tx.query(insertAuditEvents, {
    // Sorted, because ids of one millisecond need not rise by themselves.
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
