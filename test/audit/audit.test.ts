import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '../../src/audit/append-audit.ts';
import { type AuditEvent, commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const anyId: unknown = expect.any(String);
const at = new Date('2026-11-20T10:00:00.123Z');

function event(facts: Partial<AuditEvent>): AuditEvent {
  return {
    at,
    actor: commandLineActor,
    buyerKey: 'summit',
    supplierKey: null,
    action: 'account.changed',
    target: 'summit',
    changes: {},
    ...noOrigin,
    ...facts,
  };
}

describe('The audit trail', () => {
  it('returns the events of a partner as written, newest first and up to the limit', async () => {
    const written = [
      event({ target: 'first', changes: { webhookUrl: { from: null, to: 'https://crm.example/ü"\\' } } }),
      event({ target: 'second', actor: { type: 'buyer', name: 'token desk' }, ip: '203.0.113.9', requestId: 'req-1' }),
      event({
        target: 'third',
        changes: { ccEmails: { from: [], to: ['a@b.example'] }, cap: { from: 1, to: { x: true } } },
      }),
    ];
    const list = await home.database.tx(async (tx) => {
      await appendAudit(tx, [
        ...written,
        event({ buyerKey: 'rival' }),
        event({ buyerKey: null, supplierKey: 'acme-media' }),
      ]);
      return listAudit(tx, 'summit', 2);
    });
    expect(list).toEqual([
      { ...written[2], auditId: anyId },
      { ...written[1], auditId: anyId },
    ]);
    expect(await home.database.tx((tx) => listAudit(tx, 'nobody', 50))).toEqual([]);
  });

  it('rejects the whole transaction if a change contains a secret', async () => {
    const secret = `whsec_${'A'.repeat(43)}=`;
    const attempt = home.database.tx(async (tx) => {
      await appendAudit(tx, [event({ buyerKey: 'careless' })]);
      await appendAudit(tx, [event({ buyerKey: 'careless', changes: { secret: { from: null, to: secret } } })]);
    });
    await expect(attempt).rejects.toThrow(/contains a secret in secret/);
    await expect(attempt).rejects.not.toThrow(secret);
    expect(await home.database.tx((tx) => listAudit(tx, 'careless', 50))).toEqual([]);
  });

  it('rejects changing, deleting and truncating events', async () => {
    await home.database.tx((tx) => appendAudit(tx, [event({})]));
    for (const text of ['UPDATE audit_event SET action = action', 'DELETE FROM audit_event', 'TRUNCATE audit_event']) {
      await expect(home.database.pool.query(text)).rejects.toThrow('audit_event is append-only');
    }
  });
});
