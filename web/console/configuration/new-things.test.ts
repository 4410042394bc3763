import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';

import file from '../../../docs/marketplace-file.schema.json' with { type: 'json' };
import { newBooking, newOffer, newPartner, newSupplier } from './new-things.ts';

describe('A new entry', () => {
  it('has every member, and is valid once it has a key, a name and a price', () => {
    const check = new Ajv({ strict: false }).compile(file);
    const offer = {
      ...newOffer,
      key: 'west',
      name: 'West',
      payout: 45,
      eventType: 'Calendar Assigned',
      booking: newBooking,
    };
    const partner = { ...newPartner, key: 'summit', name: 'Summit', offers: [offer] };
    check({ suppliers: [{ ...newSupplier, key: 'acme', name: 'Acme' }], partners: [partner] });
    expect(check.errors).toBeNull();
    expect(newPartner).toMatchObject({ status: 'active', channels: [], settings: { webhookUrl: null, ccEmails: [] } });
    // A new partner buys nothing on credit until the operator says how much, and has all tools.
    expect(newPartner.billing.creditLimit).toBe(0);
    expect(newPartner.betaTools).toEqual(['timeline', 'delivery-logs', 'test-delivery', 'audit-log']);
    expect(newOffer).toMatchObject({
      payout: null,
      sale: 'exclusive',
      filters: { debtAmount: { min: null, max: null } },
    });
    expect(newSupplier).toMatchObject({ status: 'approved', fieldMapping: {}, callback: null });
  });
});
