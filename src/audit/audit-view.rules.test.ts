import { describe, expect, it } from 'vitest';

import type { AuditId } from '../base/ids.ts';
import type { AuditActor, AuditRecord } from './audit-event.ts';
import { auditView } from './audit-view.rules.ts';

function record(actor: AuditActor): AuditRecord {
  return {
    auditId: '01aa7ee3-c051-73b5-9102-ec236dae72ca' as AuditId,
    at: new Date('2026-11-20T17:03:12.418Z'),
    actor,
    buyerKey: 'summit',
    supplierKey: 'acme-media',
    action: 'account.updated',
    target: 'summit',
    changes: { phone: { from: null, to: '+15555550123' } },
    ip: '203.0.113.24',
    requestId: 'r-1',
  };
}

describe('auditView', () => {
  it('shows all members of an event of the partner', () => {
    expect(auditView(record({ type: 'buyer', name: 'tok_1' }))).toEqual({
      id: 'aud_01n9ze7g2heets20qc4dptwwpa',
      at: '2026-11-20T17:03:12.418Z',
      actor: { type: 'buyer', name: 'tok_1' },
      action: 'account.updated',
      target: 'summit',
      changes: { phone: { from: null, to: '+15555550123' } },
      ip: '203.0.113.24',
      requestId: 'r-1',
    });
  });

  it.each<readonly [AuditActor, { type: string; name: string }]>([
    [
      { type: 'operator', name: 'dana@operator.example' },
      { type: 'operator', name: 'operator' },
    ],
    [
      { type: 'supplier', name: 'acme-media' },
      { type: 'operator', name: 'operator' },
    ],
    [
      { type: 'system', name: 'delivery' },
      { type: 'system', name: 'delivery' },
    ],
  ])('hides name and origin of %j', (actor, shown) => {
    expect(auditView(record(actor))).toMatchObject({ actor: shown, ip: null, requestId: null });
  });
});
